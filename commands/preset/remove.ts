/** `hcd preset remove PRESET`: removes a preset. */
import { readPreset, removePreset } from '../../src/banners/management/presets.js';
import { textValue } from '../../src/config/value-type.js';
import { username } from '../banner/shared.js';
import { defineCommand } from '../command.js';
import { confirmChange } from '../confirm.js';
import { required } from '../parameters.js';
import { presetSelector } from './shared.js';

export const command = defineCommand({
  path: 'preset remove',
  summary: 'Remove a banner preset',
  description: 'Removes a preset permanently. Banners that were created from it do not change.',
  arguments: {
    preset: required(textValue(), { placeholder: 'PRESET', description: 'Id or name of the preset' }),
  },
  options: {},
  examples: [
    { line: 'preset remove Notice', does: 'Remove a preset' },
    { line: 'preset remove 2 --yes --json', does: 'Remove a preset without confirmation' },
  ],
  destructive: {},
  async run({ preset: text }, deps) {
    const store = await deps.openReady();
    const { id, name } = await readPreset(store, presetSelector(text));
    await confirmChange(deps, `Remove preset ${id} "${name}" permanently?`);
    await removePreset(store, { id, username });
    return { kind: 'done', message: `Removed preset ${id} "${name}".`, data: { id, removed: true } };
  },
});
