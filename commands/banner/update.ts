/** `hcd banner update ID`: other values for a banner. */
import { updateBanner } from '../../src/banners/management/update-banner.js';
import { defineCommand } from '../command.js';
import { openReady } from '../store/open-ready.js';
import { usageError } from '../usage-error.js';
import { bannerJson, shownFields } from './banner-json.js';
import { bodyOf, writeParameters } from './field-flags.js';
import { bannerParameter, username } from './parameters.js';

export const command = defineCommand({
  path: 'banner update',
  summary: 'Change a banner',
  description:
    'Changes the given fields of a banner; the others stay. --positions is the whole new list: links whose position stays in it keep their place and weight, and an empty text removes them all. null takes away a time, the hours, the description or the html; 0 takes away an id or a limit.',
  arguments: { id: bannerParameter },
  options: { ...writeParameters },
  examples: [
    {
      line: 'banner update 3 --end 2026-12-31T23:59:59Z --max-clicks 500',
      does: 'End a banner with the year, or sooner',
    },
    { line: 'banner update 3 --positions 1,4 --json', does: 'Show it elsewhere, from a script' },
  ],
  async run(flags, deps) {
    const { id } = flags;
    const body = await bodyOf(flags, deps);
    if (Object.keys(body).length === 0) {
      throw usageError({ '--data': 'is required when no field is given: there is nothing to change' });
    }
    const banner = await updateBanner(await openReady(deps), { id, body, username });
    return { kind: 'record', record: bannerJson(banner), fields: shownFields };
  },
});
