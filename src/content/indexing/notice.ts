/** Notices what other programs (the CMS, its extras, scripts, SQL) changed, by what was last seen of each resource. */
import { systemClock } from '../../clock/clock.js';
import { type Reader, repeatable, type Tx } from '../../store/base/database.js';
import {
  bulkKey,
  bumpContentGeneration,
  lockContentGeneration,
  readState,
  writeState,
} from '../../store/state/state.js';
import { batchesOf } from '../../values/batches.js';
import { writeChangedRows } from '../live/content-change.js';
import { writeChange } from '../models/changes.js';
import { readDiffering, tablesOfResources } from '../models/known-resources.js';
import { rememberMoved } from '../mutations/remember-moved.js';
import { type IndexStore, nextRange, type Place, placeAfter, sourceOf } from './content-index.js';
import { compareSeen, known, noteSeen, type SeenChange } from './known.js';

export const noticedTogether = 500;
const comparedTogether = 20_000;
const seenTogether = 5000;
/** Milliseconds. With two databases a change by this program is in the first one before it is in the other. */
const apartMs = 100;

/**
 * Called in the transaction that notes changes by other programs (the CMS, its extras, scripts, SQL), logged or not.
 * Each change is reported once, in one process of the site. Changes through this program are never reported.
 */
export type OnNoticed = (
  tx: Tx,
  changes: readonly SeenChange[],
  // `total`: how many resources have changed, of which these are the first.
  how: { readonly generation: number; readonly total: number },
) => Promise<void>;

/** More changes are announced together. */
export const mostSingly = 500;

export interface Noticing {
  readonly ids: readonly number[];
  /** Null: they are announced already, as part of a burst. */
  readonly noticed: OnNoticed | null;
  /** All that changed, if these are the first of them. Default: these. */
  readonly total?: number;
  /** Every process has found them in the log of the CMS's manager. */
  readonly areLogged?: boolean;
}

/** Notes which of the resources differ from what is known, and tells all processes of them. */
export async function notice(
  store: IndexStore,
  { ids, noticed, total = 0, areLogged = false }: Noticing,
): Promise<readonly number[]> {
  const { content, own, prefix, tables } = store;
  const source = { reader: content.primary, prefix, tables };
  const differing = async (some: readonly number[]): Promise<readonly number[]> =>
    (await compareSeen(own.primary, source, some)).map(({ id }) => id);
  let found = await differing(ids);
  if (found.length > 0 && own !== content) {
    await systemClock.sleep(apartMs);
    found = await differing(found);
  }
  if (found.length === 0) return found;
  await own.write(async (tx) => {
    // First: until the commit no other process announces or notices a change.
    await lockContentGeneration(tx);
    const changes = await noteSeen(tx, sourceOf(store, tx), found);
    if (changes.length === 0) return;
    const generation = await bumpContentGeneration(tx);
    await rememberMoved(tx, changes);
    const isOfBulk = await isInBulk(tx);
    const how = { generation, total: Math.max(total, changes.length) };
    if (!isOfBulk) await noticed?.(tx, changes, how);
    const rows = areLogged ? [] : changes.map(({ id }) => ({ object: 'resources', key: id, before: {}, after: {} }));
    await writeChange(tx, { generation, payload: writeChangedRows({ rows, source: isOfBulk ? undefined : 'cms' }) });
  }, repeatable);
  return found;
}

export const isInBulk = async (own: Reader): Promise<boolean> => ((await readState(own, bulkKey)) ?? '') !== '';

/** Looks at every resource, for changes that no log names. Returns the ids of those that had changed. */
export async function noticeAll(store: IndexStore, { noticed, stop, moved }: NoticingAll): Promise<readonly number[]> {
  const { content, own, prefix, tables } = store;
  const found: number[] = [];
  if (!(await known.isWhole(own.primary))) return found;
  const bulk = await readState(own.primary, bulkKey);
  const which = tablesOfResources.filter((name) => moved?.has(prefix + name) !== false);
  const source = { reader: content.primary, prefix, tables };
  const differing: number[] = [];
  for (let place: Place = 0; place !== null; ) {
    if (stop.aborted) return found;
    const range = await nextRange(store, { after: place, most: comparedTogether });
    for (const id of await readDiffering(own.primary, source, { ...range, which })) differing.push(id);
    place = placeAfter(range);
  }
  const total = differing.length;
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

interface NoticingAll extends Pick<Noticing, 'noticed'> {
  readonly stop: AbortSignal;
  /** With prefix: the others are as they were at the last look. Default: all. */
  readonly moved?: ReadonlySet<string>;
}
