/** `hcd oauth client add`: create an OAuth client. */
import { choiceValue, listValue } from '../../../src/config/value-type.js';
import { addClient } from '../../../src/identity/oauth/manage-clients.js';
import { grantTypes } from '../../../src/identity/oauth/oauth-service.js';
import { defineSiteCommand, type Notes } from '../../command.js';
import { makerOf } from '../../deps.js';
import { offerScopes, scopeSuggestions, scopesValue } from '../../key/shared.js';
import { labelValue, optional, rateParameters, required } from '../../parameters.js';
import { clientParameter, issuedRecord } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Creates a client and prints its secret. The secret is shown only once: the database stores a digest. The client exchanges its id and secret at POST /auth/token for access tokens that expire after gateway_oauth_token_ttl seconds. A token has the scopes of the client, or fewer if the client asks for fewer. Scopes are the same as for API keys (hcd key create --help).\n\nThe exchange requires gateway_oauth_enabled. With the grant password a client gets tokens for users who enter their name and password; it also requires gateway_oauth_password_grant_enabled.\n\nThe rate limit of the gateway (gateway_rate_limit_*) applies to each token; --rate-limit and --rate-window set another limit.',
  arguments: { clientId: clientParameter },
  options: {
    scopes: required(scopesValue, {
      description: 'Scopes of its tokens, separated by commas',
      suggestions: scopeSuggestions,
      question: 'Scopes of its tokens',
    }),
    name: optional(labelValue, 'A label for the client (default: its id)'),
    grants: optional(
      listValue(choiceValue(grantTypes), { min: 1 }),
      'Allowed grants, separated by commas (default: client_credentials)',
    ),
    ...rateParameters('Requests per token and window'),
  },
  examples: {
    'oauth client add website --scopes resources.read,preview':
      'Create a client that reads published and unpublished content',
    'oauth client add importer --scopes * --name "Night import" --json':
      'Create a client with all scopes and print it as JSON',
    'oauth client add app --scopes resources.read --grants client_credentials,password':
      'Create a client whose users can log in',
  },
  offers: { scopes: offerScopes },
  async run(options, deps) {
    const { clientId, scopes, name, grants = ['client_credentials'], rateLimit, rateWindow } = options;
    const client = await addClient(deps.store, {
      registry: await deps.registry(),
      clientId,
      name: name ?? null,
      scopes,
      grants,
      rateLimit: { max: rateLimit ?? null, windowSeconds: rateWindow ?? null },
      createdBy: makerOf(deps),
      now: deps.clock.now(),
    });
    const values = await deps.settings('gateway');
    const needsSwitch = grants.includes('password') && !values.gateway_oauth_password_grant_enabled;
    const notes: Notes = [
      'Copy the secret now: it is not shown again.',
      `The client gets tokens at POST ${values.gateway_api_prefix}/v1/auth/token with grant_type=${grants.join(' or ')}.`,
      needsSwitch && 'The grant password is off. Turn it on: hcd setting set gateway_oauth_password_grant_enabled 1',
      client.scopes.includes('*') && 'The scope * grants everything, including deleting.',
      !values.gateway_oauth_enabled && 'OAuth is off. Turn it on: hcd setting set gateway_oauth_enabled 1',
    ];
    return { kind: 'record', record: issuedRecord(client), notes };
  },
});
