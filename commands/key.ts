/** `hcd key`: API keys of the gateway. */

import { choiceValue, textValue } from '../src/config/value-type.js';
import type { Registry } from '../src/content/objects/definition.js';
import {
  type ApiKeySelector,
  type IssuedKey,
  issueKey,
  type KeyView,
  listKeys,
  loadKey,
  revokeKey,
  rotateKey,
} from '../src/identity/keys/manage-keys.js';
import { isoTimeOfMs } from '../src/values/dates.js';
import { wordList } from '../src/values/text.js';
import { defineCommand, defineSiteCommand, recordOf } from './command.js';
import {
  endOf,
  expiryValue,
  historyMembers,
  idSelector,
  offerScopes,
  rateParameters,
  scopeSuggestions,
  scopesValue,
  selectorValue,
} from './credentials.js';
import { makerOf } from './deps.js';
import { labelValue, optional, overlapParameters, required, toggle, usageError, withoutOverlap } from './parameters.js';

const keyParameter = required(
  selectorValue<ApiKeySelector>(
    { accepts: 'the id or the lookup id (16 hexadecimal digits) of a key', list: 'hcd key list' },
    (text) => (/^[0-9a-f]{16}$/.test(text) ? { lookupId: text } : idSelector(text)),
  ),
  'Id or lookup id of the key; the lookup id is the part between the underscores of the key',
  { placeholder: 'ID' },
);

export function issuedRecord(key: IssuedKey) {
  return recordOf(key, ['id', 'name', 'key', 'lookupId', 'scopes', 'expiresOn']);
}

function keyRecord(key: KeyView) {
  return {
    ...recordOf(key, ['id', 'name', 'lookupId', 'scopes', 'state', 'user', 'rateLimitMax', 'rateLimitWindow']),
    ...recordOf(key, ['expiresOn', 'lastUsedOn', ...historyMembers]),
  };
}

/** What `--for build` allows: a site of 10,000 pages within a few minutes. */
const buildRate = Object.freeze({ max: 6000, windowSeconds: 60 });

const columns = wordList(
  'id name lookup_id scopes state user expires_on last_used_on rate_limit_max rate_limit_window previous_ends_on',
);

export const commands = {
  create: defineCommand({
    description:
      'Creates an API key for the gateway and prints it. The key is shown only once: the database stores a digest, so a lost key has to be replaced. Clients send it as "Authorization: Bearer KEY" or "X-API-Key: KEY". It works immediately, without a restart.\n\nA scope is OBJECT.read, OBJECT.create, OBJECT.update or OBJECT.delete for a registered object (hcd object list), media.create, media.read or media.delete for files, preview for unpublished content, context.KEY for a context that anonymous callers cannot use, fields.FIELD for a protected field, or * for everything. Grant only what the client needs. The key sees the content that anonymous callers see, or with --user the content that this user sees. A key with --user stops working when the user is deactivated, blocked or removed.\n\nThe rate limit of the gateway (gateway_rate_limit_*) applies to the key. --rate-limit and --rate-window set another limit; --for build sets the limit for a job that reads a whole site.',
    options: {
      scopes: required(scopesValue, 'Scopes of the key, separated by commas', {
        suggestions: scopeSuggestions,
        question: 'Scopes of the key',
      }),
      name: optional(labelValue, 'A label for the key'),
      expires: optional(expiryValue, 'Expiry (default: never)', { placeholder: 'WHEN' }),
      user: optional(textValue(), 'User whose access rights the key has', { placeholder: 'NAME' }),
      for: optional(choiceValue(['build']), `Use of the key: build allows ${buildRate.max} requests per minute`, {
        placeholder: 'USE',
      }),
      ...rateParameters('Requests per window'),
    },
    examples: {
      'key create --scopes resources.read --name website --expires 90d':
        'Create a key for a website that expires in 90 days',
      'key create --scopes resources.read,preview --user editor --json':
        'Create a preview key for a user and print it as JSON',
      'key create --scopes resources.read --rate-limit 1200 --rate-window 60':
        'Create a key that allows 1200 requests per minute',
      'key create --scopes resources.read --for build --name static-site':
        'Create a key for a job that reads the whole site',
    },
    offers: { scopes: offerScopes },
    async run({ scopes, name, expires, user, for: use, rateLimit, rateWindow }, deps) {
      const own = [
        ...(rateLimit === undefined ? [] : ['--rate-limit']),
        ...(rateWindow === undefined ? [] : ['--rate-window']),
      ];
      if (use !== undefined && own.length > 0) {
        throw usageError({ '--for': `cannot be combined with ${own[0]}: ${use} sets the rate limit` });
      }
      const now = deps.clock.now();
      const expiresOn = endOf(expires, now);
      const site = await deps.openSite();
      const registry = await site.registry();
      const key = await issueKey(site.store, {
        registry,
        scopes,
        name: name ?? null,
        expiresOn,
        username: user ?? null,
        rateLimit: use === undefined ? { max: rateLimit ?? null, windowSeconds: rateWindow ?? null } : buildRate,
        createdBy: makerOf(deps),
        now,
      });
      const settings = await site.settings('gateway');
      const url = `${await site.addressOf('gateway')}${settings.gateway_api_prefix}/v1${pathFor(registry, scopes)}`;
      return {
        kind: 'record',
        record: issuedRecord(key),
        notes: [
          'Copy the key now: it is not shown again.',
          // The shell fills in the key, so that it does not end up in a history or a log.
          `To try the key, with GATEWAY_KEY set to it: curl -H "Authorization: Bearer $GATEWAY_KEY" '${url}'`,
          scopes.includes('*') && 'The scope * grants everything, including deleting.',
          !settings.gateway_enabled && 'The gateway is off. Turn it on: hcd setting set gateway_enabled 1',
        ],
      };
    },
  }),

  list: defineSiteCommand({
    description:
      'Lists all API keys with their scopes, state, expiry and last use. Secrets are never shown. States: active, expires_soon (within 14 days), expired, revoked, and user_inactive (the user of the key was deactivated, blocked or removed). rate_limit_max and rate_limit_window (seconds) are empty when the settings of the gateway apply. The last use is recorded at most once a minute. previous_ends_on is when the secret before the last rotation stops working. A narrow terminal shows fewer columns and names the missing ones.',
    options: { usable: toggle('Show only keys that work now') },
    examples: {
      'key list': 'List all keys',
      'key list --usable --json': 'List the keys that work as JSON',
    },
    async run({ usable }, deps) {
      const keys = await listKeys(deps.store, deps.clock.now());
      const shown = usable ? keys.filter(({ state }) => state === 'active' || state === 'expires_soon') : keys;
      return {
        kind: 'list',
        columns,
        spare: ['rate_limit_window', 'rate_limit_max', 'lookup_id', 'user', 'previous_ends_on'],
        marks: { state: { expires_soon: 'warning', user_inactive: 'warning', expired: 'past', revoked: 'past' } },
        rows: shown.map(keyRecord),
        empty: 'No API keys. Create one: hcd key create --scopes resources.read',
      };
    },
  }),

  show: defineSiteCommand({
    description:
      'Shows an API key: name, scopes, state, user, and when it was created, rotated, used and revoked. rate_limit_max and rate_limit_window (seconds) are empty when the settings of the gateway apply. previous_ends_on is when the secret before the last rotation stops working. The secret itself is not stored.',
    arguments: { id: keyParameter },
    examples: {
      'key show 3': 'Show the key with id 3',
      'key show 5f0c1f9e8d7a6b43 --json': 'Show the key that a log line names, as JSON',
    },
    async run({ id }, deps) {
      return { kind: 'record', record: keyRecord(await loadKey(deps.store, id, deps.clock.now())) };
    },
  }),

  rotate: defineSiteCommand({
    description:
      'Creates a new secret for a key and prints the key. The key is shown only once. Id, lookup id, scopes, user and expiry stay the same. Without --overlap the old secret stops working within one second. With --overlap both secrets work for that time, so that you can update clients one by one. During an overlap the key can be rotated again only without --overlap, which revokes all older secrets. After a leak, rotate without --overlap.',
    arguments: { id: keyParameter },
    options: overlapParameters('the old secret keeps working'),
    examples: {
      'key rotate 3 --overlap 7d': 'Keep the old secret valid for a week',
      'key rotate 3 --yes --json': 'Replace a leaked secret immediately',
    },
    destructive: withoutOverlap,
    async run({ id, overlap = 0 }, deps) {
      if (overlap === 0)
        await deps.confirm('Revoke the old secret of the key immediately? Use --overlap to keep it valid for a while.');
      const { key, previousEndsOn } = await rotateKey(deps.store, {
        selector: id,
        overlap: overlap * 1000,
        now: deps.clock.now(),
      });
      return {
        kind: 'record',
        record: issuedRecord(key),
        notes: [
          'Copy the key now: it is not shown again.',
          previousEndsOn === null
            ? 'The old secret stops working within one second.'
            : `The old secret works until ${isoTimeOfMs(previousEndsOn)}.`,
        ],
      };
    },
  }),

  revoke: defineSiteCommand({
    description:
      'Revokes a key permanently. Every server refuses it within one second, with 401 invalid_token. A revoked key stays in the list and cannot be restored.',
    arguments: { id: keyParameter },
    examples: {
      'key revoke 3': 'Revoke the key with id 3',
      'key revoke 5f0c1f9e8d7a6b43 --yes': 'Revoke a leaked key by its lookup id',
    },
    destructive: {},
    async run({ id }, deps) {
      const now = deps.clock.now();
      await deps.confirm(async () => {
        const key = await loadKey(deps.store, id, now);
        const used = key.lastUsedOn === null ? 'never used' : `last used ${isoTimeOfMs(key.lastUsedOn)}`;
        return key.state === 'revoked' ? null : `Revoke ${title(key)} (${used}) permanently?`;
      });
      const { key, wasRevoked } = await revokeKey(deps.store, id, now);
      const message = wasRevoked
        ? `Already revoked at ${isoTimeOfMs(key.revokedOn)}: ${title(key)}. Nothing to do.`
        : `Revoked ${title(key)}. Servers refuse it within one second.`;
      return { kind: 'done', message, data: keyRecord(key) };
    },
  }),
};

function pathFor(registry: Registry, scopes: readonly string[]): string {
  if (scopes.includes('*')) return '/resources';
  const name = scopes.find((scope) => scope.endsWith('.read'))?.slice(0, -'.read'.length);
  if (name === undefined) return '/';
  return [registry.resources, ...registry.elements].some((core) => core.name === name)
    ? `/${name}`
    : `/objects/${name}`;
}

function title({ id, name, lookupId }: KeyView): string {
  return `key ${id}${name === null ? '' : ` "${name}"`} (${lookupId})`;
}
