/**
 * Keeps the indexes of content as the resources are. A change through this program is in them with its own transaction; one that the
 * CMS's manager logs, as soon as it is noticed; any other, when the sweep comes to its resource. Each of them may be repeated
 * and may meet another: what is written follows from the content alone.
 */

import { Op } from 'sequelize';
import type { Tx } from '../../store/base/database.js';
import { repeatable } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { bumpContentGeneration } from '../../store/state/state.js';
import { batchesOf } from '../../values/batches.js';
import { writeChangedRows } from '../live/content-change.js';
import { writeChange } from '../models/changes.js';
import { siteContent } from '../models/resources.js';
import type { MutationListeners } from '../mutations/run-mutation.js';
import type { ContentIndex, Source, Updated } from './content-index.js';
import { tvValues } from './tv-values.js';
import { words } from './words.js';

const indexes: readonly ContentIndex[] = [words, tvValues];

/** Where resources and their indexes are. */
type IndexStore = Pick<Store, 'content' | 'own' | 'prefix'>;

/** Resources in one statement. */
const together = 100;
const lastId = 4_294_967_295;

/** Indexes the resources that a mutation wrote, in its transaction. Others whose place changed with them keep their entries. */
export function announceIndexes(store: IndexStore): MutationListeners {
  return {
    async announce(tx, { object, key, rows }) {
      const written = rows.filter(
        (row) =>
          row.object === 'resources' && ((object === row.object && row.key === key) || !row.before || !row.after),
      );
      const changed: number[] = [];
      for (const areNew of [true, false]) {
        const ids = written.filter((row) => (row.before === null) === areNew).map((row) => Number(row.key));
        changed.push(...(await update(tx, { source: sourceOf(store, tx), ids, areNew, which: indexes })));
      }
      const announced = new Set(rows.filter((row) => row.object === 'resources').map((row) => Number(row.key)));
      await announceEntries(
        tx,
        changed.filter((id) => !announced.has(id)),
      );
    },
  };
}

interface Update extends Updated {
  readonly source: Source;
  readonly which: readonly ContentIndex[];
}

/** Only what differs is written; gives the resources of which it was. */
async function update(tx: Tx, { source, ids, areNew, which }: Update): Promise<readonly number[]> {
  const changed = new Set<number>();
  for (const some of batchesOf([...new Set(ids)], together)) {
    for (const index of which) for (const id of await index.update(tx, source, { ids: some, areNew })) changed.add(id);
  }
  return [...changed];
}

function sourceOf({ content, own, prefix }: IndexStore, tx: Tx): Source {
  return { reader: content === own ? tx : content.primary, prefix };
}

/** Answers that were made with the former entries of resources are dropped, in every process. */
async function announceEntries(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  // Which conditions they meet now is not known, so only the keys are named.
  const rows = ids.map((key) => ({ object: 'resources', key, before: {}, after: {} }));
  const generation = await bumpContentGeneration(tx);
  await writeChange(tx, { generation, payload: writeChangedRows({ rows }) });
}

/** Where a sweep goes on; null at the end of the resources. */
type Place = number | null;

/**
 * Compares the next resources after an id with the indexes and writes what differs. The state of a resource is read again in
 * the transaction that writes it.
 */
export async function sweepNext(store: IndexStore, after: number): Promise<Place> {
  return sweep(store, { after, which: indexes, isNew: false });
}

interface Sweep {
  readonly after: number;
  readonly which: readonly ContentIndex[];
  /** No answer was made with entries of these indexes. */
  readonly isNew: boolean;
}

async function sweep(store: IndexStore, { after, which, isNew }: Sweep): Promise<Place> {
  const { content, own, prefix } = store;
  const rows = await siteContent.on(content.primary, prefix).findAll({
    attributes: ['id'],
    where: { id: { [Op.gt]: after } },
    order: ['id'],
    limit: together,
  });
  const ids = rows.map(({ id }) => id);
  const isLast = ids.length < together;
  const upTo = isLast ? lastId : (ids.at(-1) ?? lastId);
  const source = { reader: content.primary, prefix };
  for (const index of which) {
    const differing = await index.differing(own.primary, source, { ids, after, upTo });
    if (differing.length > 0) await write(store, { ids: differing, which: [index], isNew });
  }
  return isLast ? null : upTo;
}

/** Indexes resources in a transaction of its own. */
export function indexNow(store: IndexStore, ids: readonly number[]): Promise<void> {
  return write(store, { ids, which: indexes, isNew: false });
}

async function write(
  store: IndexStore,
  { ids, which, isNew }: Pick<Update, 'ids' | 'which'> & Pick<Sweep, 'isNew'>,
): Promise<void> {
  const work = async (tx: Tx) => {
    const changed = await update(tx, { source: sourceOf(store, tx), ids, areNew: false, which });
    if (!isNew) await announceEntries(tx, changed);
  };
  await store.own.write(work, { ...repeatable, mayBeUndone: true });
}

/** Sweeps every resource once for the indexes for which that was not done before. */
export async function buildIndexes(store: IndexStore, stop: AbortSignal): Promise<void> {
  const which: ContentIndex[] = [];
  for (const index of indexes) if (!(await index.isWhole(store.own.primary))) which.push(index);
  if (which.length === 0) return;
  for (let after: Place = 0; after !== null; ) {
    if (stop.aborted) return;
    after = await sweep(store, { after, which, isNew: true });
  }
  await store.own.write(async (tx) => {
    for (const index of which) await index.setWhole(tx);
    // Answers that were made meanwhile lack some of the entries.
    await writeChange(tx, { generation: await bumpContentGeneration(tx), payload: null });
  }, repeatable);
}
