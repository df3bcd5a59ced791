/** `hcd key create`: a new API key for the gateway. */
import { choiceValue, integerValue, textValue } from '../../src/config/value-type.js';
import type { Registry } from '../../src/content/objects/definition.js';
import { siteScopes } from '../../src/content/objects/known-scopes.js';
import { readRuntimeSettings } from '../../src/content/settings/settings.js';
import { issueKey } from '../../src/identity/keys/manage-keys.js';
import type { Store } from '../../src/store/open/open.js';
import { defineCommand } from '../command.js';
import type { Deps } from '../deps.js';
import { labelValue, optional, required } from '../parameters.js';
import { openSiteRegistry } from '../store/open-registry.js';
import { usageError } from '../usage-error.js';
import {
  buildRate,
  type Expiry,
  endOf,
  expiryValue,
  issuedRecord,
  origin,
  scopeSuggestions,
  scopesValue,
} from './shared.js';

interface CreateOptions {
  readonly scopes: readonly string[];
  readonly name: string | undefined;
  readonly expires: Expiry | undefined;
  readonly user: string | undefined;
  readonly for: 'build' | undefined;
  readonly rateLimit: number | undefined;
  readonly rateWindow: number | undefined;
}

export const command = defineCommand({
  path: 'key create',
  summary: 'Create an API key',
  description:
    'Creates an API key for the gateway and prints it. The key is shown only once: the database stores a digest, so a lost key has to be replaced. Clients send it as "Authorization: Bearer KEY" or "X-API-Key: KEY". It works immediately, without a restart.\n\nA scope is OBJECT.read, OBJECT.create, OBJECT.update or OBJECT.delete for a registered object (hcd object list), preview for unpublished content, context.KEY for a context that anonymous callers cannot use, fields.FIELD for a protected field, or * for everything. Grant only what the client needs. The key sees the content that anonymous callers see, or with --user the content that this user sees. A key with --user stops working when the user is deactivated, blocked or removed.\n\nThe rate limit of the gateway (gateway_rate_limit_*) applies to the key. --rate-limit and --rate-window set another limit; --for build sets the limit for a job that reads a whole site.',
  arguments: {},
  options: {
    scopes: required(scopesValue, {
      placeholder: 'LIST',
      description: 'Scopes of the key, separated by commas',
      suggestions: scopeSuggestions,
      question: 'Scopes of the key',
    }),
    name: optional(labelValue, {
      placeholder: 'NAME',
      description: 'A label for the key',
    }),
    expires: optional(expiryValue, { placeholder: 'WHEN', description: 'Expiry (default: never)' }),
    user: optional(textValue(), {
      placeholder: 'NAME',
      description: 'User whose access rights the key has',
    }),
    for: optional(choiceValue(['build']), {
      placeholder: 'USE',
      description: `Use of the key: build allows ${buildRate.max} requests per minute`,
    }),
    rateLimit: optional(integerValue({ min: 1, max: 1_000_000_000 }), {
      placeholder: 'N',
      description: 'Requests per window (default: gateway_rate_limit_max_requests)',
    }),
    rateWindow: optional(integerValue({ min: 1, max: 86_400 }), {
      placeholder: 'SECONDS',
      description: 'Length of the window (default: gateway_rate_limit_window_seconds)',
    }),
  },
  examples: [
    {
      line: 'key create --scopes resources.read --name website --expires 90d',
      does: 'Create a key for a website that expires in 90 days',
    },
    {
      line: 'key create --scopes resources.read,preview --user editor --json',
      does: 'Create a preview key for a user and print it as JSON',
    },
    {
      line: 'key create --scopes resources.read --rate-limit 1200 --rate-window 60',
      does: 'Create a key that allows 1200 requests per minute',
    },
    {
      line: 'key create --scopes resources.read --for build --name static-site',
      does: 'Create a key for a job that reads the whole site',
    },
  ],
  offers: { scopes: offerScopes },
  async run(options, deps) {
    const { scopes, name, expires, user } = options;
    const rateLimit = rateOf(options);
    const now = deps.clock.now();
    const expiresOn = endOf(expires, now);
    const store = await deps.openReady();
    const registry = await openSiteRegistry(deps, store);
    const key = await issueKey(store, {
      registry,
      scopes,
      name: name ?? null,
      expiresOn,
      username: user ?? null,
      rateLimit,
      createdBy: 'command',
      now,
    });
    return { kind: 'record', record: issuedRecord(key), notes: await usageNotes(deps, { store, registry, scopes }) };
  },
});

function rateOf({ for: use, rateLimit, rateWindow }: CreateOptions): Parameters<typeof issueKey>[1]['rateLimit'] {
  if (use === undefined) return { max: rateLimit ?? null, windowSeconds: rateWindow ?? null };
  const own = rateLimit === undefined ? '--rate-window' : '--rate-limit';
  if (rateLimit !== undefined || rateWindow !== undefined) {
    throw usageError({ '--for': `cannot be combined with ${own}: ${use} sets the rate limit` });
  }
  return buildRate;
}

export async function offerScopes(deps: Deps): Promise<readonly string[]> {
  const store = await deps.openReady();
  const registry = await openSiteRegistry(deps, store);
  return siteScopes(store, registry);
}

interface Fresh {
  readonly store: Store;
  readonly registry: Registry;
  readonly scopes: readonly string[];
}

async function usageNotes(deps: Deps, { store, registry, scopes }: Fresh): Promise<readonly string[]> {
  const { values } = await readRuntimeSettings(store, deps.env);
  const url = `${origin(deps)}${values.gateway_api_prefix}/v1${pathFor(registry, scopes)}`;
  return [
    'Copy the key now: it is not shown again.',
    // The shell fills in the key, so that it does not end up in a history or a log.
    `To try the key, with GATEWAY_KEY set to it: curl -H "Authorization: Bearer $GATEWAY_KEY" '${url}'`,
    ...(scopes.includes('*') ? ['The scope * grants everything, including deleting.'] : []),
    ...(values.gateway_enabled ? [] : ['The gateway is off. Turn it on: hcd setting set gateway_enabled 1']),
  ];
}

/** The list that the first read scope allows; otherwise the root of the gateway. */
function pathFor(registry: Registry, scopes: readonly string[]): string {
  if (scopes.includes('*')) return '/resources';
  const name = scopes.find((scope) => scope.endsWith('.read'))?.slice(0, -'.read'.length);
  if (name === undefined) return '/';
  return [registry.resources, ...registry.elements].some((core) => core.name === name)
    ? `/${name}`
    : `/objects/${name}`;
}
