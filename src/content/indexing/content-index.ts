/** An index of content holds entries that follow from the content of resources alone. */
import { Op } from 'sequelize';
import { systemClock } from '../../clock/clock.js';
import { Turns } from '../../clock/waiting-line.js';
import type { Tables } from '../../store/base/columns.js';
import type { Reader, Tx } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { batchesOf } from '../../values/batches.js';
import { siteContent } from '../models/resources.js';

export const together = 100;

/** SQLite returns texts without a wait, and the words of long ones take milliseconds each. */
export const turns = new Turns(systemClock);

export async function makeInTurns<T>(
  ids: readonly number[],
  make: (some: readonly number[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const made: T[] = [];
  for (const some of batchesOf(ids, together)) {
    await turns.pass();
    for (const one of await make(some)) made.push(one);
  }
  return made;
}

export interface Source {
  readonly reader: Reader;
  readonly prefix: string;
  readonly tables: Tables;
}

export interface Part {
  readonly ids: readonly number[];
  /** The part holds every resource after this id, up to and including `upTo`. */
  readonly after: number;
  readonly upTo: number;
}

export interface Updated {
  readonly ids: readonly number[];
  readonly areNew: boolean;
}

export type AddEntries = (tx: Tx) => Promise<void>;

export interface ContentIndex {
  make(source: Source, ids: readonly number[]): Promise<AddEntries>;
  /** Updates the resources and those that depend on them. Returns the ids whose entries changed. */
  update(tx: Tx, source: Source, asked: Updated): Promise<readonly number[]>;
  isEmpty(own: Reader, part: Part): Promise<boolean>;
  /** Resources of the part whose entries differ from the content, removed ones included. */
  differing(own: Reader, source: Source, part: Part): Promise<readonly number[]>;
  /** True after a sweep has seen every resource since the index was made. */
  isWhole(own: Reader): Promise<boolean>;
  setWhole(tx: Tx): Promise<void>;
}

export type IndexStore = Pick<Store, 'content' | 'own' | 'prefix' | 'tables'>;

export function contentOf({ content, prefix, tables }: IndexStore): Source {
  return { reader: content.primary, prefix, tables };
}

export function sourceOf(store: IndexStore, tx: Tx): Source {
  return store.content === store.own ? { ...contentOf(store), reader: tx } : contentOf(store);
}

const lastId = 4_294_967_295;

/** Null at the end. */
export type Place = number | null;

type Range = Omit<Part, 'ids'>;

export async function nextRange(
  { content, prefix }: Pick<IndexStore, 'content' | 'prefix'>,
  { after, most }: { readonly after: number; readonly most: number },
): Promise<Range> {
  const [row] = await siteContent.on(content.primary, prefix).findAll({
    attributes: ['id'],
    where: { id: { [Op.gt]: after } },
    order: ['id'],
    limit: 1,
    offset: most - 1,
  });
  return { after, upTo: row?.id ?? lastId };
}

export async function nextPart(store: IndexStore, asked: Parameters<typeof nextRange>[1]): Promise<Part> {
  const { after, upTo } = await nextRange(store, asked);
  const where = { id: { [Op.gt]: after, [Op.lte]: upTo } };
  const rows = await siteContent.on(store.content.primary, store.prefix).findAll({ attributes: ['id'], where });
  return { ids: rows.map(({ id }) => id), after, upTo };
}

export function placeAfter({ upTo }: Range): Place {
  return upTo === lastId ? null : upTo;
}
