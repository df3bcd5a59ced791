/** `hcd key create`: create an API key. */

import { choiceValue, textValue } from '../../src/config/value-type.js';
import type { Registry } from '../../src/content/objects/definition.js';
import { issueKey } from '../../src/identity/keys/manage-keys.js';
import { defineCommand } from '../command.js';
import { makerOf } from '../deps.js';
import { labelValue, optional, rateParameters, required, usageError } from '../parameters.js';
import { endOf, expiryValue, issuedRecord, offerScopes, scopeSuggestions, scopesValue } from './shared.js';

/** What `--for build` allows: a site of 10,000 pages within a few minutes. */
const buildRate = Object.freeze({ max: 6000, windowSeconds: 60 });

export const command = defineCommand({
  description:
    'Creates an API key for the gateway and prints it. The key is shown only once: the database stores a digest, so a lost key has to be replaced. Clients send it as "Authorization: Bearer KEY" or "X-API-Key: KEY". It works immediately, without a restart.\n\nA scope is OBJECT.read, OBJECT.create, OBJECT.update or OBJECT.delete for a registered object (hcd object list), media.create, media.read or media.delete for files, preview for unpublished content, context.KEY for a context that anonymous callers cannot use, fields.FIELD for a protected field, or * for everything. Grant only what the client needs. The key sees the content that anonymous callers see, or with --user the content that this user sees. A key with --user stops working when the user is deactivated, blocked or removed.\n\nThe rate limit of the gateway (gateway_rate_limit_*) applies to the key. --rate-limit and --rate-window set another limit; --for build sets the limit for a job that reads a whole site.',
  options: {
    scopes: required(scopesValue, {
      description: 'Scopes of the key, separated by commas',
      suggestions: scopeSuggestions,
      question: 'Scopes of the key',
    }),
    name: optional(labelValue, 'A label for the key'),
    expires: optional(expiryValue, { placeholder: 'WHEN', description: 'Expiry (default: never)' }),
    user: optional(textValue(), { placeholder: 'NAME', description: 'User whose access rights the key has' }),
    for: optional(choiceValue(['build']), {
      placeholder: 'USE',
      description: `Use of the key: build allows ${buildRate.max} requests per minute`,
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
});

function pathFor(registry: Registry, scopes: readonly string[]): string {
  if (scopes.includes('*')) return '/resources';
  const name = scopes.find((scope) => scope.endsWith('.read'))?.slice(0, -'.read'.length);
  if (name === undefined) return '/';
  return [registry.resources, ...registry.elements].some((core) => core.name === name)
    ? `/${name}`
    : `/objects/${name}`;
}
