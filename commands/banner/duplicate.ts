/** `hcd banner duplicate ID`: copies a banner. */
import { duplicateBanner } from '../../src/banners/management/create-banner.js';
import { defineCommand } from '../command.js';
import { toggle } from '../parameters.js';
import { bannerJson, bannerParameter, shownFields, username } from './shared.js';

export const command = defineCommand({
  path: 'banner duplicate',
  summary: 'Duplicate a banner',
  description:
    'Creates a copy of a banner, with "(copy)" added to its name. The copy is linked to the same positions with the same weights, after their other banners. Counters start at zero.',
  arguments: { id: bannerParameter },
  options: { disabled: toggle('Create an inactive copy') },
  examples: [
    { line: 'banner duplicate 3 --disabled', does: 'Create an inactive copy to edit' },
    { line: 'banner duplicate 3 --json', does: 'Duplicate a banner and print the copy as JSON' },
  ],
  async run({ id, disabled }, deps) {
    const banner = await duplicateBanner(await deps.openReady(), { id, isDisabled: disabled, username });
    return { kind: 'record', record: bannerJson(banner), fields: shownFields };
  },
});
