/** `hcd oauth client add CLIENT_ID`: a new OAuth client. */
import { choiceValue, integerValue, listValue } from '../../../src/config/value-type.js';
import { readRuntimeSettings } from '../../../src/content/settings/settings.js';
import { addClient } from '../../../src/identity/oauth/manage-clients.js';
import { grantTypes } from '../../../src/identity/oauth/oauth-service.js';
import { defineCommand } from '../../command.js';
import { offerScopes } from '../../key/create.js';
import { scopeSuggestions, scopesValue } from '../../key/shared.js';
import { labelValue, optional, required } from '../../parameters.js';
import { openSiteRegistry } from '../../store/open-registry.js';
import { clientParameter, issuedRecord } from '../shared.js';

export const command = defineCommand({
  path: 'oauth client add',
  summary: 'Create an OAuth client',
  description:
    'Creates a client and prints its secret. The secret is shown only once: the database stores a digest. The client exchanges its id and secret at POST /auth/token for access tokens that expire after gateway_oauth_token_ttl seconds. A token has the scopes of the client, or fewer if the client asks for fewer. Scopes are the same as for API keys (hcd key create --help).\n\nThe exchange requires gateway_oauth_enabled. With the grant password a client gets tokens for users who enter their name and password; it also requires gateway_oauth_password_grant_enabled.\n\nThe rate limit of the gateway (gateway_rate_limit_*) applies to each token; --rate-limit and --rate-window set another limit.',
  arguments: { clientId: clientParameter },
  options: {
    scopes: required(scopesValue, {
      placeholder: 'LIST',
      description: 'Scopes of its tokens, separated by commas',
      suggestions: scopeSuggestions,
      question: 'Scopes of its tokens',
    }),
    name: optional(labelValue, {
      placeholder: 'NAME',
      description: 'A label for the client (default: its id)',
    }),
    grants: optional(listValue(choiceValue(grantTypes), { min: 1 }), {
      placeholder: 'LIST',
      description: 'Allowed grants, separated by commas (default: client_credentials)',
    }),
    rateLimit: optional(integerValue({ min: 1, max: 1_000_000_000 }), {
      placeholder: 'N',
      description: 'Requests per token and window (default: gateway_rate_limit_max_requests)',
    }),
    rateWindow: optional(integerValue({ min: 1, max: 86_400 }), {
      placeholder: 'SECONDS',
      description: 'Length of the window (default: gateway_rate_limit_window_seconds)',
    }),
  },
  examples: [
    {
      line: 'oauth client add website --scopes resources.read,preview',
      does: 'Create a client that reads published and unpublished content',
    },
    {
      line: 'oauth client add importer --scopes * --name "Night import" --json',
      does: 'Create a client with all scopes and print it as JSON',
    },
    {
      line: 'oauth client add app --scopes resources.read --grants client_credentials,password',
      does: 'Create a client whose users can log in',
    },
  ],
  offers: { scopes: offerScopes },
  async run(options, deps) {
    const { clientId, scopes, name, grants = ['client_credentials'], rateLimit, rateWindow } = options;
    const store = await deps.openReady();
    const registry = await openSiteRegistry(deps, store);
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
      'Copy the secret now: it is not shown again.',
      `The client gets tokens at POST ${values.gateway_api_prefix}/v1/auth/token with grant_type=${grants.join(' or ')}.`,
      ...(needsSwitch
        ? ['The grant password is off. Turn it on: hcd setting set gateway_oauth_password_grant_enabled 1']
        : []),
      ...(client.scopes.includes('*') ? ['The scope * grants everything, including deleting.'] : []),
      ...(values.gateway_oauth_enabled ? [] : ['OAuth is off. Turn it on: hcd setting set gateway_oauth_enabled 1']),
    ];
    return { kind: 'record', record: issuedRecord(client), notes };
  },
});
