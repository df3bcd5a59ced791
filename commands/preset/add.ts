/** `hcd preset add NAME`: values that banners start with. */
import { bannerTypes } from '../../src/banners/rules/banner.js';
import { choiceValue, textValue } from '../../src/config/value-type.js';
import { presetParameters } from '../banner/field-flags.js';
import { defineCommand } from '../command.js';
import { optional, required } from '../parameters.js';

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
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-preset.js')).runAdd(options, deps),
});
