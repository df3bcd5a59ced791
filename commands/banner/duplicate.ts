/** `hcd banner duplicate`: duplicate a banner. */
import { duplicateBanner } from '../../src/banners/management/create-banner.js';
import { defineSiteCommand } from '../command.js';
import { toggle } from '../parameters.js';
import { bannerParameter, decodeJson, shownFields } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Creates a copy of a banner, with "(copy)" added to its name. The copy is linked to the same positions with the same weights, after their other banners. Counters start at zero.',
  arguments: { id: bannerParameter },
  options: { disabled: toggle('Create an inactive copy') },
  examples: {
    'banner duplicate 3 --disabled': 'Create an inactive copy to edit',
    'banner duplicate 3 --json': 'Duplicate a banner and print the copy as JSON',
  },
  async run({ id, disabled }, deps) {
    const banner = await duplicateBanner(deps.store, { id, isDisabled: disabled, username: deps.writer });
    return { kind: 'record', record: decodeJson(banner), fields: shownFields };
  },
});
