/** Loads the sample site into the configured database, for `hcd demo` and `hcd init`, and shows its credentials. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { listeningAddress, parseDatabaseUrl } from '../../src/config/address-values.js';
import type { Config } from '../../src/config/definitions.js';
import type { ApiName } from '../../src/config/value-type.js';
import { AppError } from '../../src/errors/app-error.js';
import type { IssuedToken } from '../../src/identity/page-tokens/manage-tokens.js';
import {
  type LoadedSample,
  loadSample,
  markLoaded,
  type SampleState,
  sampleSize,
  sampleState,
} from '../../src/operations/sample/load-sample.js';
import { loadSampleBanners, type SampleCounts } from '../../src/operations/sample/load-sample-banners.js';
import {
  issueSampleCredentials,
  issueSamplePageToken,
  type SampleCredentials,
} from '../../src/operations/sample/sample-credentials.js';
import { copyAssets } from '../../src/operations/sample/sample-files.js';
import { maintenanceLimits } from '../../src/store/base/limits.js';
import type { OpenStoreOptions, Store } from '../../src/store/open/open.js';
import type { Notes } from '../command.js';
import type { Deps } from '../deps.js';
import { issuedRecord } from '../key.js';
import { makeStore, siteSettings } from '../open-store.js';
import { joinParts } from '../terminal-text.js';

interface LoadDemo {
  readonly target: OpenStoreOptions;
  readonly apis: readonly ApiName[];
  readonly beforeLoading?: () => Promise<void>;
  readonly place: Pick<Config, 'host' | 'port' | 'files_dir'>;
}

export interface DemoStore {
  readonly store: Store;
  readonly loaded: LoadedSample | null;
  /** Null when nothing was loaded, or the gateway is not to be used. */
  readonly credentials: SampleCredentials | null;
  /** Null when nothing was loaded, or pages are not to be read. */
  readonly pageToken: IssuedToken | null;
  /** Null when nothing was loaded, the banner API is not to be used, or there are other banners. */
  readonly banners: SampleCounts | null;
}

/** Throws refused for a database with anything but the sample in it. */
export async function loadDemo(deps: Deps, { target, apis, place, beforeLoading }: LoadDemo): Promise<DemoStore> {
  const address = parseDatabaseUrl(target.databaseUrl);
  const isNew = 'path' in address && !existsSync(resolve(deps.cwd, address.path));
  if (isNew) await beforeLoading?.();
  const open = () => deps.openStore({ ...target, limits: maintenanceLimits });
  const before = await open();
  const state = await sampleState(before);
  checkState(before, state);
  if (state !== 'sample' && !isNew) await beforeLoading?.();
  const store = await makeStore(before, { open });
  if (state === 'sample') return { store, loaded: null, credentials: null, pageToken: null, banners: null };
  const now = deps.clock.now();
  const listening = place.port === 0 ? undefined : listeningAddress(place);
  const size = await sampleSize();
  const asked = { apis, address: listening, isBegun: state === 'begun', env: deps.env };
  const loaded = await deps.progress('Loading the sample site', ({ update }) =>
    loadSample(store, { ...asked, onProgress: (done) => update(done, size) }),
  );
  await copyAssets(['sample', 'files'], place.files_dir);
  const banners = apis.includes('banners') ? await loadSampleBanners(store, { env: deps.env, now }) : null;
  const pageToken = apis.includes('pages') ? await issueSamplePageToken(store, { env: deps.env, now }) : null;
  const { gateway_context: context } = await siteSettings(store, { env: deps.env, apis: ['gateway'] });
  const credentials = apis.includes('gateway') ? await issueSampleCredentials(store, { context, now }) : null;
  // Last, so that the next run after an interruption completes the work.
  await markLoaded(store);
  return { store, loaded, credentials, pageToken, banners };
}

function checkState({ kind }: Store, state: SampleState): void {
  const problem =
    kind === 'attached'
      ? 'belongs to an existing site, and the sample site would damage it'
      : state === 'foreign' && 'contains content other than the sample site';
  if (problem === false) return;
  throw new AppError('refused', {
    message: `The database ${problem}. Use an empty one: hcd demo --database sqlite:./demo.sqlite`,
  });
}

export interface ShownCredentials {
  readonly bannersKey: string | null;
  readonly credentials: SampleCredentials | null;
  readonly pageToken: IssuedToken | null;
}

export function credentialText({ bannersKey, credentials, pageToken }: ShownCredentials): string {
  const key = credentials?.key.key;
  const user = credentials?.user;
  return joinParts([
    bannersKey !== null && `# Key for the banner API\nbanners_api_key: ${bannersKey}\n`,
    pageToken !== null && `# Token for the page API, expires in 30 days\npage_token: ${pageToken.token}\n`,
    key !== undefined && `# API key for the gateway (all scopes), expires in 30 days\nkey: ${key}\n`,
    user && `# User who can log in and edit\nusername: ${user.username}\npassword: ${user.password}\n`,
  ]);
}

export function credentialMembers({ bannersKey, credentials, pageToken }: ShownCredentials) {
  return {
    banners_api_key: bannersKey,
    page_token: pageToken?.token ?? null,
    key: credentials === null ? null : issuedRecord(credentials.key),
    user: credentials?.user ?? null,
  };
}

export function credentialNotes({ bannersKey, credentials, pageToken }: ShownCredentials): Notes {
  return [
    `To show the banner key${bannersKey === null ? '' : ' again'}: hcd setting get banners_api_key --show-secret`,
    pageToken === null
      ? 'To create another page token, for PAGES_TOKEN: hcd token create --scopes pages.read,catalog.read --name demo --expires 30d'
      : 'Copy the page token now: it is not shown again.',
    credentials === null
      ? "To create another key, for GATEWAY_KEY: hcd key create --scopes '*' --name demo --expires 30d"
      : 'Copy the API key and the password now: they are not shown again.',
    credentials === null && 'To set a new password, for EDITOR_PASSWORD: hcd user passwd editor --generate',
  ];
}
