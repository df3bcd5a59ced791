/** Notices what other programs change in tables of elements and further objects, by a check sum of each table. */
import { type Reader, repeatable, type Tx } from '../../store/base/database.js';
import { bumpContentGeneration, lockContentGeneration, readState, writeState } from '../../store/state/state.js';
import { isJsonObject, parseJson } from '../../values/json.js';
import { anyRow, writeChangedRows } from '../live/content-change.js';
import { writeChange } from '../models/changes.js';
import { readTableSums } from '../models/known-resources.js';
import type { ObjectTables } from '../objects/watched-tables.js';
import { announceElements } from './announce-noticed.js';
import { type IndexStore, type Source, sourceOf } from './content-index.js';
import { isInBulk } from './notice.js';

/** Sum by table, as JSON. */
const stateKey = 'known_tables';

/**
 * Tells all processes which tables differ from what is known of them, and receivers if they hold elements. The first look
 * at a table tells nothing.
 */
export async function noticeTables(
  store: IndexStore,
  { moved, announces }: { readonly moved: ObjectTables; readonly announces: boolean },
): Promise<void> {
  const { content, own, prefix, tables } = store;
  const names = [...moved.keys()];
  if ((await differing(own.primary, { reader: content.primary, prefix, tables }, names)).length === 0) return;
  await own.write(async (tx) => {
    // First: until the commit no other process announces or notices a change.
    await lockContentGeneration(tx);
    const known = await readSums(tx);
    const changed = await differing(tx, sourceOf(store, tx), names);
    await noteTables(tx, store, changed);
    const told = changed.filter((name) => known.has(name)).map((name) => moved.get(name) ?? null);
    if (told.length === 0) return;
    const generation = await bumpContentGeneration(tx);
    const rows = told.flatMap((object) => (object === null ? [] : [{ object, key: anyRow, before: {}, after: {} }]));
    const source = (await isInBulk(tx)) ? undefined : 'cms';
    if (announces && source !== undefined && told.includes(null)) await announceElements(tx, store, generation);
    const payload = writeChangedRows({ rows, source, ...(told.includes(null) ? { changesAll: true } : {}) });
    await writeChange(tx, { generation, payload });
  }, repeatable);
}

/** In the transaction of a change by this program, so that it is not noticed as another's. */
export async function noteTables(tx: Tx, store: IndexStore, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const sums = new Map([...(await readSums(tx)), ...(await readTableSums(sourceOf(store, tx), names))]);
  await writeState(tx, stateKey, JSON.stringify(Object.fromEntries(sums)));
}

async function differing(own: Reader, source: Source, names: readonly string[]): Promise<readonly string[]> {
  const known = await readSums(own);
  return [...(await readTableSums(source, names))]
    .filter(([name, sum]) => known.get(name) !== sum)
    .map(([name]) => name);
}

async function readSums(own: Reader): Promise<ReadonlyMap<string, string>> {
  const value = parseJson((await readState(own, stateKey)) ?? '');
  return new Map(isJsonObject(value) ? Object.entries(value).map(([name, sum]) => [name, String(sum)]) : []);
}
