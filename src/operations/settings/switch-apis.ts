/** Turns the three APIs on or off, stores the address of the site, and creates a missing banner key. */

import type { Environment } from '../../config/definitions.js';
import {
  effectiveSettings,
  formatSetting,
  type SettingKey,
  settingKeys,
  settingsOfEnvironment,
  storedKind,
} from '../../config/settings.js';
import { type ApiName, apiNames } from '../../config/value-type.js';
import { readSystemSettings, setSystemSetting } from '../../content/models/settings.js';
import { randomHex } from '../../crypto/primitives.js';
import type { Tx } from '../../store/base/database.js';

const ports = [3000, 3001, 4173, 4200, 4321, 5000, 5173, 5174, 8000, 8081, 8888, 9000];

export const localOrigins: readonly string[] = Object.freeze(
  ['localhost', '127.0.0.1'].flatMap((host) => ports.map((port) => `http://${host}:${port}`)),
);

export const localOriginsText = `http://localhost and http://127.0.0.1 at the ports ${ports.join(', ')}`;

interface ApiSwitches {
  readonly prefix: string;
  readonly env: Environment;
  readonly apis: readonly ApiName[];
  /** Adds to those that requests may name already. */
  readonly contexts?: readonly string[];
  /** Used where no list is set yet. */
  readonly origins?: readonly string[];
  /** Where the server will listen, for a site whose own address leads nowhere. */
  readonly address?: string | undefined;
  readonly siteUrl?: string | undefined;
}

export type Switched = Awaited<ReturnType<typeof switchApis>>;

export const enabling = {
  gateway: 'gateway_enabled',
  pages: 'pages_rest_api_enabled',
  banners: 'banners_api_enabled',
} as const satisfies Readonly<Record<ApiName, SettingKey>>;

/** Writes only what differs, so that an attached site gets no needless rows. */
export async function switchApis(tx: Tx, { prefix, env, apis, contexts, address, siteUrl, origins = [] }: ApiSwitches) {
  const stored = await readSystemSettings(tx, prefix, settingKeys);
  const { values } = effectiveSettings(stored, env);
  const fixed = new Set(settingsOfEnvironment(env).flatMap(({ key, parsed }) => (parsed.ok ? key : [])));
  const locked: SettingKey[] = [];
  const set = async (key: SettingKey, value: unknown): Promise<boolean> => {
    const text = formatSetting(key, value);
    if (text === formatSetting(key, values[key])) return false;
    if (fixed.has(key)) {
      locked.push(key);
      return false;
    }
    await setSystemSetting(tx, prefix, { key, value: text, kind: storedKind(key) });
    return true;
  };
  for (const api of apiNames) await set(enabling[api], apis.includes(api));
  const allowed = new Set([...values.gateway_allowed_contexts, ...(contexts ?? [])]);
  await set('gateway_allowed_contexts', [...allowed]);
  const hasOrigins = origins.length > 0;
  if (hasOrigins && apis.includes('gateway') && values.gateway_cors_allowed_origins.length === 0) {
    await set('gateway_cors_allowed_origins', origins);
    await set('gateway_cors_enabled', true);
  }
  if (hasOrigins && apis.includes('banners') && values.banners_api_cors_origin.length === 0) {
    await set('banners_api_cors_origin', origins);
  }
  if (siteUrl !== undefined) await set('gateway_site_url', siteUrl);
  if (address !== undefined) {
    await set('media_public_url', address);
    await set('banners_public_url', address);
    await set('gateway_oauth_issuer', address);
  }
  // docs/banners.md#turn-it-on
  const wantsKey = apis.includes('banners') && values.banners_api_key === '';
  const key = randomHex(16);
  const isMade = wantsKey && (await set('banners_api_key', key));
  return { bannersKey: isMade ? key : null, locked };
}
