/** `hcd banner remove ID`: a banner that is needed no more. */
import { readImages } from '../../src/banners/management/banner-images.js';
import { readBanner } from '../../src/banners/management/read-banners.js';
import { removeBanner } from '../../src/banners/management/update-banner.js';
import { defineCommand } from '../command.js';
import { confirmChange } from '../confirm.js';
import { openReady } from '../store/open-ready.js';
import { bannerParameter, username } from './parameters.js';

export const command = defineCommand({
  path: 'banner remove',
  summary: 'Remove a banner',
  description:
    'Removes a banner and its links to positions for good; its click addresses lead nowhere then. Statistics keep its clicks and impressions, and its id is never given again. hcd banner disable only hides it.',
  arguments: { id: bannerParameter },
  options: {},
  examples: [
    { line: 'banner remove 3', does: 'Remove a banner' },
    { line: 'banner remove 3 --yes --json', does: 'The same, from a script' },
  ],
  destructive: {},
  async run({ id }, deps) {
    const store = await openReady(deps);
    if (deps.prompt.isInteractive) {
      const { name, clicks } = await readBanner(store, { id, images: await readImages(store, deps.env) });
      await confirmChange(deps, `Remove banner ${id} "${name}" (clicks: ${clicks}) for good?`);
    }
    const { name } = await removeBanner(store, { id, username });
    return {
      kind: 'done',
      message: `Removed banner ${id} "${name}". Its statistics stay.`,
      data: { id, removed: true },
    };
  },
});
