/** `hcd preset list`: values that banners start with. */
import { listPresets } from '../../src/banners/management/presets.js';
import { defaultLimit, partParameters } from '../banner/parameters.js';
import { defineCommand } from '../command.js';
import { openReady } from '../store/open-ready.js';
import { presetRecord } from './preset-record.js';

export const command = defineCommand({
  path: 'preset list',
  summary: 'List presets of banners',
  description:
    'Lists the presets, which GET /templates of the banner API shows too: name, type, the template that a page shows them with, and the fields that they set. With --json the values are there.',
  arguments: {},
  options: { ...partParameters },
  examples: [
    { line: 'preset list', does: 'Show all presets' },
    { line: 'preset list --json', does: 'Read them with their values, for a script' },
  ],
  async run({ limit = defaultLimit, offset = 0 }, deps) {
    const { presets, total } = await listPresets(await openReady(deps), { limit, offset });
    const isSilentlyCut = offset + presets.length < total && !deps.flags.json && !deps.io.stdout.isTerminal;
    return {
      kind: 'list',
      columns: ['id', 'name', 'type', 'tpl', 'fields'],
      rows: presets.map(presetRecord),
      total,
      empty: 'There is no preset. Make one: hcd preset add NAME',
      notes: isSilentlyCut ? [`${presets.length} of ${total} shown.`] : [],
    };
  },
});
