/** How many records of a list fit into its answer. */
import type { JsonValue } from '../../values/json.js';
import type { RecordJson } from './select-rows.js';

/** 8 MiB as JSON without what surrounds the records (docs/reference/gateway.md#cursors). */
const mostBytes = 8 * 1024 * 1024 - 65_536;

export function fitting<T extends { readonly record: RecordJson }>(rows: readonly T[]): readonly T[] {
  // Most lists are far smaller: they need not be serialised twice.
  if (rows.reduce((sum, { record }) => sum + mostBytesOf(record), 0) <= mostBytes) return rows;
  let bytes = 0;
  const end = rows.findIndex(({ record }) => {
    bytes += Buffer.byteLength(JSON.stringify(record)) + 1;
    return bytes > mostBytes;
  });
  return end < 0 ? rows : rows.slice(0, Math.max(1, end));
}

/** No character takes more than six bytes, and no number more than 24. */
function mostBytesOf(value: JsonValue | RecordJson): number {
  if (typeof value === 'string') return 6 * value.length + 3;
  if (typeof value !== 'object' || value === null) return 25;
  let bytes = 3;
  for (const name of Object.keys(value)) bytes += 6 * name.length + 4 + mostBytesOf(value[name as never]);
  return bytes;
}
