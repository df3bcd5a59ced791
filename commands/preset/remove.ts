/** `hcd preset remove`: remove a banner preset. */
import { readPreset, removePreset } from '../../src/banners/management/presets.js';
import { textValue } from '../../src/config/value-type.js';
import { presetSelector } from '../banner/write.js';
import { defineSiteCommand } from '../command.js';
import { required } from '../parameters.js';

export const command = defineSiteCommand({
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
});
