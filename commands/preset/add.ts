/** `hcd preset add NAME`: values that banners start with. */
import { addPreset } from '../../src/banners/management/presets.js';
import { bannerTypes } from '../../src/banners/rules/banner.js';
import { choiceValue, textValue } from '../../src/config/value-type.js';
import { bodyOf, presetParameters } from '../banner/field-flags.js';
import { username } from '../banner/parameters.js';
import { defineCommand } from '../command.js';
import { optional, required } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { presetRecord } from './preset-record.js';

export const command = defineCommand({
  path: 'preset add',
  summary: 'Add a preset of banners',
  description:
    'Adds a preset: a name, which a banner made from it takes, and values of banner fields. The values are checked as those of a banner are. Name and positions are given with each banner. Names are unique.',
  arguments: {
    name: required(textValue({ pattern: /^/ }), { placeholder: 'NAME', description: 'Name of the preset' }),
  },
  options: {
    type: optional(choiceValue(bannerTypes), { placeholder: 'TYPE', description: 'What it makes; image by default' }),
    tpl: optional(textValue({ pattern: /^/ }), {
      placeholder: 'TEXT',
      description: 'Template with which pages show such banners, by the name that they have for it',
    }),
    ...presetParameters,
  },
  examples: [
    { line: 'preset add "Sidebar 300x250" --tpl sidebar --tags shop --max-clicks 500', does: 'Add a preset' },
    { line: 'preset add Notice --type html --file values.json --json', does: 'Add one with values of a file' },
  ],
  async run({ name, type = 'image', tpl = '', ...flags }, deps) {
    const defaults = await bodyOf(flags, deps);
    const preset = await addPreset(await openReady(deps), { name, type, tpl, defaults, username });
    const notes = [`Make a banner from it: hcd banner add --preset ${preset.id} --positions LIST`];
    return {
      kind: 'record',
      record: presetRecord(preset),
      fields: ['id', 'name', 'type', 'tpl', 'defaults_data'],
      notes,
    };
  },
});
