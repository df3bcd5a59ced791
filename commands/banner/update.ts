/** `hcd banner update ID`: changes fields of a banner. */
import { updateBanner } from '../../src/banners/management/update-banner.js';
import { defineCommand } from '../command.js';
import { usageError } from '../usage-error.js';
import { bodyOf, writeParameters } from './field-flags.js';
import { bannerJson, bannerParameter, shownFields, username } from './shared.js';

export const command = defineCommand({
  path: 'banner update',
  summary: 'Update a banner',
  description:
    'Changes the given fields of a banner and keeps the others. --positions replaces the whole list: links to positions that stay in the list keep their place and weight, and an empty value removes all links. Use null to clear a time, the hours, the description or the html, and 0 to clear an id or a limit.',
  arguments: { id: bannerParameter },
  options: { ...writeParameters },
  examples: [
    {
      line: 'banner update 3 --end 2026-12-31T23:59:59Z --max-clicks 500',
      does: 'End a banner on a date or after 500 clicks',
    },
    { line: 'banner update 3 --positions 1,4 --json', does: 'Move a banner to other positions and print it as JSON' },
  ],
  async run(flags, deps) {
    const { id } = flags;
    const body = await bodyOf(flags, deps);
    if (Object.keys(body).length === 0) {
      throw usageError({ '--data': 'is required when no field is given' });
    }
    const banner = await updateBanner(await deps.openReady(), { id, body, username });
    return { kind: 'record', record: bannerJson(banner), fields: shownFields };
  },
});
