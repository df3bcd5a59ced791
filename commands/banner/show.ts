/** `hcd banner show ID`: one banner with its counters. */
import { readImages } from '../../src/banners/management/banner-images.js';
import { readBanner } from '../../src/banners/management/read-banners.js';
import { defineCommand } from '../command.js';
import { openReady } from '../store/open-ready.js';
import { bannerJson } from './banner-json.js';
import { bannerParameter } from './parameters.js';

export const command = defineCommand({
  path: 'banner show',
  summary: 'Show a banner',
  description:
    'Shows every field of a banner, its positions, what visitors did with it over all time, and the address of its image. Times are UTC; show_hours are by the clocks of banners_timezone.',
  arguments: { id: bannerParameter },
  options: {},
  examples: [
    { line: 'banner show 3', does: 'Show a banner' },
    { line: 'banner show 3 --json', does: 'Read it, for a script' },
  ],
  async run({ id }, deps) {
    const store = await openReady(deps);
    const images = await readImages(store, deps.env);
    return { kind: 'record', record: bannerJson(await readBanner(store, { id, images })) };
  },
});
