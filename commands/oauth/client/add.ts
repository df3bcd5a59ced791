/** `hcd oauth client add CLIENT_ID`: a client that may get access tokens. */
import { resolve } from 'node:path';
import { choiceValue, integerValue, listValue, textValue } from '../../../src/config/value-type.js';
import { openRegistry } from '../../../src/content/objects/object-registry.js';
import { readRuntimeSettings } from '../../../src/content/settings/runtime-settings.js';
import { addClient } from '../../../src/identity/oauth/add-client.js';
import { grantTypes } from '../../../src/identity/oauth/grant.js';
import { defineCommand } from '../../command.js';
import { offerScopes } from '../../key/offer-scopes.js';
import { optional, required } from '../../parameters.js';
import { openReady } from '../../store/open-ready.js';
import { issuedRecord } from '../oauth-record.js';
import { clientParameter } from '../parameters.js';

const scopeValue = textValue({ accepts: 'a scope such as resources.read', pattern: /^[^\s,]{1,191}$/ });
const nameAccepts = 'a text of 1 to 100 characters without line breaks and other controls';

export const command = defineCommand({
  path: 'oauth client add',
  summary: 'Make an OAuth client',
  description:
    'Makes a client and prints its secret, once: the database keeps only a digest. The client exchanges id and secret at POST /auth/token for access tokens that end by themselves after gateway_oauth_token_ttl seconds. A token can do what the client may do, or less if less was asked for. Scopes are those of API keys (hcd key create --help).\n\nThe exchange needs gateway_oauth_enabled. The grant password, by which a client gets tokens for users who give it their name and password, needs gateway_oauth_password_grant_enabled as well.\n\nRequests with its tokens are limited like all others (gateway_rate_limit_*); --rate-limit and --rate-window give each token of the client values of their own.',
  arguments: { clientId: clientParameter },
  options: {
    scopes: required(
      listValue(scopeValue, { min: 1, accepts: 'a comma list of scopes such as resources.read,preview' }),
      {
        placeholder: 'LIST',
        description: 'What its tokens may do: scopes, separated by commas',
        suggestions: ['resources.read', 'resources.create', 'resources.update', 'resources.delete', 'preview', '*'],
        question: 'What may its tokens do?',
      },
    ),
    name: optional(textValue({ accepts: nameAccepts, pattern: /^(?=.*\S)\P{Cc}{1,100}$/u }), {
      placeholder: 'NAME',
      description: 'Whose client it is, for people; the id when left out',
    }),
    grants: optional(listValue(choiceValue(grantTypes), { min: 1 }), {
      placeholder: 'LIST',
      description: 'How it may get tokens, separated by commas; client_credentials when left out',
    }),
    rateLimit: optional(integerValue({ min: 1, max: 1_000_000_000 }), {
      placeholder: 'N',
      description: 'Requests of a token in one window, instead of gateway_rate_limit_max_requests',
    }),
    rateWindow: optional(integerValue({ min: 1, max: 86_400 }), {
      placeholder: 'SECONDS',
      description: 'Length of the window, instead of gateway_rate_limit_window_seconds',
    }),
  },
  examples: [
    {
      line: 'oauth client add website --scopes resources.read,preview',
      does: 'Make a client whose tokens read everything that is published and not',
    },
    { line: 'oauth client add importer --scopes * --name "Night import" --json', does: 'Make a client for a script' },
    {
      line: 'oauth client add app --scopes resources.read --grants client_credentials,password',
      does: 'Make a client whose users may log in',
    },
  ],
  offers: { scopes: offerScopes },
  async run(options, deps) {
    const { clientId, scopes, name, grants = ['client_credentials'], rateLimit, rateWindow } = options;
    const { config } = deps.loadConfig();
    const store = await openReady(deps);
    const registry = await openRegistry(store, {
      folder: resolve(deps.cwd, config.objects_dir),
      plugins: config.plugins,
    });
    const client = await addClient(store, {
      registry,
      clientId,
      name: name ?? null,
      scopes,
      grants,
      rateLimit: { max: rateLimit ?? null, windowSeconds: rateWindow ?? null },
      createdBy: 'command',
      now: deps.clock.now(),
    });
    const { values } = await readRuntimeSettings(store, deps.env);
    const needsSwitch = grants.includes('password') && !values.gateway_oauth_password_grant_enabled;
    const notes = [
      'The secret is shown only now: store it where the client reads its secrets.',
      `Tokens come from POST ${values.gateway_api_prefix}/v1/auth/token with grant_type=${grants.join(' or ')}.`,
      ...(needsSwitch
        ? ['The grant password is switched off: hcd setting set gateway_oauth_password_grant_enabled 1']
        : []),
      ...(client.scopes.includes('*') ? ['The scope * grants everything, deleting included.'] : []),
      ...(values.gateway_oauth_enabled ? [] : ['OAuth is switched off: hcd setting set gateway_oauth_enabled 1']),
    ];
    return { kind: 'record', record: issuedRecord(client), notes };
  },
});
