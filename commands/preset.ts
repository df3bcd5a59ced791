/** `hcd preset`: values that new banners take. */
import { addPreset, listPresets, readPreset, removePreset } from '../src/banners/management/presets.js';
import { bannerTypes, type Preset } from '../src/banners/rules/banner.js';
import { choiceValue, textValue } from '../src/config/value-type.js';
import { bodyOf, presetParameters, presetSelector } from './banner/shared.js';
import { defineSiteCommand } from './command.js';
import { anyText, defaultRows, optional, required, rowParameters } from './parameters.js';

export const commands = {
  list: defineSiteCommand({
    description:
      'Lists presets with their name, type, template and the fields that they set. --json also has the values. GET /templates of the banner API lists the same presets.',
    options: rowParameters,
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
  }),

  add: defineSiteCommand({
    description:
      'Adds a preset: a name and the values of banner fields that new banners take from it. The values are checked like those of a banner. Names are unique.',
    arguments: {
      name: required(anyText, 'Name of the preset'),
    },
    options: {
      type: optional(choiceValue(bannerTypes), 'Type of its banners (default: image)'),
      tpl: optional(anyText, 'Name of the template that pages show its banners with', { placeholder: 'TEXT' }),
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
  }),

  remove: defineSiteCommand({
    description: 'Removes a preset permanently. Banners that were created from it do not change.',
    arguments: {
      preset: required(textValue(), 'Id or name of the preset'),
    },
    examples: {
      'preset remove Notice': 'Remove a preset',
      'preset remove 2 --yes --json': 'Remove a preset without confirmation',
    },
    destructive: {},
    async run({ preset: text }, deps) {
      const { id, name } = await readPreset(deps.store, presetSelector(text));
      await deps.confirm(`Remove preset ${id} "${name}" permanently?`);
      await removePreset(deps.store, { id, username: deps.writer });
      return { kind: 'done', message: `Removed preset ${id} "${name}".`, data: { id, removed: true } };
    },
  }),
};

function presetRecord(preset: Preset) {
  return { ...preset, fields: Object.keys(preset.defaults_data) };
}
