/** Everything that a command may touch, handed in. Tests build the same from captured streams. */

import { lstatSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { listeningAddress } from '../src/config/address-values.js';
import type { ConfigName } from '../src/config/definitions.js';
import { type ConfigFile, type LoadedConfig, loadConfig } from '../src/config/load.js';
import type { SettingsOf } from '../src/config/settings.js';
import type { ApiName } from '../src/config/value-type.js';
import type { Registry } from '../src/content/objects/definition.js';
import { AppError } from '../src/errors/app-error.js';
import { codeOf } from '../src/errors/disk-error.js';
import type { LogLevel } from '../src/log/logger.js';
import type { OpenStoreOptions, Store } from '../src/store/open/open.js';
import type { Host } from './host.js';
import { type GlobalFlags, usageError } from './parameters.js';
import { type Progress, withProgress } from './progress.js';
import { createPrompt, type Prompt } from './prompt.js';
import { type CommandLog, type Io, openLog } from './streams.js';

type ConfigFlags = Readonly<Partial<Record<ConfigName, string | undefined>>>;

export interface Deps extends CommandLog, Omit<Host, 'streams' | 'openStore'> {
  readonly io: Io;
  readonly version: string;
  readonly flags: GlobalFlags;
  readonly prompt: Prompt;
  readonly host: Host;
  /** Throws configuration_invalid. */
  loadConfig(flags?: ConfigFlags): LoadedConfig;
  /** The configured store, or the given one. It is closed when the command has ended. */
  openStore(target?: OpenStoreOptions): Promise<Store>;
  /** Refused while migrations are pending. Default limits are those of requests. */
  openSite(how?: Pick<OpenStoreOptions, 'limits'>): Promise<SiteDeps>;
  /** Without a terminal --yes has been required before. Null: nothing to confirm. Throws refused; in Studio usage. */
  confirm(question: string | (() => Promise<string | null>)): Promise<void>;
  /** Shows how far the work is, when it takes longer than a second. */
  progress<T>(label: string, work: (progress: Progress) => Promise<T>): Promise<T>;
}

export interface SiteDeps extends Deps {
  readonly store: Store;
  settings<A extends ApiName>(...apis: A[]): Promise<SettingsOf<A>>;
  registry(): Promise<Registry>;
  /** A server that runs, otherwise the address where the next one listens. */
  addressOf(api: ApiName): Promise<string>;
}

/** How keys and subscriptions name who made them. */
export function makerOf({ writer }: Pick<Deps, 'writer'>): string {
  return writer === 'cli' ? 'command' : writer;
}

type Invoked = Pick<Deps, 'io' | 'flags' | 'version'> & { readonly logLevel?: LogLevel };

export function createDeps(host: Host, { io, flags, version, logLevel = 'info' }: Invoked) {
  const opened = new Set<Store>();
  let hasEnded = false;
  const { yes, json } = flags;
  const isInteractive = io.stdin.isTerminal && io.stderr.isTerminal && !yes && !json;
  const load = (given: ConfigFlags = {}): LoadedConfig => loadFor(host, { flags, given });
  const { log, flushLog } = openLog({ io, clock: host.clock, quiet: flags.quiet, logLevel, load });
  const deps: Deps = {
    ...host,
    ...{ io, version, flags, log, flushLog, host },
    prompt: createPrompt({ io, yes, isInteractive, stop: host.stop }),
    loadConfig: load,
    async openStore(given) {
      const target = given ?? (await import('./open-store.js')).storeOptions(load().config);
      const store = await host.openStore(target);
      opened.add(store);
      // The command was left behind meanwhile.
      if (hasEnded) await store.close();
      return store;
    },
    async openSite(how) {
      const { openReady, openSiteRegistry, siteSettings } = await import('./open-store.js');
      const store = await openReady(deps, how);
      const settings = <A extends ApiName>(...apis: A[]) => siteSettings(store, { env: deps.env, apis });
      const registry = () => openSiteRegistry({ ...load().config, cwd: host.cwd }, store);
      const addressOf = async (api: ApiName): Promise<string> => {
        const { readRunningServers } = await import('../src/operations/processes/recorder.js');
        const configured = listeningAddress(load().config);
        return (await readRunningServers(store.own.primary, configured))(api) ?? configured;
      };
      return { ...deps, store, settings, registry, addressOf };
    },
    async confirm(question) {
      const { prompt } = deps;
      const isAsked = prompt.isInteractive || (host.writer === 'studio' && !flags.yes);
      const message = isAsked ? await (typeof question === 'string' ? question : question()) : null;
      if (message === null) return;
      if (!prompt.isInteractive) throw usageError({ '--yes': `is needed: ${message}` });
      if (await prompt.confirm({ message, flag: '--yes' })) return;
      throw new AppError('refused', { message: 'Nothing was changed' });
    },
    progress: (label, work) =>
      withProgress({ io, clock: host.clock, quiet: flags.quiet, stop: host.stop }, label, work),
  };
  return {
    deps: Object.freeze(deps),
    async close() {
      hasEnded = true;
      await Promise.allSettled([...opened].map((store) => store.close()));
      flushLog();
    },
  };
}

function loadFor(
  host: Host,
  { flags, given }: { readonly flags: GlobalFlags; readonly given: ConfigFlags },
): LoadedConfig {
  const file = readConfigFile(host.cwd, flags.config);
  const texts = Object.entries({ database: flags.database, ...given }).filter((entry) => entry[1] !== undefined);
  return loadConfig({ flags: Object.fromEntries(texts), env: host.env, file, cwd: host.cwd });
}

/** The file that `--config` names must exist; `hcd.toml` of the working directory is optional. */
function readConfigFile(cwd: string, named: string | undefined): ConfigFile | null {
  const path = resolve(cwd, named ?? 'hcd.toml');
  try {
    // To continue with defaults after a broken link would serve the wrong site.
    if (named === undefined && lstatSync(path, { throwIfNoEntry: false }) === undefined) return null;
    return { path, text: readFileSync(path, 'utf8') };
  } catch (cause) {
    throw new AppError('configuration_invalid', { details: { fields: { [path]: [unreadable(cause)] } }, cause });
  }
}

const reasons: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'it does not exist'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'this user may not read it'],
]);

export function unreadable(cause: unknown): string {
  const reason = reasons.get(codeOf(cause));
  return reason === undefined ? 'cannot be read' : `cannot be read: ${reason}`;
}
