/** Checks of who may come in: API keys and OAuth clients that may do too much for too long, users who cannot log in. */
import type { Clock } from '../../clock/clock.js';
import type { SettingKey } from '../../config/setting-definitions.js';
import { settingDefinition, settingVariable } from '../../config/settings.js';
import { readRuntimeSettings } from '../../content/settings/settings.js';
import { schemeOf } from '../../crypto/password.js';
import { isSealed } from '../../crypto/seal.js';
import { type KeyView, listKeys } from '../../identity/keys/manage-keys.js';
import { listClients } from '../../identity/oauth/manage-clients.js';
import { guessableBelow, readKeptKey } from '../../identity/page-tokens/kept-key.js';
import { tokenView } from '../../identity/page-tokens/manage-tokens.js';
import { readTokenSettings } from '../../identity/page-tokens/token-settings.js';
import type { Store } from '../../store/open/open.js';
import { hasTable } from '../../store/state/ledger.js';
import { readState } from '../../store/state/state.js';
import { isoTime, isoTimeOfMs } from '../../values/dates.js';
import { webhookSealer } from '../../webhooks/administration/secrets.js';
import { type Check, count, error, type Finding, ok, type StoreFacts, sample, warning } from './check.js';

export const credentialChecks: readonly Check[] = [
  { name: 'keys', needs: 'content', run: checkKeys },
  { name: 'oauth-clients', needs: 'content', run: checkClients },
  { name: 'users', needs: 'content', run: checkUsers },
  { name: 'secrets', needs: 'content', run: checkSecrets },
];

async function checkKeys({ store, clock }: StoreFacts): Promise<Finding | Finding[]> {
  if (!(await hasTable(store.own.primary, 'hcd_api_keys'))) return ok('no table of keys yet');
  const keys = await listKeys(store, clock.now());
  const working = keys.filter(({ state }) => state === 'active' || state === 'expires_soon');
  const endless = working.filter(({ scopes, expiresOn }) => scopes.includes('*') && expiresOn === null);
  const ending = working.filter(({ state }) => state === 'expires_soon');
  const refused = keys.filter(({ state }) => state === 'user_inactive');
  const findings = [
    ...(endless.length === 0
      ? []
      : [
          warning(
            `${count(endless.length, 'key', 'keys')} may do everything (*) and never ${endless.length === 1 ? 'expires' : 'expire'}: ${namedKeys(endless)}`,
            `Create a key with fewer scopes or an expiry (hcd key create --expires 90d), then run hcd key revoke ${endless[0]?.id}`,
          ),
        ]),
    ...(ending.length === 0
      ? []
      : [
          warning(
            `${count(ending.length, 'key expires', 'keys expire')} within 14 days: ${namedKeys(ending)}`,
            'Create new keys in time: hcd key list shows scopes and expiry times, hcd key create --expires 90d creates a key',
          ),
        ]),
    ...(refused.length === 0
      ? []
      : [
          warning(
            `${count(refused.length, 'key acts', 'keys act')} for a user who may not log in, and every request is refused: ${namedKeys(refused)}`,
            `Let the user log in again, or hcd key revoke ${refused[0]?.id}`,
          ),
        ]),
  ];
  return findings.length > 0 ? findings : ok(`${working.length} of ${count(keys.length, 'key works', 'keys work')}`);
}

/** Such as `3 (website, 2026-12-01T09:30:00Z)`. */
function named(id: number | string, facts: readonly (string | null)[]): string {
  const known = facts.filter((fact) => fact !== null);
  return known.length === 0 ? `${id}` : `${id} (${known.join(', ')})`;
}

function namedKeys(keys: readonly KeyView[]): string {
  return sample(
    keys.map(({ id, name, expiresOn }) => named(id, [name, expiresOn === null ? null : isoTimeOfMs(expiresOn)])),
  );
}

async function checkClients({ store, clock }: { readonly store: Store; readonly clock: Clock }): Promise<Finding> {
  const isMigrated = await hasTable(store.own.primary, 'hcd_oauth_tokens');
  if (!isMigrated || !(await hasTable(store.own.primary, 'hcd_oauth_clients'))) return ok('no table of clients yet');
  const clients = (await listClients(store, clock.now())).filter(({ state }) => state === 'active');
  const endless = clients.filter(({ scopes }) => scopes.includes('*')).map(({ clientId }) => clientId);
  if (endless.length === 0) return ok(`${count(clients.length, 'client', 'clients')} that may get tokens`);
  return warning(
    `${count(endless.length, 'client', 'clients')} may get tokens for everything (*), and their secrets never expire: ${sample(endless)}`,
    'Add a client with the scopes that it needs (hcd oauth client add), then hcd oauth client revoke the old one',
  );
}

/** A text that is not a hash locks an account on purpose, as long as the class is one that we know. */
async function checkUsers({ store: { content, prefix, tables } }: StoreFacts): Promise<Finding | Finding[]> {
  if (!tables.has(`${prefix}users`)) return ok('no table of users yet');
  const rows = await content.primary.select({
    sql: `SELECT \`username\`, \`password\`, \`hash_class\` FROM \`${prefix}users\` WHERE \`active\` = 1 ORDER BY \`id\``,
    params: [],
    heavy: true,
  });
  const users = rows.map(([username, hash, hashClass]) => {
    const stored = { hash: String(hash), hashClass: String(hashClass) };
    return { username: String(username), isForeign: isForeign(stored.hashClass), scheme: schemeOf(stored) };
  });
  const foreign = users.filter((user) => user.isForeign).map(({ username }) => username);
  const weak = users.filter(({ scheme }) => scheme === 'md5').map(({ username }) => username);
  const findings = [
    ...(foreign.length === 0
      ? []
      : [
          warning(
            `${count(foreign.length, 'user has a password', 'users have passwords')} of a kind that hcd cannot verify, and cannot log in here: ${sample(foreign)}`,
            `hcd user passwd ${foreign[0]} sets a password that hcd and the CMS can verify`,
          ),
        ]),
    ...(weak.length === 0
      ? []
      : [
          warning(
            `${count(weak.length, 'password is', 'passwords are')} stored as MD5, which is guessed quickly once it leaks: ${sample(weak)}`,
            `hcd user passwd ${weak[0]}`,
          ),
        ]),
  ];
  const able = users.filter(({ scheme }) => scheme !== 'unknown').length;
  return findings.length > 0
    ? findings
    : ok(`${able} of ${count(users.length, 'active user has', 'active users have')} a password`);
}

/** Names of version 2 and 3 of the CMS end alike. */
function isForeign(hashClass: string): boolean {
  return !/(?:modNative|modPBKDF2|modMD5)$/.test(hashClass);
}

export const tokenChecks: readonly Check[] = [{ name: 'page-tokens', needs: 'content', run: checkTokens }];

async function checkTokens({ store, env, clock }: StoreFacts): Promise<Finding> {
  const { tokens, problem, isLocked, peppers } = await readTokenSettings(store, env);
  if (problem !== null && !isLocked) {
    return error(
      `${problem}: no token works`,
      'Restore pages_rest_tokens from a backup, or start again without tokens: hcd setting unset pages_rest_tokens',
    );
  }
  const views = tokens.map((token) => tokenView(token, clock.now()));
  const working = views.filter(({ state }) => state === 'active' || state === 'expires_soon');
  if (working.length > 0 && peppers.length === 0) {
    return error(
      'neither a pepper nor a site id is set, so every page token is refused',
      'Restore the setting site_id or pages_rest_token_pepper, or make new tokens: hcd token create',
    );
  }
  const ending = working.filter(({ state }) => state === 'expires_soon');
  if (ending.length > 0) {
    return warning(
      `${count(ending.length, 'page token expires', 'page tokens expire')} within 14 days: ${sample(ending.map(({ id, name, expires }) => named(id, [name, isoTime(expires)])))}`,
      'Create new tokens in time: hcd token list shows scopes and expiry times, hcd token create --expires 90d creates a token',
    );
  }
  const endless = working.filter(({ expires }) => expires === null).length;
  const works = `${working.length} of ${count(tokens.length, 'page token works', 'page tokens work')}`;
  return ok(endless === 0 ? works : `${works}, ${endless} without an expiry`);
}

const secrets = [
  'banners_api_key',
  'banners_api_key_previous',
  'pages_public_api_key',
  'banners_webhook_secret',
  'pages_rest_token_pepper',
] as const satisfies readonly SettingKey[];

type SecretKey = (typeof secrets)[number];

async function checkSecrets(facts: StoreFacts): Promise<Finding | Finding[]> {
  const { store, env } = facts;
  const { values, sources } = await readRuntimeSettings(store, env);
  const given = secrets.filter((key) => values[key] !== '');
  const findings = [
    ...rootFindings(facts),
    ...shortFindings(values.pages_public_api_key),
    ...given.filter((key) => sources[key] === 'database' && isClear(key, values[key])).map(clearFinding),
    ...(await sealFindings(facts, values.banners_webhook_secret)),
  ];
  return findings.length > 0 ? findings : ok('no key is short, and none is stored in the clear');
}

function rootFindings({ configuration: { config } }: StoreFacts): Finding[] {
  if (config.secret !== null) return [];
  return [
    warning(
      'HCD_SECRET is not set: the database stores its encrypted secrets next to their key',
      'Set HCD_SECRET to 32 random characters or more, then give webhooks new secrets: hcd webhook rotate-secret ID',
    ),
  ];
}

function isClear(key: SecretKey, value: string): boolean {
  return !isSealed(value) && !(key === 'pages_public_api_key' && readKeptKey(value).digest !== null);
}

/** Every other key is refused when it is short. */
function shortFindings(key: string): Finding[] {
  if (key === '' || !readKeptKey(key).isShort) return [];
  return [
    warning(
      `pages_public_api_key is shorter than ${guessableBelow} characters and can be guessed`,
      'hcd setting set pages_public_api_key VALUE',
    ),
  ];
}

function clearFinding(key: SecretKey): Finding {
  const isKept = settingDefinition(key).kept !== 'clear';
  const elsewhere = `Guard the database and its backups, or give it as ${settingVariable(key)} instead`;
  return warning(
    `${key} is stored in the clear: anyone who reads the database or a backup can use it`,
    isKept ? `hcd setting set ${key} VALUE stores it in a form that gives nothing away` : elsewhere,
  );
}

async function sealFindings({ store, configuration: { config } }: StoreFacts, secret: string): Promise<Finding[]> {
  if (!isSealed(secret)) return [];
  const stored = async () =>
    (await hasTable(store.own.primary, 'hcd_state')) ? readState(store.own.primary, 'root_secret') : null;
  const root = config.secret ?? (await stored());
  if (root !== null && webhookSealer(root).unseal(secret).kind === 'opened') return [];
  return [
    warning(
      'banners_webhook_secret cannot be decrypted: it was stored under another root secret, and receivers refuse the messages',
      'Set HCD_SECRET as it was, or hcd setting set banners_webhook_secret VALUE',
    ),
  ];
}
