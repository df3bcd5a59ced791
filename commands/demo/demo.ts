/** `hcd demo`: the sample site in an empty database, and what to try on it. */
import type { SettingsSnapshot } from '../../src/config/settings.js';
import { AppError } from '../../src/errors/app-error.js';
import { readRuntimeSettings } from '../../src/services/load-sample/runtime-settings.js';
import { switchApis } from '../../src/services/load-sample/switch-apis.js';
import type { Store } from '../../src/store/open.js';
import { defineCommand } from '../command.js';
import { type Deps, storeOptions } from '../deps.js';
import { toggle } from '../parameters.js';
import type { Result } from '../result.js';
import { apiNames } from '../serve/api-names.js';
import { curlLines, curlText } from './curl-lines.js';
import { type DemoStore, loadDemo } from './load-demo.js';

export const demo = defineCommand({
  path: 'demo',
  summary: 'Load the sample site and show what to try',
  description:
    'Loads the shipped sample site (several hundred pages in two contexts) into an empty database, switches all three APIs on and prints curl lines for the next hcd serve. A missing schema is migrated first. A database that holds anything else is refused, and so is the database of an existing MODX site. Where the sample is loaded already, nothing is changed and the lines are printed again.',
  arguments: {},
  options: {
    newKey: toggle('Replace the key of the banner API by a fresh one, which is shown'),
  },
  examples: [
    { line: 'demo', does: 'Load the sample into the configured database' },
    { line: 'demo --database sqlite:./demo.sqlite --json', does: 'Load it into another file, for a script' },
  ],
  async run({ newKey }, deps) {
    const { config } = deps.loadConfig();
    const done = await loadDemo(deps, { target: storeOptions(config), apis: apiNames });
    const made = newKey && done.loaded?.bannersKey == null ? await replaceKey(deps, done.store) : null;
    const bannersKey = done.loaded?.bannersKey ?? made;
    const { values } = await readRuntimeSettings(done.store, deps.env);
    const lines = curlLines({ config, prefix: values.gateway_api_prefix, bannersKey, apis: enabledApis(values) });
    return {
      kind: 'text',
      text: `${keyText(bannersKey)}${curlText(lines)}`,
      data: {
        loaded: done.loaded !== null,
        resources: done.loaded?.resources ?? null,
        database: done.store.content.dialect,
        banners_api_key: bannersKey,
        requests: lines.map((line) => ({ ...line })),
      },
      notes: notesFor({ done, bannersKey, port: config.port }),
    } satisfies Result;
  },
});

/** The site may have been changed since it was loaded. */
function enabledApis(values: SettingsSnapshot['values']): readonly ApiName[] {
  const enabled: Readonly<Record<ApiName, boolean>> = {
    gateway: values.gateway_enabled,
    pages: values.pages_rest_api_enabled,
    banners: values.banners_api_enabled,
  };
  return apiNames.filter((name) => enabled[name]);
}

/** Other switches stay as somebody set them since. */
async function replaceKey({ env }: Deps, { content, prefix }: Store): Promise<string | null> {
  const { bannersKey, locked } = await content.write((tx) => switchApis(tx, { prefix, env, newKey: true }));
  if (locked.length === 0) return bannersKey;
  throw new AppError('refused', {
    message: 'The environment fixes the banner key: change or unset HCD_BANNERS_API_KEY',
  });
}

function keyText(key: string | null): string {
  return key === null ? '' : `# Key of the banner API\nbanners_api_key: ${key}\n`;
}

interface Outcome {
  readonly done: DemoStore;
  readonly bannersKey: string | null;
  readonly port: number;
}

function notesFor({ done: { loaded }, bannersKey, port }: Outcome): string[] {
  return [
    loaded === null
      ? 'The sample site is loaded already: nothing was loaded.'
      : `Loaded the sample site: ${loaded.resources} resources, ${loaded.rows} rows in all.`,
    bannersKey === null
      ? 'The banner key is not shown again: set HCD_BANNERS_API_KEY to the one you kept, or run hcd demo --new-key for another.'
      : 'The banner key is shown only now.',
    ...(loaded?.locked ?? []).map(
      (key) => `${key} keeps the value that the environment fixes (HCD_${key.toUpperCase()}).`,
    ),
    ...(port === 0 ? ['Port 0 picks a free port: put the one that hcd serve says in the place of 0.'] : []),
    'Start the server: hcd serve',
  ];
}
