/** `hcd demo`: the sample site in an empty database, and what to try on it. */
import type { SettingsSnapshot } from '../src/config/settings.js';
import { readRuntimeSettings } from '../src/content/settings/runtime-settings.js';
import { localOrigins, localOriginsText } from '../src/operations/sample/local-origins.js';
import { defineCommand } from './command.js';
import { checkPort } from './demo/check-port.js';
import { curlLines, referenceUrl } from './demo/curl-lines.js';
import { credentialMembers, credentialNotes, credentialText } from './demo/demo-credentials.js';
import { demoText } from './demo/demo-text.js';
import { type DemoStore, loadDemo } from './demo/load-demo.js';
import { storeOptions } from './deps.js';
import type { Place } from './listen-check.js';
import { writeNote } from './output.js';
import { toggle } from './parameters.js';
import { type ApiName, apiNames } from './serve/api-names.js';

interface Outcome {
  readonly done: DemoStore;
  /** Lines about the credentials. */
  readonly credentials: readonly string[];
  readonly config: Place;
  /** Something listens where the next server would. */
  readonly isTaken: boolean;
  readonly hasLocalOrigins: boolean;
}

export const command = defineCommand({
  path: 'demo',
  summary: 'Load the sample site and show what to try',
  description:
    'Loads the shipped sample site (several hundred pages in two contexts, some of them with page documents) into an empty database, switches all three APIs on, and prints the address of the API reference and five curl lines for the next hcd serve; --show prints all of them, which read, create, change and delete pages. Web pages that are developed on this machine may call the APIs: the usual ports of localhost are let in (gateway_cors_allowed_origins, banners_api_cors_origin). A missing schema is migrated first. A port that is taken is refused before anything is loaded. A database that holds anything else is refused, and so is the database of an existing MODX site.\n\nWith the site come an API key named demo, which may do everything and ends after 30 days, and a user named editor with a password of its own. Both are printed once, with a page token and the key of the banner API. Where the sample is loaded already, nothing is changed and nothing is made: the lines are printed again, with GATEWAY_KEY, PAGES_TOKEN and EDITOR_PASSWORD instead of what can no longer be shown.',
  arguments: {},
  options: { show: toggle('Print every line to try, not only the first five') },
  examples: [
    { line: 'demo', does: 'Load the sample into the configured database' },
    { line: 'demo --show', does: 'Print every line to try' },
    { line: 'demo --database sqlite:./demo.sqlite --json', does: 'Load it into another file, for a script' },
  ],
  /** Loads unless it is there, and prints what to try. */
  async run({ show }, deps) {
    const { config } = deps.loadConfig();
    const beforeLoading = (): Promise<void> => checkPort(deps, config);
    const done = await loadDemo(deps, { target: storeOptions(config), apis: apiNames, place: config, beforeLoading });
    const bannersKey = done.loaded?.bannersKey ?? null;
    const { values } = await readRuntimeSettings(done.store, deps.env);
    const shown = { bannersKey, credentials: done.credentials, pageToken: done.pageToken };
    const secrets = {
      bannersKey,
      key: done.credentials?.key.key ?? null,
      password: done.credentials?.user.password ?? null,
      pageToken: done.pageToken?.token ?? null,
    };
    const apis = enabledApis(values);
    const lines = curlLines({ config, prefix: values.gateway_api_prefix, secrets, apis });
    const reference = apis.includes('gateway') ? referenceUrl(config, values.gateway_api_prefix) : null;
    const isTaken = done.loaded === null && config.port !== 0 && !(await deps.canListen(config));
    const hasLocalOrigins = values.gateway_cors_enabled && isLocal(values.gateway_cors_allowed_origins);
    const notes = notesFor({ done, credentials: credentialNotes(shown), config, isTaken, hasLocalOrigins });
    // Before the result, which ends with the credentials.
    if (!deps.flags.quiet) for (const note of notes) writeNote(deps.io.stderr, note);
    return {
      kind: 'text',
      text: demoText({ lines, reference, credentials: credentialText(shown), show, width: deps.io.stdout.columns }),
      data: {
        loaded: done.loaded !== null,
        resources: done.loaded?.resources ?? null,
        banners: done.banners === null ? null : { ...done.banners },
        pages: done.loaded?.pages ?? null,
        database: done.store.content.dialect,
        reference,
        ...credentialMembers(shown),
        requests: lines.map(({ isFirst: _isFirst, ...line }) => line),
      },
    };
  },
});

function isLocal(origins: readonly string[]): boolean {
  return localOrigins.every((origin) => origins.includes(origin));
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

function notesFor({ done: { loaded, banners }, credentials, config, isTaken, hasLocalOrigins }: Outcome): string[] {
  const { host, port } = config;
  return [
    loaded === null
      ? 'The sample site is loaded already: nothing was loaded.'
      : `Loaded the sample site: ${loaded.resources} resources and ${loaded.pages} page documents.`,
    ...(banners === null
      ? []
      : [
          `Loaded ${banners.banners} banners with ${banners.impressions} impressions and ${banners.clicks} clicks: hcd banner stats`,
        ]),
    ...credentials,
    ...(loaded?.locked ?? []).map(
      (key) => `${key} keeps the value that the environment fixes (HCD_${key.toUpperCase()}).`,
    ),
    ...(port === 0 ? ['Port 0 picks a free port: put the one that hcd serve says instead of 0.'] : []),
    ...(hasLocalOrigins ? [`Web pages at ${localOriginsText} may call the APIs (gateway_cors_allowed_origins).`] : []),
    ...(isTaken
      ? [`Something listens on port ${port} of ${host} already. If it is not the server of this site, set HCD_PORT.`]
      : []),
  ];
}
