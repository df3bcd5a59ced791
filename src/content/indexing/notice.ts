/** Notices what other programs (the CMS, its extras, scripts, SQL) changed, by what is known of resources and tables. */
import { systemClock } from '../../clock/clock.js';
import { type Database, type Reader, repeatable, type Tx } from '../../store/base/database.js';
import {
  bulkKey,
  lockContentGeneration,
  readContentGeneration,
  readState,
  writeState,
} from '../../store/state/state.js';
import { batchesOf } from '../../values/batches.js';
import { anyRow, logChange, unknownChange } from '../live/content-change.js';
import type { Mutation, RowChange } from '../live/mutation.js';
import { tablesOfResources } from '../models/resources.js';
import { rememberMoved, unannounced } from '../mutations/run-mutation.js';
import type { ObjectTables } from '../objects/object-registry.js';
import { batchSize, type IndexStore, nextRange, type Place, placeAfter } from './content-index.js';
import { contentOf, correct, indexes, resourcesOf, sourceOf, tablesOf, updateIndexes } from './keep-indexes.js';
import { differingTables, isWhole, noteSeen, noteTables, readDiffering, readKnownTables } from './known.js';
import { tablesOfTvs } from './tv-values.js';

const comparedTogether = 20_000;
const seenTogether = 5000;
/** Milliseconds. With two databases another process of ours commits a change in one before it does in the other. */
const apartMs = 100;

/** In the transaction that notes changes by other programs; each change is reported once in all processes of a site. */
export type OnNoticed = (
  tx: Tx,
  changes: readonly RowChange[] | 'elements',
  // `total`: how many resources have changed, of which these are the first; `dependent`: others whose values follow.
  how: { readonly generation: number; readonly total: number; readonly dependent?: readonly number[] },
) => Promise<void>;

export const mostSingly = 500;

interface Noticing {
  readonly ids: readonly number[];
  /** Null: they are announced already, as part of a burst. */
  readonly noticed: OnNoticed | null;
  /** All that changed, if these are the first of them. Default: these. */
  readonly total?: number;
}

/** Notes resources that differ from what is known, indexes a few of them, and tells all processes of them. Returns their ids. */
export async function notice(store: IndexStore, { ids, noticed, total = 0 }: Noticing): Promise<readonly number[]> {
  const { content, own } = store;
  if (ids.length === 0 || !(await isWhole(own.primary))) return [];
  if (own !== content) {
    const asked = new Set(ids);
    await Promise.all([
      systemClock.sleep(apartMs),
      ownWrites(own, (one) => resourcesOf(one).some((id) => asked.has(id))),
    ]);
  }
  return own.write(async (tx) => {
    // First: until the commit no other process announces or notices a change.
    await lockContentGeneration(tx);
    const source = sourceOf(store, tx);
    const changes = await noteSeen(tx, source, ids);
    const noted = changes.map(({ key }) => Number(key));
    if (changes.length === 0) return noted;
    const changed = new Set(noted);
    // Those of more resources follow, with announcements of their own.
    if (Math.max(total, changed.size) <= batchSize) {
      for (const id of await updateIndexes(tx, { source, ids: noted, areNew: false })) changed.add(id);
    }
    const isOfBulk = await isInBulk(tx);
    const rows = [...changed].map((id) => unknownChange('resources', id));
    const generation = await logChange(tx, { rows, source: isOfBulk ? undefined : 'cms' });
    await rememberMoved(tx, { rows: changes });
    const dependent = [...changed].slice(changes.length);
    if (!isOfBulk) await noticed?.(tx, changes, { generation, total: Math.max(total, changes.length), dependent });
    return noted;
  }, repeatable);
}

/** Waits for writes of this process with two databases that have yet to announce what they changed. */
async function ownWrites(own: Database, changes: (mutation: Mutation) => boolean): Promise<void> {
  const writes = [...unannounced(own).entries()];
  await Promise.allSettled(writes.flatMap(([end, mutation]) => (mutation !== null && changes(mutation) ? end : [])));
}

const isInBulk = async (own: Reader): Promise<boolean> => ((await readState(own, bulkKey)) ?? '') !== '';

/** Looks at every resource, for changes that no log names. Returns the ids of those that had changed. */
export async function noticeAll(
  store: IndexStore,
  {
    noticed,
    stop,
    moved,
    compared,
  }: Pick<Noticing, 'noticed'> & {
    readonly stop: AbortSignal;
    /** With prefix: the others are as they were at the last look. Default: all. */
    readonly moved?: ReadonlySet<string>;
    /** Called when all resources have been read, before what differs is noted. */
    readonly compared?: () => void;
  },
): Promise<readonly number[]> {
  const { own, prefix } = store;
  const found: number[] = [];
  if (!(await isWhole(own.primary))) return found;
  const bulk = await readState(own.primary, bulkKey);
  const generation = await readContentGeneration(own.primary);
  const which = tablesOfResources.filter((name) => moved?.has(prefix + name) !== false);
  const differing: number[] = [];
  for (let place: Place = 0; place !== null; ) {
    if (stop.aborted) return found;
    const range = await nextRange(store, { after: place, most: comparedTogether });
    for (const id of await readDiffering(own.primary, contentOf(store), { ...range, which })) differing.push(id);
    place = placeAfter(range);
  }
  compared?.();
  const total = differing.length;
  // To note a burst takes a while.
  if (total > mostSingly) await announceAllChanged(store, generation);
  // After the first part of a burst a crash leaves the others to be found again.
  for (const ids of batchesOf(differing, seenTogether)) {
    if (stop.aborted) return found;
    const isAnnounced = total > mostSingly && ids[0] !== differing[0];
    for (const id of await notice(store, { ids, noticed: isAnnounced ? null : noticed, total })) found.push(id);
  }
  if ((bulk ?? '') === '') return found;
  await own.write(async (tx) => {
    if ((await readState(tx, bulkKey)) === bulk) await writeState(tx, bulkKey, '');
  }, repeatable);
  return found;
}

/** Tells processes and receivers what differs; a first look tells nothing. True when an index has to follow. */
export async function noticeTables(store: IndexStore, moved: ObjectTables, noticed: OnNoticed): Promise<boolean> {
  const { own, prefix } = store;
  const names = [...moved.keys()];
  if ((await differingTables(own.primary, contentOf(store), names)).length === 0) return false;
  await ownWrites(own, (one) => tablesOf(one, moved).length > 0);
  return own.write(async (tx) => {
    await lockContentGeneration(tx);
    const before = await readKnownTables(tx);
    const changed = await differingTables(tx, sourceOf(store, tx), names);
    await noteTables(tx, sourceOf(store, tx), changed);
    const noted = changed.filter((name) => before.has(name));
    if (noted.length === 0) return false;
    const told = noted.map((name) => moved.get(name) ?? null);
    const rows = told.flatMap((object) => (object === null ? [] : [unknownChange(object, anyRow)]));
    const source = (await isInBulk(tx)) ? undefined : 'cms';
    const changesAll = told.includes(null);
    const generation = await logChange(tx, { rows, source, changesAll });
    if (source !== undefined && changesAll) await noticed(tx, 'elements', { generation, total: 0 });
    return noted.some((name) => tablesOfTvs.some((table) => name === prefix + table));
  }, repeatable);
}

/** Of changes that left no difference, or are not noted yet: answers may show what was there since this generation. */
export async function announceAllChanged(store: IndexStore, generation: number): Promise<void> {
  await store.own.write(async (tx) => {
    if ((await lockContentGeneration(tx)) !== generation) return;
    await logChange(tx, { rows: [], source: (await isInBulk(tx)) ? undefined : 'cms', changesAll: true });
  }, repeatable);
}

export async function sweepNext(store: IndexStore, after: number, noticed: OnNoticed | null = null): Promise<Place> {
  const range = await nextRange(store, { after, most: batchSize });
  const ids = await readDiffering(store.own.primary, contentOf(store), { ...range, which: tablesOfResources });
  await notice(store, { ids, noticed });
  await correct(store, indexes, { range, source: 'cms' });
  return placeAfter(range);
}
