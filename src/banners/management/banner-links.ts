/** Changes links inside a transaction. Positions are locked in the order of their ids, so no two writers deadlock. */
import type { Reader, Tx } from '../../store/base/database.js';
import { links, placeLinks } from '../models/links.js';
import { positions } from '../models/positions.js';
import type { Link } from '../rules/banner.js';

export async function unknownPositions(reader: Reader, ids: readonly number[]): Promise<readonly number[]> {
  const found = await positions.on(reader).lookUpAll({ id: ids }, { attributes: ['id'] });
  const known = new Set(found.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

/** Links the banner to exactly these positions, new links last. Returns the ids of positions that no longer exist. */
export async function replaceLinks(
  tx: Tx,
  { ad, positions: wanted }: { readonly ad: number; readonly positions: readonly number[] },
): Promise<readonly number[]> {
  const before = await links.on(tx).lookUpAll({ ad });
  const removed = before.filter(({ position }) => !wanted.includes(position));
  const added = wanted.filter((id) => before.every(({ position }) => position !== id));
  const touched = [...removed.map(({ position }) => position), ...added];
  const held = await positions.on(tx).lookUpAll({ id: touched }, { attributes: ['id'], order: ['id'], lock: true });
  const gone = added.filter((id) => held.every((position) => position.id !== id));
  if (gone.length > 0) return gone;
  if (removed.length > 0) await links.on(tx).destroy({ where: { id: removed.map(({ id }) => id) } });
  for (const { position } of removed) await closeUp(tx, position);
  for (const position of added) await appendLink(tx, { ad, position, weight: 1 });
  return [];
}

export async function appendLink(tx: Tx, link: Pick<Link, 'ad' | 'position' | 'weight'>): Promise<void> {
  const last = await links.on(tx).max('idx', { where: { position: link.position } });
  await links.on(tx).create({ ...link, idx: (last ?? -1) + 1 });
}

export async function closeUp(tx: Tx, position: number): Promise<void> {
  await placeLinks(tx, await linksOf(tx, position));
}

export function linksOf(reader: Reader, position: number): Promise<Link[]> {
  return links.on(reader).lookUpAll({ position }, { order: ['idx', 'id'] });
}

export async function positionsOf(reader: Reader, ad: number): Promise<readonly number[]> {
  const found = await links.on(reader).lookUpAll({ ad }, { attributes: ['position'], order: ['position'] });
  return found.map(({ position }) => position);
}
