/** Keeps what was last seen of resources and other tables: what differs was changed by another program. */
import type { Reader, Tx } from '../../store/base/database.js';
import { readState, writeState } from '../../store/state/state.js';
import { batchesOf } from '../../values/batches.js';
import { isJsonObject, parseJson } from '../../values/json.js';
import type { FieldValues, RowChange } from '../live/mutation.js';
import {
  type KnownResource,
  knownResources,
  readKnown,
  readSeen,
  readTableSums,
  removeKnown,
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

export const known: ContentIndex = {
  async compare(own, source, { ids }) {
    const changes = await compareSeen(own, source, ids);
    return { ids: idsOf(changes), write: (tx) => writeSeen(tx, changes) };
  },
  findUnseen: async (own) => ((await isWhole(own)) ? null : { ...known, finish: (tx) => writeKnown(tx, [whole]) }),
};

export async function isWhole(own: Reader): Promise<boolean> {
  return (await knownResources.on(own).lookUp({ resource: whole.resource }))?.digest === whole.digest;
}

interface SeenChange {
  readonly id: number;
  readonly before: KnownResource | undefined;
  readonly after: KnownResource | undefined;
}

const idsOf = (changes: readonly SeenChange[]) => changes.map(({ id }) => id);

export async function compareSeen(own: Reader, source: Source, ids: readonly number[]): Promise<readonly SeenChange[]> {
  const changes: SeenChange[] = [];
  for (const some of batchesOf(ids, atOnce)) {
    const before = await readKnown(own, some);
    const after = await readSeen(source, some);
    for (const id of new Set([...before.keys(), ...after.keys()])) {
      const change = { id, before: before.get(id), after: after.get(id) };
      if (change.before?.digest !== change.after?.digest) changes.push(change);
    }
  }
  return changes;
}

export async function noteSeen(tx: Tx, source: Source, ids: readonly number[]): Promise<readonly RowChange[]> {
  return noteChanges(tx, await compareSeen(tx, source, ids));
}

export async function noteChanges(tx: Tx, changes: readonly SeenChange[]): Promise<readonly RowChange[]> {
  await writeSeen(tx, changes);
  return changes.map(({ id, before, after }) => ({
    ...{ object: 'resources', key: id },
    ...{ before: factsOf(before), after: factsOf(after) },
  }));
}

async function writeSeen(tx: Tx, changes: readonly SeenChange[]): Promise<void> {
  for (const some of batchesOf(changes, atOnce)) {
    const [seen, gone] = [some.flatMap(({ after }) => after ?? []), some.filter(({ after }) => after === undefined)];
    await writeKnown(tx, seen);
    await removeKnown(tx, idsOf(gone));
  }
}

function factsOf(row: KnownResource | undefined): FieldValues | null {
  if (row === undefined) return null;
  const { resource: _id, digest: _digest, ...facts } = row;
  return facts;
}

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
