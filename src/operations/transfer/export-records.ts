/** Writes the records of a store as the lines of a file; two stores with the same content give the same lines. */
import type { Store } from '../../store/open/open.js';
import { batchesOf } from '../../values/batches.js';
import { isJsonObject } from '../../values/json.js';
import type { Filter, Kind } from './kind.js';
import { Names } from './names.js';
import { headerLine } from './read-records.js';

interface ExportRequest {
  readonly kinds: readonly Kind[];
  readonly filter: Filter;
  /** ISO 8601. */
  readonly exported: string;
  /** Called with the number of records so far. */
  readonly onRecords?: (done: number) => void;
}

/** Records that are read together. */
const together = 200;

/** The lines, some at a time. */
export async function* exportRecords(
  store: Store,
  { kinds, filter, exported, onRecords }: ExportRequest,
): AsyncGenerator<string> {
  const { content, own, prefix, tables } = store;
  const readers = { content: content.primary, own: own.primary };
  const scope = { readers, prefix, tables, names: new Names(readers, prefix) };
  yield headerLine(exported);
  let done = 0;
  for (const kind of kinds) {
    for (const keys of batchesOf(await kind.list(scope, filter), together)) {
      const records = await kind.show(scope, keys, { isWhole: false });
      const lines = keys.flatMap((key) => {
        const record = records.get(key);
        return record === undefined ? [] : [`${sortedJson({ object: kind.object, record })}\n`];
      });
      done += lines.length;
      onRecords?.(done);
      yield lines.join('');
    }
  }
}

/** JSON with the members of each object in the order of their names. */
function sortedJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name): [string, unknown] => [name, sorted(value[name])]));
}
