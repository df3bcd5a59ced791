/**
 * Keeps what was last seen of each resource, and check sums of the tables of elements and further objects. What differs
 * was changed by another program.
 */
import type { Reader, Tx } from '../../store/base/database.js';
import { readState, writeState } from '../../store/state/state.js';
import { batchesOf } from '../../values/batches.js';
import { isJsonObject, parseJson } from '../../values/json.js';
import {
  hasKnown,
  type KnownResource,
  knownResources,
  readDiffering,
  readKnown,
  readSeen,
  readTableSums,
  removeKnown,
  tablesOfResources,
  writeKnown,
} from '../models/known-resources.js';
import type { ContentIndex, Source } from './content-index.js';

/** Each id is a value of a statement once for each table, and SQLite takes 32,766 values. */
const atOnce = 1000;

/** Marks what is known as complete. No resource has this id. The number is the version of the digests. */
const whole: KnownResource = {
  ...{ resource: 0, digest: 'whole 1', context_key: '', uri: null },
  ...{ parent: 0, published: false, deleted: false },
};

export interface SeenChange {
  readonly id: number;
  /** Null = it did not exist. */
  readonly before: KnownResource | null;
  /** Null = it is gone. */
  readonly after: KnownResource | null;
}

export const known: ContentIndex = {
  async make(source, ids) {
    const rows: KnownResource[] = [];
    for (const some of batchesOf(ids, atOnce)) rows.push(...(await readSeen(source, { ids: some })).values());
    return (tx) => writeKnown(tx, rows);
  },
  update: async (tx, source, { ids }) => (await noteSeen(tx, source, ids)).map(({ id }) => id),
  isEmpty: async (own, part) => !(await hasKnown(own, part)),
  differing: (own, source, { after, upTo }) => readDiffering(own, source, { after, upTo, which: tablesOfResources }),
  isWhole: async (own) => (await knownResources.on(own).lookUp({ resource: whole.resource }))?.digest === whole.digest,
  setWhole: (tx) => writeKnown(tx, [whole]),
};

export async function compareSeen(own: Reader, source: Source, ids: readonly number[]): Promise<readonly SeenChange[]> {
  const changes: SeenChange[] = [];
  for (const some of batchesOf(ids, atOnce))
    changes.push(...differences(await readKnown(own, some), await readSeen(source, { ids: some })));
  return changes;
}

export async function noteSeen(tx: Tx, source: Source, ids: readonly number[]): Promise<readonly SeenChange[]> {
  const changes = await compareSeen(tx, source, ids);
  for (const some of batchesOf(changes, atOnce)) {
    await writeKnown(
      tx,
      some.flatMap(({ after }) => after ?? []),
    );
    await removeKnown(
      tx,
      some.filter(({ after }) => after === null).map(({ id }) => id),
    );
  }
  return changes;
}

function differences(
  before: ReadonlyMap<number, KnownResource>,
  after: ReadonlyMap<number, KnownResource>,
): readonly SeenChange[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((id) => ({ id, before: before.get(id) ?? null, after: after.get(id) ?? null }))
    .filter((one) => one.before?.digest !== one.after?.digest);
}

/** Sum by table, as JSON. */
const tablesKey = 'known_tables';

/** Names of the tables that differ; a table that is not known is among them. */
export async function differingTables(own: Reader, source: Source, names: readonly string[]) {
  const known = await readKnownTables(own);
  const sums = await readTableSums(source, names);
  return [...sums.keys()].filter((name) => known.get(name) !== sums.get(name));
}

/** In the transaction of a change by this program, so that it is not noticed as another's. */
export async function noteTables(tx: Tx, source: Source, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const sums = new Map([...(await readKnownTables(tx)), ...(await readTableSums(source, names))]);
  await writeState(tx, tablesKey, JSON.stringify(Object.fromEntries(sums)));
}

export async function readKnownTables(own: Reader): Promise<ReadonlyMap<string, string>> {
  const value = parseJson((await readState(own, tablesKey)) ?? '');
  return new Map(isJsonObject(value) ? Object.entries(value).map(([name, sum]) => [name, String(sum)]) : []);
}
