/** Value types whose accepted texts stand for another value. */
import type { Parsed, ValueType } from './value-type.js';

/** A type whose accepted texts stand for another value. */
export function mapped(type: ValueType<string>, change: (value: string) => string): ValueType<string> {
  return {
    ...type,
    parse(text): Parsed<string> {
      const parsed = type.parse(text);
      return parsed.ok ? { ok: true, value: change(parsed.value) } : parsed;
    },
  };
}
