/** `hcd demo`: loads the sample site into an empty database and prints requests to try. */
import { listeningAddress } from '../src/config/address-values.js';
import { variableOf } from '../src/config/definitions.js';
import type { SettingsSnapshot } from '../src/config/settings.js';
import { type ApiName, apiNames } from '../src/config/value-type.js';
import { readRuntimeSettings } from '../src/content/settings/settings.js';
import { AppError } from '../src/errors/app-error.js';
import { readRunningServers } from '../src/operations/processes/recorder.js';
import { enabling, localOrigins, localOriginsText } from '../src/operations/settings/switch-apis.js';
import { defineCommand, type Notes } from './command.js';
import { curlLines, curlText, firstLines, referenceUrl } from './demo/curl-lines.js';
import { credentialMembers, credentialNotes, credentialText, type DemoStore, loadDemo } from './demo/load-demo.js';
import type { Deps } from './deps.js';
import type { Place } from './host.js';
import { storeOptions } from './open-store.js';
import { writeNote } from './output.js';
import { toggle } from './parameters.js';
import { joinParts } from './terminal-text.js';

export const command = defineCommand({
  description:
    'Loads the sample site (several hundred pages in two contexts, some with page documents) into an empty database, turns all three APIs on, and prints the URL of the API reference and five curl lines to try with hcd serve, or with the server that runs. Web pages on the usual ports of localhost can call the APIs (gateway_cors_allowed_origins, banners_api_cors_origin). Pending migrations are applied first. Nothing is loaded when the port is in use, when the database has other content, or when it belongs to an existing MODX site.\n\nThe command also creates an API key named demo, which can do everything and expires in 30 days, a user named editor, a page token and a key for the banner API, and prints them once. When the sample site is already loaded, nothing changes: the lines are printed with GATEWAY_KEY, PAGES_TOKEN and EDITOR_PASSWORD in place of the secrets.',
  options: { show: toggle('Print all curl lines, not only the first five') },
  examples: {
    demo: 'Load the sample site into the configured database',
    'demo --show': 'Print all curl lines',
    'demo --database sqlite:./demo.sqlite --json': 'Load the sample site into another file',
  },
  async run({ show }, deps) {
    const { config } = deps.loadConfig();
    const beforeLoading = (): Promise<void> => checkPort(deps, config);
    const done = await loadDemo(deps, { target: storeOptions(config), apis: apiNames, place: config, beforeLoading });
    const bannersKey = done.loaded?.bannersKey ?? null;
    const { values } = await readRuntimeSettings(done.store, deps.env);
    const shown = { bannersKey, credentials: done.credentials, pageToken: done.pageToken };
    const credentials = credentialText(shown);
    // The site may have been changed since it was loaded.
    const apis = apiNames.filter((name) => values[enabling[name]]);
    const next = listeningAddress(config);
    const running = await readRunningServers(done.store.own.primary, next);
    const originOf = (api: ApiName): string => running(api) ?? next;
    const prefix = values.gateway_api_prefix;
    const lines = curlLines({ originOf, prefix, shown, apis });
    const reference = apis.includes('gateway') ? referenceUrl(originOf('gateway'), prefix) : null;
    const isRunning = apis.every((api) => running(api) !== undefined);
    const isTaken = done.loaded === null && config.port !== 0 && !(await deps.canListen(config));
    const notes = notesFor(done, { credentials: credentialNotes(shown), values, isRunning, isTaken, ...config });
    const rule = `# ${'-'.repeat(Math.max(1, Math.min(deps.io.stdout.columns, widest) - 2))}\n`;
    // Written before the result, which ends with the credentials.
    if (!deps.flags.quiet) for (const note of notes) if (note !== false) writeNote(deps.io.stderr, note);
    return {
      kind: 'text',
      text: joinParts([
        rule,
        !isRunning && '# The server is started by: hcd serve\n',
        reference !== null && `# API reference: ${reference}\n`,
        `\n${curlText(show ? lines : firstLines(lines))}`,
        !show && '\n# Show all lines to try: hcd demo --show\n',
        credentials !== '' && `\n${credentials}`,
        rule,
      ]),
      data: {
        loaded: done.loaded !== null,
        resources: done.loaded?.resources ?? null,
        banners: done.banners,
        pages: done.loaded?.pages ?? null,
        database: done.store.content.dialect,
        reference,
        ...credentialMembers(shown),
        requests: lines.map(({ isFirst: _isFirst, ...line }) => line),
      },
    };
  },
});

const widest = 72;

interface Circumstances extends Place {
  readonly credentials: Notes;
  readonly values: SettingsSnapshot['values'];
  readonly isRunning: boolean;
  readonly isTaken: boolean;
}

function notesFor(
  { loaded, banners }: DemoStore,
  { credentials, values, isRunning, isTaken, host, port }: Circumstances,
): Notes {
  const { gateway_cors_enabled, gateway_cors_allowed_origins: origins } = values;
  return [
    loaded === null
      ? 'The sample site is already loaded; nothing was changed.'
      : `Loaded the sample site: ${loaded.resources} resources and ${loaded.pages} page documents.`,
    banners !== null &&
      `Loaded ${banners.banners} banners with ${banners.impressions} impressions and ${banners.clicks} clicks. To see them: hcd banner stats`,
    ...credentials,
    ...(loaded?.locked ?? []).map((key) => `${key} keeps the value of ${variableOf(key)} in the environment.`),
    !isRunning && port === 0 && 'Port 0 picks a free port: replace 0 in the lines with the port that hcd serve prints.',
    gateway_cors_enabled &&
      localOrigins.every((origin) => origins.includes(origin)) &&
      `Web pages at ${localOriginsText} can call the APIs (gateway_cors_allowed_origins).`,
    !isRunning &&
      isTaken &&
      `Another program listens on port ${port} of ${host}. If it is not the server of this site, set HCD_PORT.`,
  ];
}

const tried = 20;

async function checkPort(deps: Deps, { host, port }: Place): Promise<void> {
  if (port === 0 || (await deps.canListen({ host, port }))) return;
  const free = await nextFree(deps, { host, port });
  const way = free === null ? 'one that is free' : `for example ${free}, which is free`;
  throw new AppError('refused', {
    message: `Port ${port} of ${host} is in use, so the server could not start. Stop the program that listens there, or set HCD_PORT to another port (${way}). Nothing was loaded, and no key was created`,
  });
}

async function nextFree(deps: Deps, { host, port }: Place): Promise<number | null> {
  for (let next = port + 1; next <= Math.min(port + tried, 65_535); next += 1) {
    if (await deps.canListen({ host, port: next })) return next;
  }
  return null;
}
