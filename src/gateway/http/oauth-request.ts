/**
 * The parameters of a request to the token endpoints, and the client that it names (RFC 6749 2.3.1, 3.2;
 * docs/oauth.md#get-a-token-and-use-it).
 */
import { clientBlock, clientNetwork } from '../../http/interface/client-ip.js';
import type { Call } from '../../http/interface/endpoint.js';
import { type ClientCredentials, type GrantRefusal, refuse } from '../../identity/oauth/oauth-service.js';
import type { LogInRequest } from '../../identity/users/log-in.js';
import { isJsonObject } from '../../values/json.js';

export interface OauthRequest {
  readonly kind: 'request';
  readonly client: ClientCredentials;
  /** Parameters with a value; one without counts as left out (RFC 6749, 3.2). */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Id and secret as they are sent. */
type Presented = Omit<ClientCredentials, 'address'>;

type Parameters = { readonly kind: 'parameters'; readonly values: ReadonlyMap<string, string> };

/** Longest id and secret that are looked at. */
const longest = 512;

/** Whether the client shows its secret in the Authorization header. */
export function usesBasic(call: Call): boolean {
  return /^basic(?:\s|$)/i.test(call.header('authorization')?.trim() ?? '');
}

/** The parameters of a body, each at most once. */
export function readParameters({ body }: Call): Parameters | GrantRefusal {
  const pairs = body === null ? [] : body.kind === 'form' ? body.pairs : jsonPairs(body.value);
  if (pairs === null) return refuse('invalid_request', 'Send the parameters as one JSON object whose values are texts');
  const values = new Map<string, string>();
  const seen = new Set<string>();
  for (const [name, value] of pairs) {
    if (seen.has(name)) return refuse('invalid_request', 'A parameter is given more than once');
    seen.add(name);
    if (value !== '') values.set(name, value);
  }
  return { kind: 'parameters', values };
}

/** The client by HTTP Basic or by the body, never both. */
export function readClient(call: Call, { values }: Parameters): OauthRequest | GrantRefusal {
  const id = values.get('client_id');
  const secret = values.get('client_secret');
  if (!usesBasic(call)) {
    if (id === undefined) return refuse('invalid_request', 'client_id is missing');
    if (secret === undefined) return refuse('invalid_request', 'client_secret is missing');
    return request(call, { clientId: id, secret }, values);
  }
  if (secret !== undefined) {
    return refuse('invalid_request', 'The client shows its secret by HTTP Basic and in the body; use one of them');
  }
  const client = readBasic(call.header('authorization') ?? '');
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

/** Null for anything but an object of texts. */
function jsonPairs(value: unknown): readonly (readonly [string, string])[] | null {
  if (!isJsonObject(value)) return null;
  const pairs: [string, string][] = [];
  for (const [name, member] of Object.entries(value)) {
    if (typeof member !== 'string') return null;
    pairs.push([name, member]);
  }
  return pairs;
}

/** Id and secret, each form-encoded before they were joined (RFC 6749, 2.3.1); null when they cannot be read. */
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
    allowMore: (ms) => call.allowMore(ms),
  };
}
