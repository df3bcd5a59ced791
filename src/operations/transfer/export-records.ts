/** Reads the records of a store in the order of files; two stores with the same content give the same. */
import type { Store } from '../../store/open/open.js';
import { openSnapshots } from '../copy-tables/snapshot.js';
import { lengthOf } from './import-batches.js';
import type { Filter, Kind, Scope } from './kind.js';
import { Names } from './names.js';
import type { OutRecord } from './transfer-record.js';

interface ExportRequest extends Pick<Scope, 'onLost'> {
  readonly kinds: readonly Kind[];
  readonly filter: Filter;
}

const most = { records: 200, characters: 1_000_000 };

/** All as of the moment of the first list, which is empty. */
export async function* exportRecords(
  store: Store,
  { kinds, filter, onLost = () => undefined }: ExportRequest,
): AsyncGenerator<readonly OutRecord[]> {
  const { prefix, tables } = store;
  const { readers, end } = await openSnapshots(store);
  try {
    const scope = { readers, prefix, tables, names: new Names(readers, prefix), onLost };
    yield [];
    for (const kind of kinds) {
      let size = most.records;
      for await (const listed of kind.list(scope, filter)) {
        for (let at = 0; at < listed.length; ) {
          const keys = listed.slice(at, at + size);
          at += keys.length;
          const records = await kind.show(scope, keys, { isWhole: false });
          yield keys.flatMap((key) => {
            const record = records.get(key);
            return record === undefined ? [] : { object: kind.object, key, record };
          });
          // Large texts are read a few at a time.
          const length = [...records.values()].reduce((sum, record) => sum + lengthOf(record), 0);
          const fitting = Math.floor((keys.length * most.characters) / Math.max(length, 1));
          size = Math.max(1, Math.min(most.records, fitting, size * 2));
        }
      }
    }
  } finally {
    await end();
  }
}
