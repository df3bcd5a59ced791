/** Keeps the indexes of content current. Steps may repeat or overlap: entries follow from the content alone. */
import { type Reader, repeatable, type Tx } from '../../store/base/database.js';
import { lockContentGeneration, readContentGeneration } from '../../store/state/state.js';
import { batchesOf } from '../../values/batches.js';
import type { EventSource } from '../../webhooks/rules/events.js';
import { logChange, unknownChange } from '../live/content-change.js';
import type { Mutation } from '../live/mutation.js';
import {
  announceChanges,
  announceEvents,
  joinListeners,
  type MutationListeners,
  rememberMoved,
} from '../mutations/run-mutation.js';
import type { Registry } from '../objects/definition.js';
import { type ObjectTables, objectTables } from '../objects/object-registry.js';
import {
  batchSize,
  type ContentIndex,
  type Correction,
  type IndexStore,
  nextRange,
  type Place,
  placeAfter,
  type Range,
  readIds,
  type Source,
  turns,
  type Unseen,
} from './content-index.js';
import { known, noteSeen, noteTables } from './known.js';
import { tvValues } from './tv-values.js';
import { words } from './words.js';

export const indexes: readonly ContentIndex[] = [words, tvValues];
const valuesTogether = 500;
/** While the database works for one, the program does for the other. */
const rangesAtOnce = 2;

export function contentOf({ content, prefix, tables }: IndexStore): Source {
  return { reader: content.primary, prefix, tables };
}

export function sourceOf(store: IndexStore, tx: Tx): Source {
  return store.content === store.own ? { ...contentOf(store), reader: tx } : contentOf(store);
}

/** What follows from each change of content by this program, in its transaction. */
export function followMutations(
  store: IndexStore,
  registry: Registry,
  {
    events = true,
    report,
  }: { readonly events?: boolean; readonly report?: Parameters<typeof announceChanges>[0] } = {},
): MutationListeners {
  return joinListeners([
    announceIndexes(store, objectTables(store, registry)),
    { announce: rememberMoved },
    ...(events ? [announceEvents()] : []),
    announceChanges(report),
  ]);
}

/** Other resources whose place changed with it keep their entries. */
function announceIndexes(store: IndexStore, others: ObjectTables): MutationListeners {
  return {
    async announce(tx, mutation) {
      const { object, key, rows } = mutation;
      const source = sourceOf(store, tx);
      const written = rows.filter(
        (row) =>
          row.object === 'resources' && ((object === row.object && row.key === key) || !row.before || !row.after),
      );
      const changed: number[] = [];
      for (const areNew of [true, false]) {
        const ids = written.filter((row) => (row.before === null) === areNew).map((row) => Number(row.key));
        changed.push(...(await updateIndexes(tx, { source, ids, areNew })));
      }
      await noteTables(tx, source, tablesOf(mutation, others));
      await noteSeen(tx, source, resourcesOf(mutation));
      const announced = new Set(resourcesOf({ rows }));
      await announceEntries(
        tx,
        changed.filter((id) => !announced.has(id)),
      );
    },
  };
}

export function resourcesOf({ rows, touched = [] }: Pick<Mutation, 'rows' | 'touched'>): readonly number[] {
  return [...rows.flatMap(({ object, key }) => (object === 'resources' ? Number(key) : [])), ...touched];
}

/** Elements have no object of their own; only their writes drop all answers. */
export function tablesOf({ object, changesAll }: Pick<Mutation, 'object' | 'changesAll'>, tables: ObjectTables) {
  return [...tables].flatMap(([name, one]) => (one === object || (one === null && changesAll === true) ? name : []));
}

export async function updateIndexes(
  tx: Tx,
  { source, ids, areNew }: { readonly source: Source; readonly ids: readonly number[]; readonly areNew: boolean },
): Promise<readonly number[]> {
  const changed = new Set<number>();
  for (const some of batchesOf([...new Set(ids)], batchSize)) {
    for (const index of indexes) {
      const differing = await index.compare(tx, source, { ids: some, areNew });
      await differing.write(tx);
      for (const id of differing.ids) changed.add(id);
    }
  }
  return [...changed];
}

/** Answers made with the former entries are dropped, in every process. */
async function announceEntries(tx: Tx, ids: readonly number[], source?: EventSource): Promise<void> {
  if (ids.length === 0) return;
  // It is unknown which conditions the resources meet now, so only the keys are named.
  await logChange(tx, { rows: ids.map((key) => unknownChange('resources', key)), source });
}

export async function indexNow(
  store: IndexStore,
  { ids, source = 'cms' }: { readonly ids: readonly number[]; readonly source?: EventSource },
): Promise<void> {
  for (const some of batchesOf([...new Set(ids)], batchSize)) await correct(store, indexes, { ids: some, source });
}

/** Fills indexes that are not complete, and corrects entries that exist. `source`: whose change made them incomplete. */
export async function buildIndexes(store: IndexStore, stop: AbortSignal, source?: EventSource): Promise<void> {
  const which: Unseen[] = [];
  for (const index of [...indexes, known]) {
    const unseen = await index.findUnseen(store.own.primary, contentOf(store));
    if (unseen !== null) which.push(unseen);
  }
  if (which.length === 0) return;
  const most = which.every(({ isShort }) => isShort) ? valuesTogether : batchSize;
  let isChanged = false;
  for (let place: Place = 0; place !== null; ) {
    if (stop.aborted) return;
    const ranges: Range[] = [];
    while (place !== null && ranges.length < rangesAtOnce) {
      const range = await nextRange(store, { after: place, most });
      ranges.push(range);
      place = placeAfter(range);
    }
    const changed = await Promise.all(ranges.map((range) => correct(store, which, { range })));
    isChanged ||= changed.includes(true);
  }
  await store.own.write(async (tx) => {
    for (const { finish } of which) await finish(tx);
    if (isChanged) await logChange(tx, { rows: [], source, changesAll: true });
  }, repeatable);
}

/** True if entries changed. They are made before the transaction, because those of long texts take a while. */
export async function correct(
  store: IndexStore,
  which: readonly Pick<ContentIndex, 'compare'>[],
  {
    range,
    source: writer,
    ...asked
  }: { readonly source?: EventSource } & (
    | { readonly ids: readonly number[]; readonly range?: undefined }
    | { readonly range: Range; readonly ids?: undefined }
  ),
): Promise<boolean> {
  const { own } = store;
  const generation = await readContentGeneration(own.primary);
  const compare = async (reader: Reader, source: Source) => {
    const ids = range === undefined ? (asked.ids ?? []) : await readIds(source, range);
    const found: Correction[] = [];
    for (const index of which) found.push(await index.compare(reader, source, range ? { ids, range } : { ids }));
    return found.filter((one) => one.ids.length > 0);
  };
  await turns.pass();
  const made = await compare(own.primary, contentOf(store));
  if (made.length === 0) return false;
  const work = async (tx: Tx) => {
    const isCurrent = (await lockContentGeneration(tx)) === generation;
    const corrections = isCurrent ? made : await compare(tx, sourceOf(store, tx));
    for (const { write } of corrections) await write(tx);
    const changed = new Set(corrections.flatMap((one) => one.ids));
    if (writer !== undefined) await announceEntries(tx, [...changed], writer);
    return changed.size > 0;
  };
  return own.write(work, { ...repeatable, mayBeUndone: true });
}
