/** Values of result rows as the program holds them. What a row does not have counts as NULL. */
import type { RawValue } from './database.js';

export function numberOrNull(value: RawValue | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}

export function textOrNull(value: RawValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}
