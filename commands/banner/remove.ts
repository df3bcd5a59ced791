/** `hcd banner remove ID`: removes a banner. */
import { readImages } from '../../src/banners/management/banner-images.js';
import { readBanner } from '../../src/banners/management/read-banners.js';
import { removeBanner } from '../../src/banners/management/update-banner.js';
import { defineCommand } from '../command.js';
import { confirmChange } from '../confirm.js';
import { bannerParameter, username } from './shared.js';

export const command = defineCommand({
  path: 'banner remove',
  summary: 'Remove a banner',
  description:
    'Removes a banner and its links to positions permanently. Its click URLs stop working. The statistics keep its clicks and impressions, and its id is never used again. To only hide a banner, use hcd banner disable.',
  arguments: { id: bannerParameter },
  options: {},
  examples: [
    { line: 'banner remove 3', does: 'Remove a banner' },
    { line: 'banner remove 3 --yes --json', does: 'Remove a banner without confirmation' },
  ],
  destructive: {},
  async run({ id }, deps) {
    const store = await deps.openReady();
    if (deps.prompt.isInteractive) {
      const { name, clicks } = await readBanner(store, { id, images: await readImages(store, deps.env) });
      await confirmChange(deps, `Remove banner ${id} "${name}" (clicks: ${clicks}) permanently?`);
    }
    const { name } = await removeBanner(store, { id, username });
    return {
      kind: 'done',
      message: `Removed banner ${id} "${name}". Its statistics are kept.`,
      data: { id, removed: true },
    };
  },
});
