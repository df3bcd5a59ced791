/** `hcd preset list`: the presets. */
import { listPresets } from '../../src/banners/management/presets.js';
import { defaultLimit, partParameters } from '../banner/parameters.js';
import { defineCommand } from '../command.js';
import { openReady } from '../store/open-ready.js';
import { presetRecord } from './preset-record.js';

export const command = defineCommand({
  path: 'preset list',
  summary: 'List banner presets',
  description:
    'Lists presets with their name, type, template and the fields that they set. --json also has the values. GET /templates of the banner API lists the same presets.',
  arguments: {},
  options: { ...partParameters },
  examples: [
    { line: 'preset list', does: 'List all presets' },
    { line: 'preset list --json', does: 'List all presets with their values, as JSON' },
  ],
  async run({ limit = defaultLimit, offset = 0 }, deps) {
    const { presets, total } = await listPresets(await openReady(deps), { limit, offset });
    const isSilentlyCut = offset + presets.length < total && !deps.flags.json && !deps.io.stdout.isTerminal;
    return {
      kind: 'list',
      columns: ['id', 'name', 'type', 'tpl', 'fields'],
      rows: presets.map(presetRecord),
      total,
      empty: 'No presets. Add one: hcd preset add NAME',
      notes: isSilentlyCut ? [`${presets.length} of ${total} shown.`] : [],
    };
  },
});
