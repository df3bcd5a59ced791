/** What `hcd demo` does: loads the sample site and writes the lines to try. */
import type { SettingsSnapshot } from '../../src/config/settings.js';
import { readRuntimeSettings } from '../../src/services/load-sample/runtime-settings.js';
import { type Deps, storeOptions } from '../deps.js';
import type { Result } from '../result.js';
import { type ApiName, apiNames } from '../serve/api-names.js';
import { curlLines, curlText } from './curl-lines.js';
import { credentialMembers, credentialNotes, credentialText } from './demo-credentials.js';
import { type DemoStore, loadDemo } from './load-demo.js';

/** Loads unless it is there, and prints what to try. */
export async function runDemo(deps: Deps): Promise<Result> {
  const { config } = deps.loadConfig();
  const done = await loadDemo(deps, { target: storeOptions(config), apis: apiNames });
  const bannersKey = done.loaded?.bannersKey ?? null;
  const { values } = await readRuntimeSettings(done.store, deps.env);
  const shown = { bannersKey, credentials: done.credentials, pageToken: done.pageToken };
  const secrets = {
    bannersKey,
    key: done.credentials?.key.key ?? null,
    password: done.credentials?.user.password ?? null,
    pageToken: done.pageToken?.token ?? null,
  };
  const lines = curlLines({ config, prefix: values.gateway_api_prefix, secrets, apis: enabledApis(values) });
  return {
    kind: 'text',
    text: `${credentialText(shown)}${curlText(lines)}`,
    data: {
      loaded: done.loaded !== null,
      resources: done.loaded?.resources ?? null,
      banners: done.banners === null ? null : { ...done.banners },
      pages: done.loaded?.pages ?? null,
      database: done.store.content.dialect,
      ...credentialMembers(shown),
      requests: lines.map((line) => ({ ...line })),
    },
    notes: notesFor({ done, credentials: credentialNotes(shown), port: config.port }),
  };
}

/** The site may have been changed since it was loaded. */
function enabledApis(values: SettingsSnapshot['values']): readonly ApiName[] {
  const enabled: Readonly<Record<ApiName, boolean>> = {
    gateway: values.gateway_enabled,
    pages: values.pages_rest_api_enabled,
    banners: values.banners_api_enabled,
  };
  return apiNames.filter((name) => enabled[name]);
}

interface Outcome {
  readonly done: DemoStore;
  /** Lines about the credentials. */
  readonly credentials: readonly string[];
  readonly port: number;
}

function notesFor({ done: { loaded, banners }, credentials, port }: Outcome): string[] {
  return [
    loaded === null
      ? 'The sample site is loaded already: nothing was loaded.'
      : `Loaded the sample site: ${loaded.resources} resources, ${loaded.rows} rows in all, and ${loaded.pages} page documents.`,
    ...(banners === null
      ? []
      : [
          `Loaded ${banners.banners} banners with ${banners.impressions} impressions and ${banners.clicks} clicks: hcd banner stats`,
        ]),
    ...credentials,
    ...(loaded?.locked ?? []).map(
      (key) => `${key} keeps the value that the environment fixes (HCD_${key.toUpperCase()}).`,
    ),
    ...(port === 0 ? ['Port 0 picks a free port: put the one that hcd serve says in the place of 0.'] : []),
    'Start the server: hcd serve',
  ];
}
