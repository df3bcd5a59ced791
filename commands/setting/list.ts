/** `hcd setting list`: list settings and their values. */
import { apiNames, choiceValue, textValue } from '../../src/config/value-type.js';
import {
  aboutSetting,
  listApiSettings,
  listForeignSettings,
  type SettingView,
} from '../../src/content/settings/settings.js';
import { defineCommand, type JsonRecord } from '../command.js';
import { optional, toggle, usageError } from '../parameters.js';
import { problemNotes } from './shared.js';

export const command = defineCommand({
  description:
    'Lists the runtime settings of the three APIs with their current value and its source: environment, database or default. Secrets are masked. JSON also has what each setting does and accepts.',
  options: {
    api: optional(choiceValue(apiNames), 'Show only settings of this API'),
    changed: toggle('Show only settings that differ from their default'),
    all: toggle('Also show settings of the content system'),
    context: optional(textValue(), {
      placeholder: 'KEY',
      description: 'Show only settings that this context overrides',
    }),
  },
  examples: {
    'setting list --changed': 'List settings that differ from their default',
    'setting list --api gateway --json': 'List the settings of one API as JSON',
  },
  async run({ api, changed, all, context }, deps) {
    // These are about our settings, which no context has.
    const ours = [...(api === undefined ? [] : ['--api']), ...(changed ? ['--changed'] : [])];
    const others = [...ours, ...(all ? ['--all'] : [])];
    if (context !== undefined && others.length > 0) {
      throw usageError({ '--context': `cannot be combined with ${others.join(', ')}` });
    }
    if (all && ours.length > 0) throw usageError({ '--all': `cannot be combined with ${ours.join(', ')}` });
    const { store } = await deps.openSite();
    const columns = ['key', 'value', 'source', 'default'];
    if (context !== undefined) {
      const settings = await listForeignSettings(store, context);
      const empty = `The context ${context} overrides no settings.`;
      return { kind: 'list', columns, rows: settings.map(settingRow), empty };
    }
    const found = await listApiSettings(store, { env: deps.env, api: api ?? null, onlyChanged: changed });
    const foreign = all ? await listForeignSettings(store, null) : [];
    return {
      kind: 'list',
      columns,
      rows: [...found.settings, ...foreign].map(settingRow),
      empty: 'All settings have their default.',
      notes: problemNotes(found),
    };
  },
});

function settingRow(view: SettingView): JsonRecord {
  return { ...view, ...aboutSetting(view.key) };
}
