/** Issue, revoke and introspect access tokens (docs/oauth.md) for OAuth clients, who authenticate here. */
import { AppError } from '../../errors/app-error.js';
import { jsonReply } from '../../http/answers/representation.js';
import {
  type Call,
  type Endpoint,
  formType,
  jsonType,
  objectSchema,
  type Reply,
  text,
} from '../../http/interface/endpoint.js';
import { grantRefusal, grantTypes, type IssueRequest, type OauthService } from '../../identity/oauth/oauth-service.js';
import type { GatewayDeps } from '../http/deps.js';
import { logInRequest, type OauthParameters, readClient, readParameters } from '../http/oauth.js';
import { credentialBodyBytes } from './write-answers.js';

const clientProperties = {
  client_id: { ...text, description: 'Id of the client; left out with HTTP Basic', examples: ['website'] },
  client_secret: { ...text, description: 'Secret of the client; left out with HTTP Basic' },
} as const;

const tokenProperties = {
  access_token: { ...text, description: 'Send it as Bearer', examples: ['gt_5f0c1f9e8d7a6b43_…'] },
  token_type: { ...text, const: 'Bearer' },
  expires_in: { type: 'integer', description: 'Seconds until it ends', examples: [3600] },
  scope: { ...text, description: 'What it may do: scopes with spaces between', examples: ['resources.read'] },
} as const;

const questionProperties = {
  token: { ...text, description: 'The access token' },
  token_type_hint: { ...text, description: 'Accepted and not needed: there is one kind of token' },
  ...clientProperties,
} as const;

const active = { type: 'boolean', description: 'Whether the token works; the other members are there only if it does' };

const introspectionProperties = {
  scope: text,
  client_id: text,
  token_type: { ...text, const: 'Bearer' },
  exp: { type: 'integer', description: 'When it ends, Unix seconds' },
  iat: { type: 'integer', description: 'When it was issued, Unix seconds' },
  jti: { ...text, description: 'Public id of the token' },
  sub: { ...text, description: 'Id of the user who logged in for it; absent where the client acts for itself' },
} as const;

export function oauthEndpoints(deps: GatewayDeps): Endpoint[] {
  const row = { method: 'POST', access: { kind: 'public' }, tags: ['OAuth'], parameters: [] } as const;
  // Two of them exist only while OAuth is on; the token endpoint says that it is off.
  const { settings } = deps;
  const exists = (): boolean => settings().gateway_oauth_enabled;
  const checkSwitch = (): void => {
    if (!exists()) throw new AppError('invalid_grant', { message: 'OAuth is turned off' });
  };
  return [
    {
      ...row,
      name: 'auth.token',
      path: '/auth/token',
      summary: 'Get an access token for an OAuth client',
      checkSwitch,
      request: requestOf({
        required: ['grant_type'],
        properties: {
          grant_type: { ...text, enum: grantTypes },
          ...clientProperties,
          username: { ...text, description: 'Name of the user; for the grant password only' },
          password: { ...text, description: 'Password of the user; for the grant password only' },
          scope: { ...text, description: 'Scopes with spaces between; everything the client may have when left out' },
        },
      }),
      response: {
        status: 200,
        description: 'The token, in the envelope and at the top where OAuth clients look for it',
        schema: answerSchema(tokenProperties),
      },
      async handler(call) {
        const parameters = readParameters(call);
        checkGrant(parameters, settings().gateway_oauth_password_grant_enabled);
        return oauthReply(await issue(deps.oauth, call, parameters));
      },
    },
    {
      ...row,
      name: 'auth.revoke',
      path: '/auth/revoke',
      summary: 'End an access token of the calling OAuth client',
      request: requestOf({ required: ['token'], properties: questionProperties }),
      response: {
        status: 200,
        description: 'The token no longer works; also for one that never did',
        schema: answerSchema({}),
      },
      exists,
      async handler(call) {
        await deps.oauth.revoke(tokenQuestion(call));
        return oauthReply({});
      },
    },
    {
      ...row,
      name: 'auth.introspect',
      path: '/auth/introspect',
      summary: 'Look at an access token of the calling OAuth client',
      request: requestOf({ required: ['token'], properties: questionProperties }),
      response: {
        status: 200,
        description: 'What the token is; inactive for every token that is not a working one of this client',
        schema: answerSchema({ active }, introspectionProperties),
      },
      exists,
      handler: async (call) => oauthReply(introspection(await deps.oauth.introspect(tokenQuestion(call)))),
    },
  ];
}

type Properties = Readonly<Record<string, unknown>>;

function requestOf(body: { readonly required: readonly string[]; readonly properties: Properties }) {
  const schema = { type: 'object', ...body };
  return { types: [formType, jsonType], required: true, maxBytes: credentialBodyBytes, schema } as const;
}

function answerSchema(always: Properties, optional: Properties = {}): Properties {
  const data = objectSchema(always, optional);
  return objectSchema<unknown>({ data, meta: { type: 'object' }, ...always }, optional);
}

function oauthReply(members: Properties): Reply {
  const reply = jsonReply({ data: members, meta: {}, ...members }, { kind: 'never' });
  // RFC 6749, 5.1 demands both this and Cache-Control: no-store, which answers to POST have.
  return { ...reply, headers: { Pragma: 'no-cache' } };
}

function checkGrant(parameters: OauthParameters, hasPasswordGrant: boolean): void {
  const given = parameters.get('grant_type');
  const offered = hasPasswordGrant ? 'client_credentials or password' : 'client_credentials';
  if (given === undefined) throw grantRefusal('invalid_request', `grant_type is missing; send ${offered}`);
  if (!grantTypes.some((known) => known === given))
    throw grantRefusal('unsupported_grant_type', `grant_type is unknown; send ${offered}`);
  if (given === 'password' && !hasPasswordGrant)
    throw grantRefusal('unsupported_grant_type', 'The password grant is disabled');
}

function tokenQuestion(call: Call) {
  const parameters = readParameters(call);
  const token = parameters.get('token');
  if (token === undefined) throw grantRefusal('invalid_request', 'token is missing');
  return { client: readClient(call, parameters), token };
}

async function issue(oauth: OauthService, call: Call, parameters: OauthParameters): Promise<Properties> {
  const client = readClient(call, parameters);
  const scope = parameters.get('scope');
  // RFC 6749, 3.3: the characters of a scope.
  if (scope !== undefined && !/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/.test(scope)) {
    throw grantRefusal('invalid_scope', 'scope has characters that no scope has; put spaces between scopes');
  }
  const asked = scope === undefined ? null : scope.split(' ').filter((one) => one !== '');
  const { token, lifetime, scopes } = await oauth.issue({ client, grant: grantOf(parameters, call), scopes: asked });
  return { access_token: token, token_type: 'Bearer', expires_in: lifetime, scope: scopes.join(' ') };
}

function grantOf(parameters: OauthParameters, call: Call): IssueRequest['grant'] {
  if (parameters.get('grant_type') !== 'password') return { type: 'client_credentials' };
  const user = { username: parameters.get('username'), password: parameters.get('password') };
  return { type: 'password', user, request: logInRequest(call) };
}

/** A client learns all about its own valid tokens, and nothing about others. */
function introspection(token: Awaited<ReturnType<OauthService['introspect']>>): Properties {
  if (token === null) return { active: false };
  return {
    active: true,
    scope: token.scopes.join(' '),
    client_id: token.clientId,
    token_type: 'Bearer',
    exp: Math.floor(token.expiresOn / 1000),
    iat: Math.floor(token.issuedOn / 1000),
    jti: token.tokenId,
    ...(token.userId === null ? {} : { sub: String(token.userId) }),
  };
}
