/**
 * Links of banners to positions, changed inside a transaction. Whoever changes links of a position holds its row, so
 * that two who add at once get places of their own; positions are always taken in the order of their ids.
 */
import type { Reader, Tx } from '../../store/base/database.js';
import {
  type AdLinkRow,
  deleteLinks,
  insertLink,
  lastPlace,
  placeLinks,
  readLinksOfAds,
  readLinksOfPosition,
} from '../rows/ad-links.js';
import { lockAdPositions, readAdPositionsById } from '../rows/ad-positions.js';

/** The ids for which there is no position. */
export async function unknownPositions(reader: Reader, ids: readonly number[]): Promise<readonly number[]> {
  const known = new Set((await readAdPositionsById(reader, ids)).map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

/**
 * Makes the list of positions the banner's own: links that stay keep id, place and weight, new ones go to the end, and
 * the others close up where one is taken away. Gives the ids of positions that are gone by now.
 */
export async function replaceLinks(
  tx: Tx,
  { ad, positions }: { readonly ad: number; readonly positions: readonly number[] },
): Promise<readonly number[]> {
  const before = await readLinksOfAds(tx, [ad]);
  const wanted = new Set(positions);
  const kept = new Set(before.map(({ position }) => position));
  const removed = before.filter(({ position }) => !wanted.has(position));
  const added = positions.filter((position) => !kept.has(position));
  const touched = [...removed.map(({ position }) => position), ...added].sort((a, b) => a - b);
  const there = new Set((await lockAdPositions(tx, touched)).map(({ id }) => id));
  const gone = added.filter((position) => !there.has(position));
  if (gone.length > 0) return gone;
  await deleteLinks(
    tx,
    removed.map(({ id }) => id),
  );
  for (const { position } of removed) await closeUp(tx, position);
  for (const position of added) await appendLink(tx, { ad, position, weight: 1 });
  return [];
}

/** Adds a link behind the others of its position, which must be held. */
export async function appendLink(tx: Tx, link: Pick<AdLinkRow, 'ad' | 'position' | 'weight'>): Promise<AdLinkRow> {
  const last = await lastPlace(tx, link.position);
  const placed = { ...link, idx: last === null ? 0 : last + 1 };
  return { id: await insertLink(tx, placed), ...placed };
}

/** Gives the links of a position, which must be held, the places from 0 on without gaps. */
export async function closeUp(tx: Tx, position: number): Promise<void> {
  await placeLinks(tx, await readLinksOfPosition(tx, position));
}

/** Ids of the positions of one banner, ascending. */
export async function positionsOf(reader: Reader, ad: number): Promise<readonly number[]> {
  return (await readLinksOfAds(reader, [ad])).map(({ position }) => position);
}
