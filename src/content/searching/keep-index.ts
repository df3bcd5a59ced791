/**
 * Keeps the index of words as the resources are. A change through this program is in it with its own transaction; one that the
 * CMS's manager logs, as soon as it is noticed; any other, when the sweep comes to its resource. Each of them may be repeated
 * and may meet another: what is written follows from the resource alone.
 */

import { Op } from 'sequelize';
import { sha256Hex } from '../../crypto/hash.js';
import type { Reader, Tx } from '../../store/base/database.js';
import { repeatable } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { batchesOf } from '../../values/batches.js';
import { siteContent } from '../models/resources.js';
import { readDigests, removeSearchRows, type SearchRow, searchIndex, writeSearchRows } from '../models/search-index.js';
import type { MutationListeners } from '../mutations/run-mutation.js';
import { indexText, plainText, titleText, wordsOf } from '../rules/search-words.js';

/** Where resources and their index are. */
type IndexStore = Pick<Store, 'content' | 'own' | 'prefix'>;

/** Texts that are searched; the first is the title. */
const searched = ['pagetitle', 'longtitle', 'menutitle', 'description', 'introtext', 'content'] as const;
/** More letters of one text are not searched. */
const mostLetters = 1_000_000;
/** Resources in one statement. */
const together = 100;
/** Of the form of a row: an index of another form is made again. */
const form = 2;
/** Its row says that a sweep has seen every resource since the index was made. No resource has this id, so no sweep meets it. */
const whole: SearchRow = { resource: 0, title: '', words: '', digest: `whole ${form}` };

/** Indexes the resources that a mutation wrote, in its transaction. Others whose place changed with them keep their words. */
export function announceWords({ content, own, prefix }: IndexStore): MutationListeners {
  return {
    async announce(tx, { object, key, rows }) {
      const written = rows.filter(
        (row) =>
          row.object === 'resources' && ((object === row.object && row.key === key) || !row.before || !row.after),
      );
      const reader = content === own ? tx : content.primary;
      for (const areNew of [true, false]) {
        const some = written.filter((row) => (row.before === null) === areNew);
        await indexResources(tx, { reader, prefix, ids: some.map((row) => Number(row.key)), areNew });
      }
    },
  };
}

/** Brings the index of resources up to date. Only what differs is written. */
async function indexResources(
  tx: Tx,
  {
    reader,
    prefix,
    ids,
    areNew = false,
  }: {
    readonly reader: Reader;
    readonly prefix: string;
    readonly ids: readonly number[];
    /** There is nothing that they could be compared with. */
    readonly areNew?: boolean;
  },
): Promise<void> {
  for (const some of batchesOf([...new Set(ids)], together)) {
    const rows = await readTexts(reader, { prefix, ids: some });
    const known = areNew
      ? []
      : await searchIndex.on(tx).lookUpAll({ resource: some }, { attributes: ['resource', 'digest'] });
    const digests = new Map(known.map(({ resource, digest }) => [resource, digest]));
    const there = new Set(rows.map(({ id }) => id));
    await writeSearchRows(tx, rows.filter(({ id, digest }) => digests.get(id) !== digest).map(searchRow));
    await removeSearchRows(
      tx,
      known.map(({ resource }) => resource).filter((id) => !there.has(id)),
    );
  }
}

/** Where a sweep goes on; null at the end of the resources. */
type Place = number | null;

/**
 * Compares the next resources after an id with the index and writes what differs. The state of a resource is read again in the
 * transaction that writes it.
 */
export async function sweepNext(store: IndexStore, after: number): Promise<Place> {
  const { content, own, prefix } = store;
  const rows = await readTexts(content.primary, { prefix, ids: { after } });
  const isLast = rows.length < together;
  const upTo = isLast ? 4_294_967_295 : (rows.at(-1)?.id ?? 0);
  const digests = await readDigests(own.primary, { after, upTo });
  const there = new Map(rows.map(({ id, digest }) => [id, digest]));
  const changed = [...new Set([...there.keys(), ...digests.keys()])].filter((id) => there.get(id) !== digests.get(id));
  if (changed.length > 0) await indexNow(store, changed);
  return isLast ? null : upTo;
}

/** Indexes resources in a transaction of its own. */
export async function indexNow({ content, own, prefix }: IndexStore, ids: readonly number[]): Promise<void> {
  const work = (tx: Tx) => indexResources(tx, { reader: content === own ? tx : content.primary, prefix, ids });
  await own.write(work, { ...repeatable, mayBeUndone: true });
}

/** Sweeps every resource once, unless that was done before. */
export async function buildIndex(store: IndexStore, stop: AbortSignal): Promise<void> {
  const known = await searchIndex.on(store.own.primary).lookUp({ resource: whole.resource });
  if (known?.digest === whole.digest) return;
  for (let place: Place = 0; place !== null; ) {
    if (stop.aborted) return;
    place = await sweepNext(store, place);
  }
  await store.own.write((tx) => writeSearchRows(tx, [whole]), repeatable);
}

interface Texts {
  readonly id: number;
  readonly texts: readonly string[];
  readonly digest: string;
}

async function readTexts(
  reader: Reader,
  { prefix, ids }: { readonly prefix: string; readonly ids: readonly number[] | { readonly after: number } },
): Promise<Texts[]> {
  const attributes = ['id', ...searched] as const;
  const resources = siteContent.on(reader, prefix);
  const rows =
    'after' in ids
      ? await resources.findAll({ attributes, where: { id: { [Op.gt]: ids.after } }, order: ['id'], limit: together })
      : await resources.lookUpAll({ id: ids }, { attributes });
  return rows.map((row) => {
    const texts = searched.map((name) => (row[name] ?? '').slice(0, mostLetters));
    return { id: row.id, texts, digest: sha256Hex(JSON.stringify([form, ...texts])) };
  });
}

function searchRow({ id, texts, digest }: Texts): SearchRow {
  const words = texts.map((text) => wordsOf(plainText(text)));
  const [title = []] = words;
  return { resource: id, title: titleText(title), words: indexText(words.flat(), title), digest };
}
