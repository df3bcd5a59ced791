/** `hcd banner show`: show a banner. */
import { readImages } from '../../src/banners/management/banner-images.js';
import { readBanner } from '../../src/banners/management/read-banners.js';
import { defineSiteCommand } from '../command.js';
import { bannerParameter, withState } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Shows all fields of a banner, whether it is shown and why not, its positions, its counters over all time and the URL of its image. Times are UTC; show_hours is in the time zone of banners_timezone.',
  arguments: { id: bannerParameter },
  examples: {
    'banner show 3': 'Show a banner',
    'banner show 3 --json': 'Show a banner as JSON',
  },
  async run({ id }, deps) {
    const images = await readImages(deps.store, deps.env);
    const { banners_timezone: zone } = await deps.settings('banners');
    const banner = await readBanner(deps.store, { id, images });
    return { kind: 'record', record: withState(banner, { ms: deps.clock.now(), zone }) };
  },
});
