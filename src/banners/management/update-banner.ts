/** Changes a banner: its fields and positions, whether it is active, or its being there at all. */

import { AppError, invalidField } from '../../errors/app-error.js';
import type { Reader } from '../../store/base/database.js';
import { type AdRow, deleteAd, lockAd, readAd, updateAd } from '../rows/ads.js';
import type { Banner, BannerValues } from '../rules/banner.js';
import { bannerRecord, valuesRecord } from '../rules/banner-record.js';
import { mergeBanner, readBannerBody } from '../rules/read-banner-body.js';
import { positionsOf, replaceLinks, unknownPositions } from './banner-links.js';
import type { BannerStore } from './banner-store.js';
import { noBanner, positionProblem, type WrittenBanner } from './create-banner.js';
import { type WriterName, writeNoted } from './note-write.js';
import { bannerOf, rowOf } from './stored-banner.js';

export interface BannerUpdate {
  readonly id: number;
  /** The fields to change. `positions` is the whole new list; absent leaves the links as they are. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly username: WriterName;
}

/** Throws not_found, and validation_failed with every problem of the body beside the stored values. */
export async function updateBanner({ own }: BannerStore, update: BannerUpdate): Promise<WrittenBanner> {
  const { id, body, username } = update;
  // What is wrong in itself is told without taking the turn of those who write.
  if (readBannerBody(body).problems.any) await planUpdate(own.primary, await readAd(own.primary, id), update);
  return writeNoted(own, async (tx, note) => {
    const plan = await planUpdate(tx, await lockAd(tx, id), update);
    const positionsBefore = await positionsOf(tx, id);
    await updateAd(tx, id, rowOf(plan.values));
    const gone = plan.positions === undefined ? [] : await replaceLinks(tx, { ad: id, positions: plan.positions });
    // Removed since they were looked at in this transaction.
    if (gone.length > 0) throw invalidField('positions', positionProblem(gone), 'validation failed');
    const positions = plan.positions === undefined ? positionsBefore : [...plan.positions].sort((a, b) => a - b);
    await note({
      entity: 'ad',
      id,
      label: plan.values.name,
      action: 'update',
      username,
      before: { ...valuesRecord(plan.before), positions: positionsBefore },
      after: { ...valuesRecord(plan.values), positions },
    });
    return { ...bannerRecord({ id, ...plan.values }), positions };
  });
}

/** Switches a banner on or off; what is so already is no write. Throws not_found. */
export async function switchBanner(
  { own }: BannerStore,
  asked: { readonly id: number; readonly active: boolean; readonly username: WriterName },
): Promise<{ readonly banner: WrittenBanner; readonly wasSo: boolean }> {
  const { id, username } = asked;
  const active = asked.active ? 1 : 0;
  return writeNoted(own, async (tx, note) => {
    const row = await lockAd(tx, id);
    if (row === null) throw noBanner(id);
    const before = bannerOf(row);
    const after = { ...before, active } as const;
    const banner = { ...bannerRecord(after), positions: await positionsOf(tx, id) };
    if (before.active === active) return { banner, wasSo: true };
    const { id: _id, ...values } = after;
    await updateAd(tx, id, rowOf(values));
    const action = asked.active ? 'enable' : 'disable';
    await note({
      entity: 'ad',
      id,
      label: before.name,
      action,
      username,
      before: { active: before.active },
      after: { active },
    });
    return { banner, wasSo: false };
  });
}

/** Removes a banner and its links; its clicks, impressions and sums stay. Throws not_found. */
export async function removeBanner(
  { own }: BannerStore,
  { id, username }: { readonly id: number; readonly username: WriterName },
): Promise<WrittenBanner> {
  return writeNoted(own, async (tx, note) => {
    const row = await lockAd(tx, id);
    if (row === null) throw noBanner(id);
    const record = { ...bannerRecord(bannerOf(row)), positions: await positionsOf(tx, id) };
    await replaceLinks(tx, { ad: id, positions: [] });
    await deleteAd(tx, id);
    const { id: _id, ...before } = record;
    await note({ entity: 'ad', id, label: row.name, action: 'delete', username, before, after: null });
    return record;
  });
}

interface Plan {
  readonly before: Banner;
  readonly values: BannerValues;
  readonly positions: readonly number[] | undefined;
}

async function planUpdate(reader: Reader, row: AdRow | null, { id, body }: BannerUpdate): Promise<Plan> {
  if (row === null) throw noBanner(id);
  const before = bannerOf(row);
  const { id: _id, ...stored } = before;
  const request = readBannerBody(body);
  const values = mergeBanner(stored, request);
  const { positions } = request;
  const unknown = positions === undefined ? [] : await unknownPositions(reader, positions);
  if (unknown.length > 0) request.problems.add('positions', positionProblem(unknown));
  request.problems.throwIfAny();
  // Without problems there are values.
  if (values === null) throw new AppError('internal_error');
  return { before, values, positions };
}
