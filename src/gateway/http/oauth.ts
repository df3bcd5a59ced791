/** Parameters and client of token requests (RFC 6749 2.3.1, 3.2; docs/oauth.md#get-a-token-and-use-it). */
import { AppError } from '../../errors/app-error.js';
import type { ErrorInfo } from '../../http/interface/api.js';
import type { Call, Reply } from '../../http/interface/endpoint.js';
import { clientBlock, clientNetwork } from '../../http/interface/request-headers.js';
import { type ClientCredentials, grantRefusal, wrongClient } from '../../identity/oauth/oauth-service.js';
import type { LogInRequest } from '../../identity/users/log-in.js';
import { isJsonObject } from '../../values/json.js';
import { renderProblem } from './envelope.js';

/** A parameter without a value counts as left out (RFC 6749, 3.2). */
export type OauthParameters = ReadonlyMap<string, string>;

type Presented = Pick<ClientCredentials, 'clientId' | 'secret'>;

const longest = 512;

/** Throws what `grantRefusal` makes. */
export function readParameters({ body }: Call): OauthParameters {
  const pairs = body?.kind === 'form' ? body.pairs : body?.kind === 'json' ? jsonPairs(body.value) : [];
  if (pairs === null)
    throw grantRefusal('invalid_request', 'Send the parameters as one JSON object whose values are texts');
  const values = new Map<string, string>();
  const seen = new Set<string>();
  for (const [name, value] of pairs) {
    if (seen.has(name)) throw grantRefusal('invalid_request', 'A parameter is given more than once');
    seen.add(name);
    if (value !== '') values.set(name, value);
  }
  return values;
}

function jsonPairs(value: unknown): readonly (readonly [string, string])[] | null {
  if (!isJsonObject(value)) return null;
  const members = Object.entries(value);
  return members.every((one): one is [string, string] => typeof one[1] === 'string') ? members : null;
}

/** By HTTP Basic or by the body, never both (docs/reference/http.md#credentials). Throws what `grantRefusal` makes. */
export function readClient(call: Call, values: OauthParameters): ClientCredentials {
  const header = call.header('authorization')?.trim() ?? '';
  const isBasic = /^basic(?:\s|$)/i.test(header);
  const presented = presentedClient(values, isBasic ? readBasic(header) : undefined);
  if (presented.clientId.length > longest || presented.secret.length > longest)
    throw wrongClient('The client is unknown, revoked, or its secret is wrong', isBasic);
  return { ...presented, address: clientBlock(call.clientIp), isBasic };
}

/** `basic` is null where it cannot be read. */
function presentedClient(values: OauthParameters, basic: Presented | null | undefined): Presented {
  const id = values.get('client_id');
  const secret = values.get('client_secret');
  // With a whole client in the body, HTTP Basic of another name is for a server in front.
  const isForeign = id !== undefined && secret !== undefined && basic?.clientId !== id;
  if (basic === undefined || isForeign) {
    if (id === undefined) throw grantRefusal('invalid_request', 'client_id is missing');
    if (secret === undefined) throw grantRefusal('invalid_request', 'client_secret is missing');
    return { clientId: id, secret };
  }
  if (secret !== undefined) {
    const message = 'The client shows its secret by HTTP Basic and in the body; use one of them';
    throw grantRefusal('invalid_request', message);
  }
  if (basic === null) throw wrongClient('The HTTP Basic credentials cannot be read', true);
  // RFC 6749, 3.2.1: the id alone names the client and proves nothing.
  if (id !== undefined && id !== basic.clientId)
    throw grantRefusal('invalid_request', 'client_id in the body names another client than HTTP Basic');
  return basic;
}

/** Each is form-encoded before they are joined (RFC 6749, 2.3.1). */
function readBasic(header: string): Presented | null {
  const encoded = /^basic\s+([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
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

export function renderOauthProblem(error: AppError, info: ErrorInfo, base: string): Reply {
  // A body that cannot be read is 422 elsewhere; RFC 6749 5.2 makes it 400.
  const known = error.code === 'validation_failed' ? new AppError('bad_request', { message: messageOf(error) }) : error;
  const problem = renderProblem(known, info, base);
  const { headers, body, status } = problem;
  const value = body.kind === 'json' && typeof body.value === 'object' ? { ...body.value } : {};
  const { grantError: word = oauthError(known, status) } = error.details;
  const detail = 'detail' in value && typeof value.detail === 'string' ? value.detail : word;
  // RFC 6749 5.2 allows only printable ASCII without quotes and backslashes here.
  const error_description = detail.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'");
  const asksAgain = word === 'invalid_client' && status === 401;
  const challenge = asksAgain ? { 'WWW-Authenticate': 'Basic realm="gateway", charset="UTF-8"' } : {};
  return {
    ...problem,
    headers: { ...headers, ...challenge },
    body: { kind: 'json', value: { ...value, error: word, error_description } },
  };
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
