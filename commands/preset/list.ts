/** `hcd preset list`: the presets. */
import { listPresets } from '../../src/banners/management/presets.js';
import { defineCommand } from '../command.js';
import { defaultRows, rowParameters } from '../parameters.js';
import { presetRecord } from './shared.js';

export const command = defineCommand({
  path: 'preset list',
  summary: 'List banner presets',
  description:
    'Lists presets with their name, type, template and the fields that they set. --json also has the values. GET /templates of the banner API lists the same presets.',
  arguments: {},
  options: { ...rowParameters },
  examples: [
    { line: 'preset list', does: 'List all presets' },
    { line: 'preset list --json', does: 'List all presets with their values, as JSON' },
  ],
  async run({ limit = defaultRows, offset = 0 }, deps) {
    const { presets, total } = await listPresets(await deps.openReady(), { limit, offset });
    return {
      kind: 'list',
      columns: ['id', 'name', 'type', 'tpl', 'fields'],
      rows: presets.map(presetRecord),
      total,
      offset,
      empty: 'No presets. Add one: hcd preset add NAME',
    };
  },
});
