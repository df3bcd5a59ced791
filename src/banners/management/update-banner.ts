/** Changes a banner: its fields and positions, or whether it is active; and removes one. */

import type { Reader } from '../../store/base/database.js';
import { ads, changeBanner, findBanner } from '../models/ads.js';
import { type Banner, type BannerValues, bannerRecord, valuesRecord } from '../rules/banner-fields.js';
import { mergeBanner, readBannerBody } from '../rules/read-banner-body.js';
import { type WriterName, writeNoted } from './audit.js';
import { type BannerStore, lockBanner, noBanner } from './banner-store.js';
import type { WrittenBanner } from './create-banner.js';
import { checkRequest, positionsOf, replaceLinks } from './position-links.js';

interface BannerUpdate {
  readonly id: number;
  /** `positions` is the whole new list; absent leaves the links as they are. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly username: WriterName;
}

/** Validates the body together with the stored values. Throws not_found, and validation_failed with every problem. */
export async function updateBanner({ own }: BannerStore, update: BannerUpdate): Promise<WrittenBanner> {
  const { id, body, username } = update;
  // A body with problems of its own is refused without a write transaction.
  if (readBannerBody(body).problems.any) {
    const banner = await findBanner(own.primary, id);
    if (banner === null) throw noBanner(id);
    await planUpdate(own.primary, banner, body);
  }
  return writeNoted({ own, username }, async (tx, note) => {
    const plan = await planUpdate(tx, await lockBanner(tx, id), body);
    const positionsBefore = await positionsOf(tx, id);
    await changeBanner(tx, { id, ...plan.values });
    if (plan.positions !== undefined) await replaceLinks(tx, { ad: id, positions: plan.positions });
    const positions = plan.positions === undefined ? positionsBefore : [...plan.positions].sort((a, b) => a - b);
    await note({
      entity: 'ad',
      id,
      label: plan.values.name,
      action: 'update',
      before: { ...valuesRecord(plan.before), positions: positionsBefore },
      after: { ...valuesRecord(plan.values), positions },
    });
    return { ...bannerRecord({ id, ...plan.values }), positions };
  });
}

/** `wasSo`: nothing is written, because it already was on or off. Throws not_found. */
export async function switchBanner(
  { own }: BannerStore,
  asked: { readonly id: number; readonly active: boolean; readonly username: WriterName },
): Promise<{ readonly banner: WrittenBanner; readonly wasSo: boolean }> {
  const { id, username } = asked;
  const active = asked.active ? 1 : 0;
  return writeNoted({ own, username }, async (tx, note) => {
    const before = await lockBanner(tx, id);
    const after = { ...before, active } as const;
    const banner = { ...bannerRecord(after), positions: await positionsOf(tx, id) };
    if (before.active === active) return { banner, wasSo: true };
    await changeBanner(tx, after);
    const action = asked.active ? 'enable' : 'disable';
    const [was, is] = [{ active: before.active }, { active }];
    await note({ entity: 'ad', id, label: before.name, action, before: was, after: is });
    return { banner, wasSo: false };
  });
}

/** Clicks, impressions and sums of the banner stay. Throws not_found. */
export async function removeBanner(
  { own }: BannerStore,
  { id, username }: { readonly id: number; readonly username: WriterName },
): Promise<WrittenBanner> {
  return writeNoted({ own, username }, async (tx, note) => {
    const banner = await lockBanner(tx, id);
    const record = { ...bannerRecord(banner), positions: await positionsOf(tx, id) };
    await replaceLinks(tx, { ad: id, positions: [] });
    await ads.on(tx).destroy({ where: { id } });
    const { id: _id, ...before } = record;
    await note({ entity: 'ad', id, label: banner.name, action: 'delete', before });
    return record;
  });
}

interface Plan {
  readonly before: Banner;
  readonly values: BannerValues;
  readonly positions: readonly number[] | undefined;
}

async function planUpdate(reader: Reader, before: Banner, body: BannerUpdate['body']): Promise<Plan> {
  const { id: _id, ...stored } = before;
  const request = readBannerBody(body);
  const values = mergeBanner(stored, request);
  await checkRequest(reader, request);
  return { before, values, positions: request.positions };
}
