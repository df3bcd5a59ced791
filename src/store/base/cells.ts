/** Values of result rows as the program holds them. What a row does not have counts as NULL. */
import type { RawValue } from './database.js';

export function numberOrNull(value: RawValue | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}

export function textOrNull(value: RawValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

/**
 * An end in Unix milliseconds as it is shown, which is by the second: what shows an end works until then and not a
 * fraction of a second longer.
 */
export function endOrNull(value: RawValue | undefined): number | null {
  const end = numberOrNull(value);
  return end === null ? null : Math.floor(end / 1000) * 1000;
}
