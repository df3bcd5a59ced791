/**
 * Keeps the indexes of content current: in the transaction of a change, or after one by another program. Steps may repeat
 * or overlap, because entries follow from the content alone.
 */
import type { Tx } from '../../store/base/database.js';
import { repeatable } from '../../store/base/database.js';
import { lockContentGeneration, readContentGeneration } from '../../store/state/state.js';
import { batchesOf } from '../../values/batches.js';
import type { EventSource } from '../../webhooks/rules/events.js';
import { logChange, named } from '../live/content-change.js';
import { keepOldAddresses } from '../mutations/remember-moved.js';
import { announceChanges, announceEvents, joinListeners, type MutationListeners } from '../mutations/run-mutation.js';
import type { Registry } from '../objects/definition.js';
import { type ObjectTables, objectTables } from '../objects/watched-tables.js';
import {
  type AddEntries,
  type ContentIndex,
  contentOf,
  type IndexStore,
  nextPart,
  type Part,
  type Place,
  placeAfter,
  type Source,
  sourceOf,
  together,
  type Updated,
} from './content-index.js';
import { known, noteTables } from './known.js';
import { tvValues } from './tv-values.js';
import { words } from './words.js';

export const indexes: readonly ContentIndex[] = [words, tvValues];

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
    keepOldAddresses(),
    ...(events ? [announceEvents()] : []),
    announceChanges(report),
  ]);
}

/** Other resources whose place changed with it keep their entries. */
function announceIndexes(store: IndexStore, others: ObjectTables): MutationListeners {
  return {
    async announce(tx, { object, key, rows, touched = [] }) {
      const written = rows.filter(
        (row) =>
          row.object === 'resources' && ((object === row.object && row.key === key) || !row.before || !row.after),
      );
      const changed: number[] = [];
      for (const areNew of [true, false]) {
        const ids = written.filter((row) => (row.before === null) === areNew).map((row) => Number(row.key));
        changed.push(...(await updateIndexes(tx, { source: sourceOf(store, tx), ids, areNew })));
      }
      if (object !== 'resources') {
        const changedTables = [...others].filter(([, one]) => one === null || one === object);
        await noteTables(
          tx,
          sourceOf(store, tx),
          changedTables.map(([name]) => name),
        );
      }
      const announced = new Set(rows.filter((row) => row.object === 'resources').map((row) => Number(row.key)));
      await known.update(tx, sourceOf(store, tx), { ids: [...announced, ...touched], areNew: false });
      await announceEntries(
        tx,
        changed.filter((id) => !announced.has(id)),
      );
    },
  };
}

export async function updateIndexes(
  tx: Tx,
  { source, ids, areNew }: Updated & { readonly source: Source },
): Promise<readonly number[]> {
  const changed = new Set<number>();
  for (const some of batchesOf([...new Set(ids)], together)) {
    for (const index of indexes)
      for (const id of await index.update(tx, source, { ids: some, areNew })) changed.add(id);
  }
  return [...changed];
}

/** Answers made with the former entries are dropped, in every process. */
async function announceEntries(tx: Tx, ids: readonly number[], source?: EventSource): Promise<void> {
  if (ids.length === 0) return;
  // It is unknown which conditions the resources meet now, so only the keys are named.
  await logChange(tx, { rows: ids.map((key) => named('resources', key)), source });
}

export async function indexNow(
  store: IndexStore,
  { ids, source = 'cms' }: { readonly ids: readonly number[]; readonly source?: EventSource },
): Promise<void> {
  const work = async (tx: Tx) =>
    announceEntries(tx, await updateIndexes(tx, { source: sourceOf(store, tx), ids, areNew: false }), source);
  if (ids.length > 0) await store.own.write(work, { ...repeatable, mayBeUndone: true });
}

/** Fills indexes that are not complete, and corrects entries that exist. `source`: whose change made them incomplete. */
export async function buildIndexes(store: IndexStore, stop: AbortSignal, source?: EventSource): Promise<void> {
  const which: ContentIndex[] = [];
  for (const index of [...indexes, known]) if (!(await index.isWhole(store.own.primary))) which.push(index);
  if (which.length === 0) return;
  let isChanged = false;
  for (let place: Place = 0; place !== null; ) {
    if (stop.aborted) return;
    const generation = await readContentGeneration(store.own.primary);
    const part = await nextPart(store, { after: place, most: together });
    isChanged = (await buildPart(store, { which, part, generation })) || isChanged;
    place = placeAfter(part);
  }
  await store.own.write(async (tx) => {
    for (const index of which) await index.setWhole(tx);
    if (isChanged) await logChange(tx, { rows: [], source, changesAll: true });
  }, repeatable);
}

interface Building {
  readonly which: readonly ContentIndex[];
  readonly part: Part;
  /** Read before the part. */
  readonly generation: number;
}

/** True if entries changed. New entries are made before the transaction, because those of long texts take a while. */
async function buildPart(store: IndexStore, { which, part, generation }: Building): Promise<boolean> {
  const { ids } = part;
  if (ids.length === 0) return false;
  const made = new Map<ContentIndex, AddEntries>();
  for (const index of which)
    if (await index.isEmpty(store.own.primary, part)) made.set(index, await index.make(contentOf(store), ids));
  const work = async (tx: Tx) => {
    const isCurrent = (await lockContentGeneration(tx)) === generation;
    let isChanged = false;
    for (const index of which) {
      const add = isCurrent ? made.get(index) : undefined;
      await add?.(tx);
      if (add === undefined && (await index.update(tx, sourceOf(store, tx), { ids, areNew: false })).length === 0)
        continue;
      isChanged = true;
    }
    return isChanged;
  };
  return store.own.write(work, { ...repeatable, mayBeUndone: true });
}
