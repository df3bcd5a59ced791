/** `hcd banner remove`: remove a banner. */
import { readImages } from '../../src/banners/management/banner-images.js';
import { readBanner } from '../../src/banners/management/read-banners.js';
import { removeBanner } from '../../src/banners/management/update-banner.js';
import { defineSiteCommand } from '../command.js';
import { bannerParameter } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Removes a banner and its links to positions permanently. Its click URLs stop working. The statistics keep its clicks and impressions, and its id is never used again. To only hide a banner, use hcd banner disable.',
  arguments: { id: bannerParameter },
  examples: {
    'banner remove 3': 'Remove a banner',
    'banner remove 3 --yes --json': 'Remove a banner without confirmation',
  },
  destructive: {},
  async run({ id }, deps) {
    await deps.confirm(async () => {
      const { name, clicks } = await readBanner(deps.store, { id, images: await readImages(deps.store, deps.env) });
      return `Remove banner ${id} "${name}" (clicks: ${clicks}) permanently?`;
    });
    const { name } = await removeBanner(deps.store, { id, username: deps.writer });
    return {
      kind: 'done',
      message: `Removed banner ${id} "${name}". Its statistics are kept.`,
      data: { id, removed: true },
    };
  },
});
