/** Which banners a position has and in which order, changed by commands. Every change leaves the places 0 to n-1. */

import { AppError, invalidField, type Problems } from '../../errors/app-error.js';
import type { Reader, Tx } from '../../store/base/database.js';
import { links, placeLinks } from '../models/links.js';
import { positions } from '../models/positions.js';
import { type Link, largestWeight } from '../rules/banner.js';
import type { BannerRequest } from '../rules/read-banner-body.js';
import { type WriterName, writeNoted } from './audit.js';
import { type BannerStore, lockBanner, lockPosition } from './banner-store.js';

interface LinkRequest {
  readonly position: number;
  readonly ad: number;
  /** Null = 1 for a new link, unchanged for an existing one. */
  readonly weight: number | null;
  /** Place among the links, from 0; null = at the end, or unchanged. */
  readonly idx: number | null;
  readonly username: WriterName;
}

/** Throws not_found and validation_failed. */
export async function linkBanner(
  { own }: BannerStore,
  request: LinkRequest,
): Promise<{ readonly link: Link; readonly isNew: boolean }> {
  const { position, ad, username } = request;
  checkNumber('weight', request.weight, { from: 1, to: largestWeight });
  checkNumber('idx', request.idx, { from: 0, to: largestWeight });
  return writeNoted({ own, username }, async (tx, note) => {
    await lockBanner(tx, ad);
    const { name } = await lockPosition(tx, position);
    const all = await linksOf(tx, position);
    const before = all.find((link) => link.ad === ad);
    const others = all.filter((link) => link !== before);
    const place = Math.min(request.idx ?? before?.idx ?? others.length, others.length);
    const weight = request.weight ?? before?.weight ?? 1;
    const values = { ad, position, idx: before?.idx ?? all.length, weight };
    const id = before?.id ?? (await links.on(tx).create(values));
    if (before !== undefined && weight !== before.weight) await links.on(tx).update({ weight }, { where: { id } });
    await placeLinks(tx, others.toSpliced(place, 0, { id, ...values }));
    const link = { id, ...values, idx: place };
    await note({ entity: 'position', id: position, label: name, action: 'link', before: before ?? null, after: link });
    return { link, isNew: before === undefined };
  });
}

/** The places stay without gaps. Throws not_found. */
export async function unlinkBanner(
  { own }: BannerStore,
  request: Pick<LinkRequest, 'position' | 'ad' | 'username'>,
): Promise<Link> {
  const { position, ad, username } = request;
  return writeNoted({ own, username }, async (tx, note) => {
    const { name } = await lockPosition(tx, position);
    const link = (await linksOf(tx, position)).find((one) => one.ad === ad);
    if (link === undefined) {
      throw new AppError('not_found', { message: `The position ${position} has no banner ${ad}` });
    }
    await links.on(tx).destroy({ where: { id: link.id } });
    await closeUp(tx, position);
    await note({ entity: 'position', id: position, label: name, action: 'unlink', before: link });
    return link;
  });
}

/** Places the listed banners first, the others after them. Throws not_found and validation_failed. */
export async function orderPosition(
  { own }: BannerStore,
  request: { readonly position: number; readonly ads: readonly number[]; readonly username: WriterName },
): Promise<readonly Link[]> {
  const { position, ads, username } = request;
  return writeNoted({ own, username }, async (tx, note) => {
    const { name } = await lockPosition(tx, position);
    const all = await linksOf(tx, position);
    const byBanner = new Map(all.map((link) => [link.ad, link]));
    const unknown = ads.filter((ad) => !byBanner.has(ad));
    if (unknown.length > 0) throw invalidField('banners', `the position has no banner ${unknown.join(', ')}`);
    if (new Set(ads).size < ads.length) throw invalidField('banners', 'must name every banner once');
    const first = ads.flatMap((ad) => byBanner.get(ad) ?? []);
    const ordered = [...first, ...all.filter((link) => !ads.includes(link.ad))];
    await placeLinks(tx, ordered);
    await note({
      entity: 'position',
      id: position,
      label: name,
      action: 'order',
      before: { banners: all.map(({ ad }) => ad) },
      after: { banners: ordered.map(({ ad }) => ad) },
    });
    return ordered.map((link, idx) => ({ ...link, idx }));
  });
}

function checkNumber(field: string, value: number | null, range: { readonly from: number; readonly to: number }): void {
  if (value === null || (Number.isInteger(value) && value >= range.from && value <= range.to)) return;
  throw invalidField(field, `must be an integer from ${range.from} to ${range.to}`);
}

/** Throws validation_failed with every problem. */
export async function checkRequest(reader: Reader, { positions: ids = [], problems }: BannerRequest): Promise<void> {
  await checkPositions(reader, ids, problems);
  problems.throwIfAny();
}

export async function checkPositions(reader: Reader, ids: readonly number[], problems: Problems): Promise<void> {
  const found = await positions.on(reader).lookUpAll({ id: ids }, { attributes: ['id'] });
  const known = new Set(found.map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) problems.add('positions', positionProblem(unknown));
}

/** To exactly these positions, locked by id, so that no two writers deadlock. Throws validation_failed if one is gone. */
export async function replaceLinks(
  tx: Tx,
  { ad, positions: wanted }: { readonly ad: number; readonly positions: readonly number[] },
): Promise<void> {
  const before = await links.on(tx).lookUpAll({ ad });
  const removed = before.filter(({ position }) => !wanted.includes(position));
  const added = wanted.filter((id) => before.every(({ position }) => position !== id));
  const touched = [...removed.map(({ position }) => position), ...added];
  const held = await positions.on(tx).lookUpAll({ id: touched }, { attributes: ['id'], order: ['id'], lock: true });
  const gone = added.filter((id) => held.every((position) => position.id !== id));
  if (gone.length > 0) throw invalidField('positions', positionProblem(gone), 'validation failed');
  if (removed.length > 0) await links.on(tx).destroy({ where: { id: removed.map(({ id }) => id) } });
  for (const { position } of removed) await closeUp(tx, position);
  for (const position of added) await appendLink(tx, { ad, position, weight: 1 });
}

function positionProblem(ids: readonly number[]): string {
  return ids.length === 1 ? `there is no position ${ids[0]}` : `there are no positions ${ids.join(', ')}`;
}

export async function appendLink(tx: Tx, link: Pick<Link, 'ad' | 'position' | 'weight'>): Promise<void> {
  const last = await links.on(tx).max('idx', { where: { position: link.position } });
  await links.on(tx).create({ ...link, idx: (last ?? -1) + 1 });
}

async function closeUp(tx: Tx, position: number): Promise<void> {
  await placeLinks(tx, await linksOf(tx, position));
}

export function linksOf(reader: Reader, position: number): Promise<Link[]> {
  return links.on(reader).lookUpAll({ position }, { order: ['idx', 'id'] });
}

export async function positionsOf(reader: Reader, ad: number): Promise<readonly number[]> {
  const found = await links.on(reader).lookUpAll({ ad }, { attributes: ['position'], order: ['position'] });
  return found.map(({ position }) => position);
}
