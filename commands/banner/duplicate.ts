/** `hcd banner duplicate ID`: a banner like another one. */
import { duplicateBanner } from '../../src/banners/management/create-banner.js';
import { defineCommand } from '../command.js';
import { toggle } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { bannerJson, shownFields } from './banner-json.js';
import { bannerParameter, username } from './parameters.js';

export const command = defineCommand({
  path: 'banner duplicate',
  summary: 'Copy a banner',
  description:
    'Makes a banner with the values of another one and "(copy)" behind its name, at the same positions with the same weights, behind the banners that are there. Counters begin at nothing. With --disabled the copy is switched off, so that it can be changed before anybody sees it.',
  arguments: { id: bannerParameter },
  options: { disabled: toggle('Switch the copy off') },
  examples: [
    { line: 'banner duplicate 3 --disabled', does: 'Begin a variant of a banner' },
    { line: 'banner duplicate 3 --json', does: 'Copy a banner and read the copy, from a script' },
  ],
  async run({ id, disabled }, deps) {
    const banner = await duplicateBanner(await openReady(deps), { id, isDisabled: disabled, username });
    return { kind: 'record', record: bannerJson(banner), fields: shownFields };
  },
});
