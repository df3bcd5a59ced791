/** Writes the records of a store as lines of a file; two stores with the same content give the same lines. */
import { mostBytes } from '../../pages/authoring/import-pages.js';
import type { Store } from '../../store/open/open.js';
import { isJsonObject, isWithinDepth } from '../../values/json.js';
import { openSnapshots } from '../copy-tables/snapshot.js';
import type { Filter, Kind, Scope } from './kind.js';
import { Names } from './names.js';
import { headerLine } from './read-records.js';

interface ExportRequest {
  readonly kinds: readonly Kind[];
  readonly filter: Filter;
  /** ISO 8601. */
  readonly exported: string;
  readonly onRecords?: (done: number) => void;
  readonly onLost?: Scope['onLost'];
}

const most = { records: 200, characters: 1_000_000 };
/** With the line around it, 64. */
const deepestRecord = 63;

/** All lines are read as of the moment of the first one. */
export async function* exportRecords(
  store: Store,
  { kinds, filter, exported, onRecords, onLost = () => undefined }: ExportRequest,
): AsyncGenerator<string> {
  const { prefix, tables } = store;
  const { readers, end } = await openSnapshots(store);
  try {
    const scope = { readers, prefix, tables, names: new Names(readers, prefix), onLost };
    yield headerLine(exported);
    let done = 0;
    for (const kind of kinds) {
      let size = most.records;
      for await (const listed of kind.list(scope, filter)) {
        for (let at = 0; at < listed.length; ) {
          const keys = listed.slice(at, at + size);
          at += keys.length;
          const records = await kind.show(scope, keys, { isWhole: false });
          const lines = keys.flatMap((key) => {
            const record = records.get(key);
            if (record === undefined) return [];
            const line = sortedJson({ object: kind.object, record });
            // An import would refuse the line.
            const why = Buffer.byteLength(line) > mostBytes ? 'its line would be too long' : null;
            if (why === null && isWithinDepth(record, deepestRecord)) return [`${line}\n`];
            onLost({ object: kind.object, key, member: null, why: why ?? 'it has too many levels' });
            return [];
          });
          done += lines.length;
          onRecords?.(done);
          const text = lines.join('');
          yield text;
          // Large texts are read a few at a time.
          const fitting = Math.floor((keys.length * most.characters) / Math.max(text.length, 1));
          size = Math.max(1, Math.min(most.records, fitting, size * 2));
        }
      }
    }
  } finally {
    await end();
  }
}

function sortedJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name): [string, unknown] => [name, sorted(value[name])]));
}
