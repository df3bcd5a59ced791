/** `hcd preset list`: list banner presets. */
import { listPresets } from '../../src/banners/management/presets.js';
import { presetRecord } from '../banner/shared.js';
import { defineSiteCommand } from '../command.js';
import { defaultRows, rowParameters } from '../parameters.js';

export const command = defineSiteCommand({
  description:
    'Lists presets with their name, type, template and the fields that they set. --json also has the values. GET /templates of the banner API lists the same presets.',
  options: { ...rowParameters },
  examples: {
    'preset list': 'List all presets',
    'preset list --json': 'List all presets with their values, as JSON',
  },
  async run({ limit = defaultRows, offset = 0 }, deps) {
    const { rows, total } = await listPresets(deps.store, { limit, offset });
    return {
      kind: 'list',
      columns: ['id', 'name', 'type', 'tpl', 'fields'],
      rows: rows.map(presetRecord),
      total,
      offset,
      empty: 'No presets. Add one: hcd preset add NAME',
    };
  },
});
