/** `hcd oauth client add CLIENT_ID`: a client that may get access tokens. */
import { choiceValue, integerValue, listValue, textValue } from '../../../src/config/value-type.js';
import { grantTypes } from '../../../src/identity/oauth/grant.js';
import { defineCommand } from '../../command.js';
import { offerScopes } from '../../key/offer-scopes.js';
import { optional, required } from '../../parameters.js';
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
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-add.js')).runAdd(options, deps),
});
