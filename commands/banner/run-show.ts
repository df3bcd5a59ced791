/** Reads a banner for `hcd banner show`. */
import { readImages } from '../../src/banners/management/banner-images.js';
import { readBanner } from '../../src/banners/management/read-banners.js';
import type { Deps } from '../deps.js';
import type { RecordResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { bannerJson } from './banner-json.js';

export async function runShow({ id }: { readonly id: number }, deps: Deps): Promise<RecordResult> {
  const store = await openReady(deps);
  const images = await readImages(store, deps.env);
  return { kind: 'record', record: bannerJson(await readBanner(store, { id, images })) };
}
