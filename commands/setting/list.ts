/** `hcd setting list`: the settings and the source of each value. */
import type { ApiName } from '../../src/config/setting-definitions.js';
import { choiceValue, textValue } from '../../src/config/value-type.js';
import { listApiSettings, listForeignSettings, type SettingView } from '../../src/content/settings/settings.js';
import { defineCommand } from '../command.js';
import { optional, toggle } from '../parameters.js';
import type { JsonRecord } from '../result.js';
import { usageError } from '../usage-error.js';
import { problemNotes } from './shared.js';

interface ListOptions {
  readonly api: ApiName | undefined;
  readonly changed: boolean;
  readonly all: boolean;
  readonly context: string | undefined;
}

const columns = ['key', 'value', 'source', 'default'];

export const command = defineCommand({
  path: 'setting list',
  summary: 'List settings and their values',
  description:
    'Lists the runtime settings of the three APIs with their current value and its source: environment, database or default. Secrets are masked.',
  arguments: {},
  options: {
    api: optional(choiceValue(['gateway', 'pages', 'banners']), {
      placeholder: 'API',
      description: 'Show only settings of this API',
    }),
    changed: toggle('Show only settings that differ from their default'),
    all: toggle('Also show settings of the content system'),
    context: optional(textValue(), {
      placeholder: 'KEY',
      description: 'Show only settings that this context overrides',
    }),
  },
  examples: [
    { line: 'setting list --changed', does: 'List settings that differ from their default' },
    { line: 'setting list --api gateway --json', does: 'List the settings of one API as JSON' },
  ],
  async run(options, deps) {
    const { api, changed, all, context } = options;
    checkCombination(options);
    const store = await deps.openReady();
    if (context !== undefined) {
      const settings = await listForeignSettings(store, context);
      const empty = `The context ${context} overrides no settings.`;
      return { kind: 'list', columns, rows: settings.map(rowOf), empty };
    }
    const ours = await listApiSettings(store, { env: deps.env, api: api ?? null, onlyChanged: changed });
    const foreign = all ? await listForeignSettings(store, null) : [];
    return {
      kind: 'list',
      columns,
      rows: [...ours.settings, ...foreign].map(rowOf),
      empty: 'All settings have their default.',
      notes: problemNotes(ours),
    };
  },
});

/** --api and --changed are about our settings, which no context has. */
function checkCombination({ api, changed, all, context }: ListOptions): void {
  const ours = [...(api === undefined ? [] : ['--api']), ...(changed ? ['--changed'] : [])];
  if (context !== undefined && (all || ours.length > 0)) {
    throw usageError({ '--context': `cannot be combined with ${[...ours, ...(all ? ['--all'] : [])].join(', ')}` });
  }
  if (all && ours.length > 0) throw usageError({ '--all': `cannot be combined with ${ours.join(', ')}` });
}

function rowOf(view: SettingView): JsonRecord {
  return { ...view };
}
