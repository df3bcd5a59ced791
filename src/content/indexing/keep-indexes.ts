/**
 * Keeps the indexes of content current: in the transaction of a change, or after one by another program. Steps may repeat
 * or overlap, because entries follow from the content alone.
 */
import { systemClock } from '../../clock/clock.js';
import type { Tx } from '../../store/base/database.js';
import { repeatable } from '../../store/base/database.js';
import { lockContentGeneration, readContentGeneration } from '../../store/state/state.js';
import { batchesOf } from '../../values/batches.js';
import type { EventSource } from '../../webhooks/rules/events.js';
import { logChange } from '../live/content-change.js';
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

/** A transaction fills at most `most` resources in about `ms` milliseconds; from `large` on the writing thread. */
const filled = { most: 1000, ms: 100, large: 400 };

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
  const rows = ids.map((key) => ({ object: 'resources', key, before: {}, after: {} }));
  await logChange(tx, { rows, source });
}

export async function indexNow(
  store: IndexStore,
  { ids, source = 'cms' }: { readonly ids: readonly number[]; readonly source?: EventSource },
): Promise<void> {
  const work = async (tx: Tx) =>
    announceEntries(tx, await updateIndexes(tx, { source: sourceOf(store, tx), ids, areNew: false }), source);
  if (ids.length > 0) await store.own.write(work, { ...repeatable, mayBeUndone: true });
}

/** Fills indexes that are not complete. Entries that exist already are compared. */
export async function buildIndexes(store: IndexStore, stop: AbortSignal): Promise<void> {
  const which: ContentIndex[] = [];
  for (const index of [...indexes, known]) if (!(await index.isWhole(store.own.primary))) which.push(index);
  if (which.length === 0) return;
  let most = together;
  for (let next: Promise<Entries> | null = makeEntries(store, { which, after: 0, most }); next !== null; ) {
    const entries: Entries = await next;
    if (stop.aborted) return;
    const place = placeAfter(entries.part);
    // While the database writes one part, the program makes the next.
    next = place === null ? null : makeEntries(store, { which, after: place, most });
    next?.catch(() => undefined);
    const ms = await writeEntries(store, entries);
    most = ms === null ? together : nextMost(most, ms);
  }
  await store.own.write(async (tx) => {
    for (const index of which) await index.setWhole(tx);
    await logChange(tx, { rows: [], changesAll: true });
  }, repeatable);
}

function nextMost(most: number, ms: number): number {
  const inTime = Math.min(filled.most, 2 * most, (most * filled.ms) / Math.max(1, ms));
  return Math.max(1, Math.floor(inTime / together)) * together;
}

interface Made {
  readonly index: ContentIndex;
  readonly add: AddEntries;
}

interface Entries {
  readonly part: Part;
  readonly made: readonly Made[];
  readonly others: readonly ContentIndex[];
  readonly generation: number;
}

async function makeEntries(
  store: IndexStore,
  { which, ...next }: { readonly which: readonly ContentIndex[] } & Parameters<typeof nextPart>[1],
): Promise<Entries> {
  const { own } = store;
  const generation = await readContentGeneration(own.primary);
  const part = await nextPart(store, next);
  const source = contentOf(store);
  const made: Made[] = [];
  const others: ContentIndex[] = [];
  for (const index of which) {
    if (await index.isEmpty(own.primary, part)) made.push({ index, add: await index.make(source, part.ids) });
    else others.push(index);
  }
  return { part, made, others, generation };
}

/** Milliseconds; null if nothing was new. */
async function writeEntries(store: IndexStore, { part, made, others, generation }: Entries): Promise<number | null> {
  const { own } = store;
  let ms: number | null = null;
  const work = async (tx: Tx) => {
    const from = systemClock.elapsed();
    // The content may have changed since the entries were made.
    const isCurrent = (await lockContentGeneration(tx)) === generation;
    for (const { index, add } of made) await (isCurrent ? add : await index.make(sourceOf(store, tx), part.ids))(tx);
    ms = systemClock.elapsed() - from;
  };
  const aside = part.ids.length >= filled.large;
  if (made.length > 0 && part.ids.length > 0) await own.write(work, { ...repeatable, mayBeUndone: true, aside });
  for (const index of others) {
    const differing = await index.differing(own.primary, contentOf(store), part);
    const update = async (tx: Tx) => {
      await lockContentGeneration(tx);
      await index.update(tx, sourceOf(store, tx), { ids: differing, areNew: false });
    };
    if (differing.length > 0) await own.write(update, { ...repeatable, mayBeUndone: true });
  }
  return ms;
}
