/** What the management routes need, and the parts that their rows share. */
import type { Settings } from '../../config/setting-definitions.js';
import type { Call, ParameterDoc } from '../../http/interface/endpoint.js';
import type { ImageAddress } from '../management/banner-images.js';
import type { BannerStore } from '../management/banner-store.js';
import { largestId } from './query.js';

export interface ManagementDeps {
  readonly store: BannerStore;
  /** Addresses of images by the settings of this moment. */
  readonly images: () => ImageAddress;
  readonly settings: () => Pick<Settings, 'banners_timezone' | 'banners_public_url'>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Scopes of this API: the key has all, a key that may only read has the first. */
export const readScope = 'banners';
export const writeScope = 'banners.write';

/** Of a path with `:id`. */
export const idParameter: ParameterDoc = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Id of the record.',
  schema: { type: 'integer', minimum: 1, maximum: largestId },
  example: '1',
};

/** A text that is no id names nothing. */
export function hasId({ id }: Readonly<Record<string, string>>): boolean {
  return id !== undefined && /^[1-9]\d{0,9}$/.test(id) && Number(id) <= largestId;
}

/** The id of the path, which `hasId` has seen. */
export function idOf(call: Call): number {
  return Number(call.params['id']);
}
