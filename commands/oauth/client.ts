/** `hcd oauth client`: OAuth clients of the gateway. */
import { choiceValue, listValue, textValue } from '../../src/config/value-type.js';
import {
  addClient,
  type ClientRevocation,
  type ClientView,
  type IssuedClient,
  listClients,
  loadClient,
  revokeClient,
  rotateClientSecret,
} from '../../src/identity/oauth/manage-clients.js';
import { grantTypes } from '../../src/identity/oauth/oauth-service.js';
import { isoTimeOfMs } from '../../src/values/dates.js';
import { wordList } from '../../src/values/text.js';
import { defineSiteCommand, type Notes, recordOf } from '../command.js';
import { historyMembers, offerScopes, rateParameters, scopeSuggestions, scopesValue } from '../credentials.js';
import { makerOf } from '../deps.js';
import { labelValue, optional, overlapParameters, required, toggle, withoutOverlap } from '../parameters.js';

export const clientIdValue = textValue({
  accepts: 'a text of 1 to 64 characters without controls and without spaces at its ends',
  pattern: /^(?=\S)(?=.*\S$)\P{Cc}{1,64}$/u,
});

const clientParameter = required(clientIdValue, 'Id of the client', { placeholder: 'CLIENT_ID' });

function issuedRecord({ clientId, clientSecret, name, scopes, grants }: IssuedClient) {
  return { client_id: clientId, client_secret: clientSecret, name, scopes, grants };
}

function clientRecord(client: ClientView) {
  return {
    ...recordOf(client, ['clientId', 'name', 'scopes', 'grants', 'rateLimitMax', 'rateLimitWindow', 'state']),
    ...recordOf(client, ['liveTokens', 'lastUsedOn', ...historyMembers]),
  };
}

const columns = wordList('client_id name scopes grants state live_tokens last_used_on created_on previous_ends_on');

export const commands = {
  add: defineSiteCommand({
    description:
      'Creates a client and prints its secret. The secret is shown only once: the database stores a digest. The client exchanges its id and secret at POST /auth/token for access tokens that expire after gateway_oauth_token_ttl seconds. A token has the scopes of the client, or fewer if the client asks for fewer. Scopes are the same as for API keys (hcd key create --help).\n\nThe exchange requires gateway_oauth_enabled. With the grant password a client gets tokens for users who enter their name and password; it also requires gateway_oauth_password_grant_enabled.\n\nThe rate limit of the gateway (gateway_rate_limit_*) applies to each token; --rate-limit and --rate-window set another limit.',
    arguments: { clientId: clientParameter },
    options: {
      scopes: required(scopesValue, 'Scopes of its tokens, separated by commas', {
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
  }),

  list: defineSiteCommand({
    description:
      'Lists all OAuth clients with their scopes, grants, state, number of live tokens and the last time they got one. Secrets are never shown. A revoked client stays in the list and gets no new tokens. previous_ends_on is when the secret before the last rotation stops working. A narrow terminal shows fewer columns and names the missing ones.',
    options: { usable: toggle('Show only clients that can get tokens') },
    examples: {
      'oauth client list': 'List all clients',
      'oauth client list --usable --json': 'List the clients that can get tokens as JSON',
    },
    async run({ usable }, deps) {
      const clients = await listClients(deps.store, deps.clock.now());
      const shown = usable ? clients.filter(({ state }) => state === 'active') : clients;
      return {
        kind: 'list',
        columns,
        spare: ['created_on', 'name', 'grants', 'previous_ends_on'],
        marks: { state: { revoked: 'past' } },
        rows: shown.map(clientRecord),
        empty: 'No OAuth clients. Create one: hcd oauth client add website --scopes resources.read',
      };
    },
  }),

  show: defineSiteCommand({
    description:
      'Shows an OAuth client: name, scopes, grants, state, number of live tokens, and when it was created, rotated and revoked. previous_ends_on is when the secret before the last rotation stops working. The secret itself is not stored.',
    arguments: { clientId: clientParameter },
    examples: {
      'oauth client show website': 'Show the client website',
      'oauth client show website --json': 'Show the client website as JSON',
    },
    async run({ clientId }, deps) {
      return { kind: 'record', record: clientRecord(await loadClient(deps.store, clientId, deps.clock.now())) };
    },
  }),

  'rotate-secret': defineSiteCommand({
    description:
      'Creates a new secret for a client and prints it. The secret is shown only once. Id, name, scopes, grants and existing tokens stay the same. Without --overlap the old secret stops working immediately. With --overlap both secrets work for that time. During an overlap the secret can be rotated again only without --overlap, which revokes all older secrets.',
    arguments: { clientId: clientParameter },
    options: overlapParameters('the old secret keeps working'),
    examples: {
      'oauth client rotate-secret website --overlap 7d': 'Keep the old secret valid for a week',
      'oauth client rotate-secret website --yes --json': 'Replace a leaked secret immediately',
    },
    destructive: withoutOverlap,
    async run({ clientId, overlap = 0 }, deps) {
      if (overlap === 0)
        await deps.confirm(
          'Revoke the old secret of the client immediately? Use --overlap to keep it valid for a while.',
        );
      const { client, previousEndsOn } = await rotateClientSecret(deps.store, {
        clientId,
        overlap: overlap * 1000,
        now: deps.clock.now(),
      });
      return {
        kind: 'record',
        record: issuedRecord(client),
        notes: [
          'Copy the secret now: it is not shown again.',
          previousEndsOn === null
            ? 'The old secret no longer works.'
            : `The old secret works until ${isoTimeOfMs(previousEndsOn)}.`,
        ],
      };
    },
  }),

  revoke: defineSiteCommand({
    description:
      'Revokes a client permanently: it gets no new tokens. Its existing tokens work until they expire; --with-tokens revokes them too, and every server refuses them within one second. A revoked client stays in the list and cannot be restored, and its id cannot be used again.',
    arguments: { clientId: clientParameter },
    options: { withTokens: toggle('Also revoke its tokens') },
    examples: {
      'oauth client revoke website': 'Revoke a client and keep its tokens',
      'oauth client revoke website --with-tokens --yes': 'Revoke a client whose secret leaked',
    },
    destructive: {},
    async run({ clientId, withTokens }, deps) {
      const now = deps.clock.now();
      await deps.confirm(async () => {
        const { state, liveTokens } = await loadClient(deps.store, clientId, now);
        return state === 'revoked' ? null : `Revoke client ${clientId} (live tokens: ${liveTokens}) permanently?`;
      });
      const revocation = await revokeClient(deps.store, { clientId, withTokens, now });
      return { kind: 'done', message: messageOf(revocation), data: clientRecord(revocation.client) };
    },
  }),
};

function messageOf({ client, wasRevoked, revokedTokens }: ClientRevocation): string {
  const { clientId, liveTokens, revokedOn } = client;
  const first = wasRevoked
    ? `Already revoked at ${isoTimeOfMs(revokedOn)}: client ${clientId}.`
    : `Revoked client ${clientId}. It gets no new tokens.`;
  if (revokedTokens > 0) return `${first} Revoked tokens: ${revokedTokens}.`;
  return liveTokens > 0 ? `${first} Tokens that still work until they expire: ${liveTokens}.` : first;
}
