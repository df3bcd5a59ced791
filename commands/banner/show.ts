/** `hcd banner show ID`: one banner with its counters. */
import { readImages } from '../../src/banners/management/banner-images.js';
import { readBanner } from '../../src/banners/management/read-banners.js';
import { defineCommand } from '../command.js';
import { bannerJson, bannerParameter } from './shared.js';

export const command = defineCommand({
  path: 'banner show',
  summary: 'Show a banner',
  description:
    'Shows all fields of a banner, its positions, its counters over all time and the URL of its image. Times are UTC; show_hours is in the time zone of banners_timezone.',
  arguments: { id: bannerParameter },
  options: {},
  examples: [
    { line: 'banner show 3', does: 'Show a banner' },
    { line: 'banner show 3 --json', does: 'Show a banner as JSON' },
  ],
  async run({ id }, deps) {
    const store = await deps.openReady();
    const images = await readImages(store, deps.env);
    return { kind: 'record', record: bannerJson(await readBanner(store, { id, images })) };
  },
});
