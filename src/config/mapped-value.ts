/** Value types whose accepted texts stand for another value. */
import { accept, type Checked } from '../values/checked.js';
import type { ValueType } from './value-type.js';

/** A type whose accepted texts stand for another value. */
export function mapped(type: ValueType<string>, change: (value: string) => string): ValueType<string> {
  return {
    ...type,
    parse(text): Checked<string> {
      const parsed = type.parse(text);
      return parsed.ok ? accept(change(parsed.value)) : parsed;
    },
  };
}
