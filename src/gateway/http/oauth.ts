/** Parameters and client of token requests (RFC 6749 2.3.1, 3.2; docs/oauth.md#get-a-token-and-use-it). */
import { AppError } from '../../errors/app-error.js';
import type { ErrorInfo } from '../../http/interface/api.js';
import type { Call, Reply } from '../../http/interface/endpoint.js';
import { clientBlock, clientNetwork } from '../../http/interface/request-headers.js';
import { type ClientCredentials, type GrantRefusal, refuse } from '../../identity/oauth/oauth-service.js';
import type { LogInRequest } from '../../identity/users/log-in.js';
import { isJsonObject } from '../../values/json.js';
import { renderProblem } from './envelope.js';

export interface OauthRequest {
  readonly kind: 'request';
  readonly client: ClientCredentials;
  /** A parameter without a value counts as left out (RFC 6749, 3.2). */
  readonly parameters: ReadonlyMap<string, string>;
}

type Presented = Omit<ClientCredentials, 'address'>;

const longest = 512;

function usesBasic(call: Call): boolean {
  return /^basic(?:\s|$)/i.test(call.header('authorization')?.trim() ?? '');
}

export function readParameters({ body }: Call): ReadonlyMap<string, string> | GrantRefusal {
  const pairs = body?.kind === 'form' ? body.pairs : body?.kind === 'json' ? jsonPairs(body.value) : [];
  if (pairs === null) return refuse('invalid_request', 'Send the parameters as one JSON object whose values are texts');
  const values = new Map<string, string>();
  const seen = new Set<string>();
  for (const [name, value] of pairs) {
    if (seen.has(name)) return refuse('invalid_request', 'A parameter is given more than once');
    seen.add(name);
    if (value !== '') values.set(name, value);
  }
  return values;
}

/** By HTTP Basic or by the body, never both (docs/reference/http.md#credentials). */
export function readClient(call: Call, values: ReadonlyMap<string, string>): OauthRequest | GrantRefusal {
  const id = values.get('client_id');
  const secret = values.get('client_secret');
  const client = usesBasic(call) ? readBasic(call.header('authorization') ?? '') : undefined;
  // With a whole client in the body, HTTP Basic of another name is for a server in front.
  const isForeign = id !== undefined && secret !== undefined && client?.clientId !== id;
  if (client === undefined || isForeign) {
    if (id === undefined) return refuse('invalid_request', 'client_id is missing');
    if (secret === undefined) return refuse('invalid_request', 'client_secret is missing');
    return request(call, { clientId: id, secret }, values);
  }
  if (secret !== undefined) {
    return refuse('invalid_request', 'The client shows its secret by HTTP Basic and in the body; use one of them');
  }
  if (client === null) return refuse('invalid_client', 'The HTTP Basic credentials cannot be read');
  // RFC 6749, 3.2.1: the id alone names the client and proves nothing.
  if (id !== undefined && id !== client.clientId) {
    return refuse('invalid_request', 'client_id in the body names another client than HTTP Basic');
  }
  return request(call, client, values);
}

function request(
  { clientIp }: Call,
  presented: Presented,
  parameters: ReadonlyMap<string, string>,
): OauthRequest | GrantRefusal {
  const isReadable = presented.clientId.length <= longest && presented.secret.length <= longest;
  return isReadable
    ? { kind: 'request', client: { ...presented, address: clientBlock(clientIp) }, parameters }
    : refuse('invalid_client', 'The client is unknown, revoked, or its secret is wrong');
}

function jsonPairs(value: unknown): readonly (readonly [string, string])[] | null {
  if (!isJsonObject(value)) return null;
  const pairs: [string, string][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (typeof member !== 'string') return null;
    pairs.push([name, member]);
  }
  return pairs;
}

/** Each is form-encoded before they are joined (RFC 6749, 2.3.1). */
function readBasic(header: string): Presented | null {
  const encoded = /^basic\s+([A-Za-z0-9+/]+={0,2})$/i.exec(header.trim())?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon <= 0) return null;
  try {
    const [clientId = '', secret = ''] = [text.slice(0, colon), text.slice(colon + 1)].map((part) =>
      decodeURIComponent(part.replaceAll('+', ' ')),
    );
    return clientId === '' || secret === '' ? null : { clientId, secret };
  } catch {
    // decodeURIComponent has no other failure than text that cannot be decoded.
    return null;
  }
}

export function logInRequest(call: Call): LogInRequest {
  return {
    network: clientNetwork(call.clientIp),
    signal: call.signal,
    extendDeadline: (ms) => call.extendDeadline(ms),
  };
}

const oauthEndpoints: ReadonlySet<string> = new Set(['auth.token', 'auth.revoke', 'auth.introspect']);

export function speaksOauth(endpoint: string | undefined): boolean {
  return endpoint !== undefined && oauthEndpoints.has(endpoint);
}

export function oauthRefusal(call: Call, { error, description }: GrantRefusal, base: string): Reply {
  // Missing or repeated parameters are bad_request, a refused client, grant or scope invalid_grant.
  const code = error === 'invalid_request' ? 'bad_request' : 'invalid_grant';
  const asksAgain = error === 'invalid_client' && usesBasic(call);
  const info = { requestId: call.requestId, path: call.path, ...(asksAgain ? { status: 401 } : {}) };
  const problem = renderProblem(new AppError(code, { message: description }), info, base);
  const headers = asksAgain ? { 'WWW-Authenticate': 'Basic realm="gateway", charset="UTF-8"' } : {};
  return withOauthMembers(problem, { error, description, headers });
}

/** A refusal before the handler: of a body, a credential or the whole service. */
export function renderOauthProblem(error: AppError, info: ErrorInfo, base: string): Reply {
  // A body that cannot be read is 422 elsewhere; RFC 6749 5.2 makes it 400.
  const known = error.code === 'validation_failed' ? new AppError('bad_request', { message: messageOf(error) }) : error;
  const problem = renderProblem(known, info, base);
  return withOauthMembers(problem, { error: oauthError(known, problem.status) });
}

function messageOf({ message, details }: AppError): string {
  return Object.values(details.fields ?? {})[0]?.[0] ?? message;
}

/** The nearest word of RFC 6749 and 6750; the status and `code` say more. */
function oauthError({ code }: AppError, status: number): string {
  if (code === 'invalid_grant') return code;
  if (status === 401) return 'invalid_token';
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

function withOauthMembers(
  problem: Reply,
  {
    error,
    description,
    headers = {},
  }: { readonly error: string; readonly description?: string; readonly headers?: Readonly<Record<string, string>> },
): Reply {
  const { body } = problem;
  const value = body.kind === 'json' && typeof body.value === 'object' ? { ...body.value } : {};
  const detail = 'detail' in value && typeof value.detail === 'string' ? value.detail : error;
  // RFC 6749 5.2 allows only printable ASCII without quotes and backslashes here.
  const error_description = (description ?? detail).replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'");
  return {
    ...problem,
    headers: { ...problem.headers, ...headers },
    body: { kind: 'json', value: { ...value, error, error_description } },
  };
}
