/** `hcd key create`: a new API key for the gateway. */
import { resolve } from 'node:path';
import { choiceValue, integerValue, textValue } from '../../src/config/value-type.js';
import { openRegistry } from '../../src/content/objects/object-registry.js';
import { issueKey } from '../../src/identity/keys/issue-key.js';
import { defineCommand } from '../command.js';
import { optional, required } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { usageError } from '../usage-error.js';
import { issuedRecord } from './key-record.js';
import { offerScopes } from './offer-scopes.js';
import { buildRate, type Expiry, endOf, expiryValue, scopeSuggestions, scopesValue } from './parameters.js';
import { usageNotes } from './usage-notes.js';

const nameAccepts = 'a text of 1 to 100 characters without line breaks and other controls';

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
  summary: 'Make an API key for the gateway',
  description:
    'Makes a key and prints it, once: the database keeps only a digest, so a lost key is replaced and never shown again. Clients send it as "Authorization: Bearer KEY" or as "X-API-Key: KEY". It works at once, without a restart.\n\nA scope is OBJECT.read, OBJECT.create, OBJECT.update or OBJECT.delete for a registered object (hcd object list), preview for content that is not published, context.KEY for a context that anonymous callers may not use, fields.FIELD for a protected field, or * for everything. Give a key no more than its client needs. What the key sees of the content follows the rights of anonymous callers, or with --user those of a user of the content system; such a key stops working when that user is deactivated, blocked or removed.\n\nRequests with the key are limited like all others (gateway_rate_limit_*); --rate-limit and --rate-window give it values of its own, and --for build gives those of a job that reads a whole site.',
  arguments: {},
  options: {
    scopes: required(scopesValue, {
      placeholder: 'LIST',
      description: 'What the key may do: scopes, separated by commas',
      suggestions: scopeSuggestions,
      question: 'What may the key do?',
    }),
    name: optional(textValue({ accepts: nameAccepts, pattern: /^(?=.*\S)\P{Cc}{1,100}$/u }), {
      placeholder: 'NAME',
      description: 'Whose key it is, for people',
    }),
    expires: optional(expiryValue, { placeholder: 'WHEN', description: 'When the key ends; never when left out' }),
    user: optional(textValue(), {
      placeholder: 'NAME',
      description: 'User of the content system whose rights decide what the key sees',
    }),
    for: optional(choiceValue(['build']), {
      placeholder: 'USE',
      description: `What the key is for: build allows ${buildRate.max} requests a minute`,
    }),
    rateLimit: optional(integerValue({ min: 1, max: 1_000_000_000 }), {
      placeholder: 'N',
      description: 'Requests in one window, instead of gateway_rate_limit_max_requests',
    }),
    rateWindow: optional(integerValue({ min: 1, max: 86_400 }), {
      placeholder: 'SECONDS',
      description: 'Length of the window, instead of gateway_rate_limit_window_seconds',
    }),
  },
  examples: [
    {
      line: 'key create --scopes resources.read --name website --expires 90d',
      does: 'Make a key with which a website reads for three months',
    },
    {
      line: 'key create --scopes resources.read,preview --user editor --json',
      does: 'Make a preview key for a script',
    },
    {
      line: 'key create --scopes resources.read --rate-limit 1200 --rate-window 60',
      does: 'Let a busy client send 1200 requests a minute',
    },
    {
      line: 'key create --scopes resources.read --for build --name static-site',
      does: 'Make a key for a job that reads the whole site',
    },
  ],
  offers: { scopes: offerScopes },
  async run(options, deps) {
    const { scopes, name, expires, user } = options;
    const rateLimit = rateOf(options);
    const now = deps.clock.now();
    const expiresOn = endOf(expires, now);
    const { config } = deps.loadConfig();
    const store = await openReady(deps);
    const registry = await openRegistry(store, {
      folder: resolve(deps.cwd, config.objects_dir),
      plugins: config.plugins,
    });
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
    throw usageError({ '--for': `${use} sets the rate limit; leave out ${own}, or --for` });
  }
  return buildRate;
}
