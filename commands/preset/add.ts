/** `hcd preset add`: add a banner preset. */
import { addPreset } from '../../src/banners/management/presets.js';
import { bannerTypes } from '../../src/banners/rules/banner.js';
import { choiceValue } from '../../src/config/value-type.js';
import { presetRecord } from '../banner/shared.js';
import { bodyOf, presetParameters } from '../banner/write.js';
import { defineSiteCommand } from '../command.js';
import { anyText, optional, required } from '../parameters.js';

export const command = defineSiteCommand({
  description:
    'Adds a preset: a name and the values of banner fields that new banners take from it. The values are checked like those of a banner. Names are unique.',
  arguments: {
    name: required(anyText, 'Name of the preset'),
  },
  options: {
    type: optional(choiceValue(bannerTypes), 'Type of its banners (default: image)'),
    tpl: optional(anyText, {
      placeholder: 'TEXT',
      description: 'Name of the template that pages show its banners with',
    }),
    ...presetParameters,
  },
  examples: {
    'preset add "Sidebar 300x250" --tpl sidebar --tags shop --max-clicks 500': 'Add a preset',
    'preset add Notice --type html --file values.json --json': 'Add a preset with values from a file',
  },
  async run({ name, type = 'image', tpl = '', ...flags }, deps) {
    const defaults = await bodyOf(flags, deps);
    const preset = await addPreset(deps.store, { name, type, tpl, defaults, username: deps.writer });
    const notes = [`To add a banner from it: hcd banner add --preset ${preset.id} --positions LIST`];
    return {
      kind: 'record',
      record: presetRecord(preset),
      fields: ['id', 'name', 'type', 'tpl', 'defaults_data'],
      notes,
    };
  },
});
