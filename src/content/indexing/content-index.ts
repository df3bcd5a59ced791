/** An index of content holds entries that follow from the content of resources alone. */
import { Op } from 'sequelize';
import { systemClock } from '../../clock/clock.js';
import { Turns } from '../../clock/waiting-line.js';
import type { Tables } from '../../store/base/columns.js';
import type { Reader, Tx } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { largestUnsigned } from '../../values/unsigned.js';
import { siteContent } from '../models/resources.js';

export const batchSize = 100;

/** SQLite returns texts without a wait, and the words of long ones take milliseconds each. */
export const turns = new Turns(systemClock);

export interface Source {
  readonly reader: Reader;
  readonly prefix: string;
  readonly tables: Tables;
}

/** The resources after one id, up to and including another. */
export interface Range {
  readonly after: number;
  readonly upTo: number;
}

export interface Correction {
  readonly ids: readonly number[];
  readonly write: (tx: Tx) => Promise<void>;
}

export interface ContentIndex {
  /**
   * The ids are all of the range: other entries in it are of removed resources. Without a range also entries of resources
   * that depend on the asked ones.
   */
  compare(
    own: Reader,
    source: Source,
    asked: { readonly ids: readonly number[]; readonly areNew?: boolean; readonly range?: Range },
  ): Promise<Correction>;
  /** Null after a sweep has seen every resource since the index was made. */
  findUnseen(own: Reader, source: Source): Promise<Unseen | null>;
}

/** What a sweep has to compare, and how the index remembers that it did. */
export interface Unseen extends Pick<ContentIndex, 'compare'> {
  /** Its entries are of short values, and filters are wrong until all have followed. */
  readonly isShort?: boolean;
  finish(tx: Tx): Promise<void>;
}

export type IndexStore = Pick<Store, 'content' | 'own' | 'prefix' | 'tables'>;

export type Place = number | null;

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
  return { after, upTo: row?.id ?? largestUnsigned };
}

export async function readIds({ reader, prefix }: Source, { after, upTo }: Range): Promise<readonly number[]> {
  const where = { id: { [Op.gt]: after, [Op.lte]: upTo } };
  const rows = await siteContent.on(reader, prefix).findAll({ attributes: ['id'], where });
  return rows.map(({ id }) => id);
}

export function placeAfter({ upTo }: Range): Place {
  return upTo === largestUnsigned ? null : upTo;
}
