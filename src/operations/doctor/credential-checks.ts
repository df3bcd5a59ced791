/** Checks of who may come in: API keys and OAuth clients that may do too much for too long, users who cannot log in. */
import type { Clock } from '../../clock/clock.js';
import { schemeOf } from '../../crypto/password.js';
import { type KeyView, listKeys } from '../../identity/keys/key-view.js';
import { listClients } from '../../identity/oauth/manage-clients.js';
import type { Store } from '../../store/open/open.js';
import { hasTable } from '../../store/state/ledger.js';
import { isoTimeOfMs } from '../../values/dates.js';
import { type Check, count, type Finding, ok, type StoreFacts, sample, warning } from './check.js';
import { checkSecrets } from './secrets-check.js';

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
            `${count(endless.length, 'key', 'keys')} may do everything (*) and never ${endless.length === 1 ? 'expires' : 'expire'}: ${named(endless)}`,
            `Make a key with fewer scopes or an end (hcd key create --expires 90d), then hcd key revoke ${endless[0]?.id}`,
          ),
        ]),
    ...(ending.length === 0
      ? []
      : [
          warning(
            `${count(ending.length, 'key expires', 'keys expire')} within 14 days: ${named(ending)}`,
            'Make new ones in time: hcd key list shows scopes and ends, hcd key create --expires 90d makes one',
          ),
        ]),
    ...(refused.length === 0
      ? []
      : [
          warning(
            `${count(refused.length, 'key acts', 'keys act')} for a user who may not log in, and every request is refused: ${named(refused)}`,
            `Let the user log in again, or hcd key revoke ${refused[0]?.id}`,
          ),
        ]),
  ];
  return findings.length > 0 ? findings : ok(`${working.length} of ${count(keys.length, 'key works', 'keys work')}`);
}

/** Such as `3 (website, 2026-12-01T09:30:00Z)`. */
function named(keys: readonly KeyView[]): string {
  return sample(
    keys.map(({ id, name, expiresOn }) => {
      const facts = [name, expiresOn === null ? null : isoTimeOfMs(expiresOn)].filter((fact) => fact !== null);
      return facts.length === 0 ? `${id}` : `${id} (${facts.join(', ')})`;
    }),
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

/** A text that is no hash locks an account: whoever wrote it knew why, as long as the class is one that we know. */
async function checkUsers({ store: { content, prefix, tables } }: StoreFacts): Promise<Finding | Finding[]> {
  if (!tables.has(`${prefix}users`)) return ok('there is no table of users');
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
            `hcd user passwd ${foreign[0]} sets one that both understand`,
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
