/** Rows of `hcd_ad_links`: which banner is shown at which position, at which place there, and how often. */
import type { RawRow, Reader, Statement, Tx } from '../../store/base/database.js';
import { type AdRow, adColumnCount, adColumns, decodeAd } from './ads.js';

export interface AdLinkRow {
  readonly id: number;
  readonly ad: number;
  readonly position: number;
  readonly idx: number;
  readonly weight: number;
}

export interface LinkedAdRow {
  readonly ad: AdRow;
  readonly link: AdLinkRow;
}

const columns = '`id`, `ad`, `position`, `idx`, `weight`';
/** Links whose places one statement sets. */
const together = 200;

/** Links of the banners, in order of banner and position. */
export async function readLinksOfAds(reader: Reader, ads: readonly number[]): Promise<AdLinkRow[]> {
  if (ads.length === 0) return [];
  return selectLinks(reader, {
    sql: `SELECT ${columns} FROM \`hcd_ad_links\` WHERE \`ad\` IN (${ads.map(() => '?').join(', ')}) ORDER BY \`ad\`, \`position\``,
    params: [...ads],
  });
}

/** Links of a position in their order. */
export async function readLinksOfPosition(reader: Reader, position: number): Promise<AdLinkRow[]> {
  return selectLinks(reader, {
    sql: `SELECT ${columns} FROM \`hcd_ad_links\` WHERE \`position\` = ? ORDER BY \`idx\`, \`id\``,
    params: [position],
  });
}

/** The last place that a link of the position has; null without links. */
export async function lastPlace(reader: Reader, position: number): Promise<number | null> {
  const rows = await reader.select({
    sql: 'SELECT MAX(`idx`) FROM `hcd_ad_links` WHERE `position` = ?',
    params: [position],
  });
  const [last] = rows[0] ?? [];
  return last === null || last === undefined ? null : Number(last);
}

/** How many banners each of the positions has; none of one without any. */
export async function countLinks(reader: Reader, positions: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (positions.length === 0) return new Map();
  const rows = await reader.select({
    sql: `SELECT \`position\`, COUNT(*) FROM \`hcd_ad_links\` WHERE \`position\` IN (${positions.map(() => '?').join(', ')}) GROUP BY \`position\``,
    params: [...positions],
  });
  return new Map(rows.map(([position, count]) => [Number(position), Number(count)]));
}

/** Banners of a position in its order, with their links. */
export async function readAdsOfPosition(
  reader: Reader,
  page: { readonly position: number; readonly limit: number; readonly offset: number },
): Promise<LinkedAdRow[]> {
  const linkColumns = columns.replaceAll(/`\w+`/g, '`l`.$&');
  const rows = await reader.select({
    sql: `SELECT ${adColumns('a')}, ${linkColumns} FROM \`hcd_ad_links\` AS \`l\` JOIN \`hcd_ads\` AS \`a\` ON \`a\`.\`id\` = \`l\`.\`ad\` WHERE \`l\`.\`position\` = ? ORDER BY \`l\`.\`idx\`, \`l\`.\`id\` LIMIT ? OFFSET ?`,
    params: [page.position, page.limit, page.offset],
  });
  return rows.map((row) => ({ ad: decodeAd(row), link: decode(row.slice(adColumnCount)) }));
}

/** Adds a link and gives its id. */
export async function insertLink(tx: Tx, link: Omit<AdLinkRow, 'id'>): Promise<number> {
  const { lastId } = await tx.run({
    sql: 'INSERT INTO `hcd_ad_links` (`ad`, `position`, `idx`, `weight`) VALUES (?, ?, ?, ?)',
    params: [link.ad, link.position, link.idx, link.weight],
  });
  return lastId;
}

export async function setLinkWeight(tx: Tx, id: number, weight: number): Promise<void> {
  await tx.run({ sql: 'UPDATE `hcd_ad_links` SET `weight` = ? WHERE `id` = ?', params: [weight, id] });
}

export async function deleteLinks(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.run({
    sql: `DELETE FROM \`hcd_ad_links\` WHERE \`id\` IN (${ids.map(() => '?').join(', ')})`,
    params: [...ids],
  });
}

/** Gives the links the places 0, 1, 2 … in the order of the list; those that have theirs already are left alone. */
export async function placeLinks(tx: Tx, links: readonly Pick<AdLinkRow, 'id' | 'idx'>[]): Promise<void> {
  const moved = links.map(({ id, idx }, place) => ({ id, idx, place })).filter(({ idx, place }) => idx !== place);
  while (moved.length > 0) {
    const some = moved.splice(0, together);
    await tx.run({
      sql: `UPDATE \`hcd_ad_links\` SET \`idx\` = CASE \`id\` ${some.map(() => 'WHEN ? THEN ?').join(' ')} ELSE \`idx\` END WHERE \`id\` IN (${some.map(() => '?').join(', ')})`,
      params: [...some.flatMap(({ id, place }) => [id, place]), ...some.map(({ id }) => id)],
    });
  }
}

async function selectLinks(reader: Reader, statement: Statement): Promise<AdLinkRow[]> {
  return (await reader.select(statement)).map(decode);
}

function decode([id, ad, position, idx, weight]: RawRow): AdLinkRow {
  return {
    id: Number(id),
    ad: Number(ad),
    position: Number(position),
    idx: Number(idx),
    weight: Number(weight),
  };
}
