/** Shared by the use cases of banners: their store, and a banner or a position that a transaction has locked. */
import type { Asker } from '../../clock/fair-queue.js';
import { AppError } from '../../errors/app-error.js';
import { type Database, readAs, type Tx } from '../../store/base/database.js';
import { ads, bannerAttributes } from '../models/ads.js';
import { positionAttributes, positions } from '../models/positions.js';
import type { Position } from '../rules/banner.js';
import type { Banner } from '../rules/banner-fields.js';

export interface BannerStore {
  readonly own: Pick<Database, 'primary' | 'write'>;
}

export function bannerStoreFor({ own }: BannerStore, asker: Asker): BannerStore {
  return { own: { primary: readAs(own.primary, asker), write: (work, options) => own.write(work, options) } };
}

/** Throws not_found. */
export async function lockBanner(tx: Tx, id: number): Promise<Banner> {
  const [banner] = await ads.on(tx).lookUpAll({ id }, { attributes: bannerAttributes, lock: true });
  if (banner === undefined) throw noBanner(id);
  return banner;
}

/** Until the transaction ends, others cannot change the position or its links. Throws not_found. */
export async function lockPosition(tx: Tx, id: number): Promise<Position> {
  const [position] = await positions.on(tx).lookUpAll({ id }, { attributes: positionAttributes, lock: true });
  if (position === undefined) throw noPosition(id);
  return position;
}

export function noBanner(id: number): AppError {
  return new AppError('not_found', { message: `There is no banner ${id}` });
}

export function noPosition(given: number | string): AppError {
  return new AppError('not_found', { message: `There is no position ${given}` });
}
