/** Key values as text, for the place in `hcd_copy` where a copy goes on. */
import type { RawValue } from '../../store/base/database.js';

/** The values as JSON; bytes and integers beyond the exact numbers are marked. */
export function writePosition(values: readonly RawValue[]): string {
  return JSON.stringify(
    values.map((value) => {
      if (typeof value === 'bigint') return { integer: String(value) };
      return Buffer.isBuffer(value) ? { bytes: value.toString('hex') } : value;
    }),
  );
}

/** The values that writePosition was given. */
export function readPosition(text: string): readonly RawValue[] {
  const values: unknown = JSON.parse(text);
  return Array.isArray(values) ? values.map(decodeValue) : [];
}

function decodeValue(value: unknown): RawValue {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  if (typeof value === 'object' && 'bytes' in value) return Buffer.from(String(value.bytes), 'hex');
  if (typeof value === 'object' && 'integer' in value) return BigInt(String(value.integer));
  throw new Error('hcd_copy holds a position that this program did not write');
}
