/** Checks of credentials: API keys and OAuth clients with too many scopes or no expiry, users who cannot log in. */
import { variableOf } from '../../config/definitions.js';
import { type SettingKey, settingDefinition } from '../../config/settings.js';
import { readRuntimeSettings } from '../../content/settings/settings.js';
import { schemeOf } from '../../crypto/password.js';
import { isSealed } from '../../crypto/seal.js';
import { type KeyView, listKeys } from '../../identity/keys/manage-keys.js';
import { listClients } from '../../identity/oauth/manage-clients.js';
import { tokenView } from '../../identity/page-tokens/manage-tokens.js';
import { guessableBelow, readKeptKey, readTokenSettings } from '../../identity/page-tokens/token-settings.js';
import { hasTable } from '../../store/base/columns.js';
import { isUsualSecret, readState } from '../../store/state/state.js';
import { isoTimeOfMs, isoTimeOfSeconds } from '../../values/dates.js';
import { countOf } from '../../values/text.js';
import { webhookSealer } from '../../webhooks/administration/secrets.js';
import {
  type Check,
  error,
  type Finding,
  fixCommand,
  ok,
  orOk,
  type StoreFacts,
  sample,
  warning,
  when,
} from './check.js';

export const credentialChecks: readonly Check[] = [
  { name: 'keys', needs: 'content', table: 'hcd_api_keys', run: checkKeys },
  { name: 'oauth-clients', needs: 'content', table: 'hcd_oauth_tokens', run: checkClients },
  { name: 'users', needs: 'content', run: checkUsers },
  { name: 'secrets', needs: 'content', run: checkSecrets },
  { name: 'page-tokens', needs: 'content', run: checkTokens },
];

async function checkKeys({ store, clock }: StoreFacts): Promise<readonly Finding[]> {
  const keys = await listKeys(store, clock.now());
  const working = keys.filter(({ state }) => state === 'active' || state === 'expires_soon');
  const endless = working.filter(({ scopes, expiresOn }) => scopes.includes('*') && expiresOn === null);
  const ending = working.filter(({ state }) => state === 'expires_soon');
  const refused = keys.filter(({ state }) => state === 'user_inactive');
  const endlessText = warning(
    `${countOf(endless.length, 'key')} may do everything (*) and never ${endless.length === 1 ? 'expires' : 'expire'}: ${namedKeys(endless)}`,
    `Create a key with fewer scopes or an expiry (hcd key create --expires 90d), then run hcd key revoke ${endless[0]?.id}`,
  );
  const endingText = warning(
    `${countOf(ending.length, 'key expires', 'keys expire')} within 14 days: ${namedKeys(ending)}`,
    'Create new keys in time: hcd key list shows scopes and expiry times, hcd key create --expires 90d creates a key',
    fixCommand('key create', [], { expires: '90d', scopes: null }),
  );
  const refusedText = warning(
    `${countOf(refused.length, 'key acts', 'keys act')} for a user who may not log in, and every request is refused: ${namedKeys(refused)}`,
    `Let the user log in again, or hcd key revoke ${refused[0]?.id}`,
    fixCommand(
      'key revoke',
      refused.slice(0, 1).map(({ id }) => id),
    ),
  );
  const findings = [
    ...when(endless.length > 0, endlessText),
    ...when(ending.length > 0, endingText),
    ...when(refused.length > 0, refusedText),
  ];
  return orOk(findings, `${working.length} of ${countOf(keys.length, 'key works', 'keys work')}`);
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

async function checkClients({ store, clock }: StoreFacts): Promise<Finding> {
  const clients = (await listClients(store, clock.now())).filter(({ state }) => state === 'active');
  const endless = clients.filter(({ scopes }) => scopes.includes('*')).map(({ clientId }) => clientId);
  if (endless.length === 0) return ok(`${countOf(clients.length, 'client')} that may get tokens`);
  return warning(
    `${countOf(endless.length, 'client')} may get tokens for everything (*), and their secrets never expire: ${sample(endless)}`,
    'Add a client with the scopes that it needs (hcd oauth client add), then hcd oauth client revoke the old one',
  );
}

/** A text that is not a hash locks an account on purpose, as long as the class is a known one. */
async function checkUsers({ store: { content, prefix, tables } }: StoreFacts): Promise<readonly Finding[]> {
  if (!tables.has(`${prefix}users`)) return [ok('no table of users yet')];
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
  const able = users.filter(({ scheme }) => scheme !== 'unknown').length;
  const foreignText = warning(
    `${countOf(foreign.length, 'user has a password', 'users have passwords')} of a kind that hcd cannot verify, and cannot log in here: ${sample(foreign)}`,
    `hcd user passwd ${foreign[0]} sets a password that hcd and the CMS can verify`,
    fixCommand('user passwd', foreign.slice(0, 1), { generate: true }),
  );
  const weakText = warning(
    `${countOf(weak.length, 'password is', 'passwords are')} stored as MD5, which is guessed quickly once it leaks: ${sample(weak)}`,
    `hcd user passwd ${weak[0]}`,
    fixCommand('user passwd', weak.slice(0, 1), { generate: true }),
  );
  return orOk(
    [...when(foreign.length > 0, foreignText), ...when(weak.length > 0, weakText)],
    `${able} of ${countOf(users.length, 'active user has', 'active users have')} a password`,
  );
}

/** Names of version 2 and 3 of the CMS end alike. */
function isForeign(hashClass: string): boolean {
  return !/(?:modNative|modPBKDF2|modMD5)$/.test(hashClass);
}

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
      `${countOf(ending.length, 'page token expires', 'page tokens expire')} within 14 days: ${sample(ending.map(({ id, name, expires }) => named(id, [name, isoTimeOfSeconds(expires)])))}`,
      'Create new tokens in time: hcd token list shows scopes and expiry times, hcd token create --expires 90d creates a token',
      fixCommand('token create', [], { expires: '90d', scopes: null }),
    );
  }
  const endless = working.filter(({ expires }) => expires === null).length;
  const works = `${working.length} of ${countOf(tokens.length, 'page token works', 'page tokens work')}`;
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

async function checkSecrets(facts: StoreFacts): Promise<readonly Finding[]> {
  const { store, env, configuration } = facts;
  const { values, sources } = await readRuntimeSettings(store, env);
  const { pages_public_api_key: publicKey, banners_webhook_secret: webhookSecret } = values;
  const isStoredClear = (key: SecretKey) => sources[key] === 'database' && isClear(key, values[key]);
  const noRoot = warning(
    'HCD_SECRET is not set: the database stores its encrypted secrets next to their key',
    'Set HCD_SECRET to 32 random characters or more, then give webhooks new secrets: hcd webhook rotate-secret ID',
  );
  const short = warning(
    `pages_public_api_key is shorter than ${guessableBelow} characters and can be guessed`,
    'hcd setting set pages_public_api_key VALUE',
    fixCommand('setting set', ['pages_public_api_key']),
  );
  const lost = warning(
    'banners_webhook_secret cannot be decrypted: it was stored under another root secret, and receivers refuse the messages',
    'Set HCD_SECRET as it was, or hcd setting set banners_webhook_secret VALUE',
    fixCommand('setting set', ['banners_webhook_secret']),
  );
  const { secret } = configuration.config;
  const other = error(
    'HCD_SECRET is not the one with which this store was first served: what is encrypted cannot be read, and previews are refused',
    'Set HCD_SECRET as it was. After a change on purpose, give webhooks new secrets (hcd webhook rotate-secret ID), then: hcd db check --repair',
  );
  const hasState = await hasTable(store.own.primary, 'hcd_state');
  const findings = [
    ...when(hasState && !(await isUsualSecret(store.own.primary, secret)), other),
    ...when(secret === null, noRoot),
    // Every other key is refused when it is short.
    ...when(publicKey !== '' && readKeptKey(publicKey).isShort, short),
    ...secrets.filter((key) => values[key] !== '' && isStoredClear(key)).map(clearFinding),
    ...when(isSealed(webhookSecret) && !(await canUnseal(facts, webhookSecret)), lost),
  ];
  return orOk(findings, 'no key is short, and none is stored in the clear');
}

function isClear(key: SecretKey, value: string): boolean {
  return !isSealed(value) && !(key === 'pages_public_api_key' && readKeptKey(value).digest !== null);
}

function clearFinding(key: SecretKey): Finding {
  const isKept = settingDefinition(key).kept !== 'clear';
  const elsewhere = `Guard the database and its backups, or give it as ${variableOf(key)} instead`;
  return warning(
    `${key} is stored in the clear: anyone who reads the database or a backup can use it`,
    isKept ? `hcd setting set ${key} VALUE stores it in a form that gives nothing away` : elsewhere,
    isKept ? fixCommand('setting set', [key]) : undefined,
  );
}

async function canUnseal({ store, configuration: { config } }: StoreFacts, secret: string): Promise<boolean> {
  const own = store.own.primary;
  const root = config.secret ?? ((await hasTable(own, 'hcd_state')) ? await readState(own, 'root_secret') : null);
  return root !== null && webhookSealer(root).unseal(secret).kind === 'opened';
}
