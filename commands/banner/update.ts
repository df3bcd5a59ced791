/** `hcd banner update`: update a banner. */
import { updateBanner } from '../../src/banners/management/update-banner.js';
import { defineCommand } from '../command.js';
import { checkChanges } from '../whole-object.js';
import { bannerParameter, decodeJson, shownFields } from './shared.js';
import { bodyOf, writeParameters } from './write.js';

export const command = defineCommand({
  description:
    'Changes the given fields of a banner and keeps the others. --positions replaces the whole list: links to positions that stay in the list keep their place and weight, and an empty value removes all links. Use null to clear a time, the hours, the description or the html, and 0 to clear an id or a limit.',
  arguments: { id: bannerParameter },
  options: { ...writeParameters },
  examples: {
    'banner update 3 --end 2026-12-31T23:59:59Z --max-clicks 500': 'End a banner on a date or after 500 clicks',
    'banner update 3 --positions 1,4 --json': 'Move a banner to other positions and print it as JSON',
  },
  async run(flags, deps) {
    const body = await bodyOf(flags, deps);
    checkChanges(body);
    const { store } = await deps.openSite();
    const banner = await updateBanner(store, { id: flags.id, body, username: deps.writer });
    return { kind: 'record', record: decodeJson(banner), fields: shownFields };
  },
});
