/**
 * The last stage: a representation becomes status, headers and bytes on the wire. Decides 304, Cache-Control and the
 * headers that every answer carries; answers each request once.
 */
import type { ServerResponse } from 'node:http';
import { matchingTag, type Representation } from '../answers/representation.js';
import { type Pieces, sendPieces } from '../answers/send-pieces.js';
import type { Connections } from '../connections/connections.js';
import { corsHeaders, withVary } from '../interface/cors.js';
import type { Exchange, HttpPorts, Lifecycle, Stage } from '../interface/exchange.js';
import type { Mounted } from '../interface/locate.js';

/** Bytes of Cache-Tag: proxies give all headers of an answer 4 KiB together by default. */
const longestTags = 2800;

interface Answer {
  readonly representation: Representation;
  /** Seconds that the representation was kept here. */
  readonly age: number;
  /** The body, where it is made while it is sent. */
  readonly pieces?: Pieces;
}

export type Respond = (exchange: Exchange, answer: Answer, cause?: unknown) => void;

interface RespondParts {
  readonly ports: HttpPorts;
  readonly lifecycle: Lifecycle;
  readonly connections: Connections;
  /** Whether answers differ by Accept-Encoding. */
  readonly compresses: boolean;
}

/** Makes the function that sends an answer and writes its line of the access log. */
export function makeRespond({ ports, lifecycle, connections, compresses }: RespondParts): Respond {
  return function respond(exchange, { representation, age, pieces }, cause) {
    if (exchange.answered) {
      pieces?.close();
      return;
    }
    exchange.answered = true;
    lifecycle.inFlight.delete(exchange);
    const { res } = exchange;
    const mounted = exchange.located?.mounted;
    const { etag } = representation;
    const known = etag === null ? null : matchingTag(exchange.header('if-none-match'), etag);
    const status = known === null ? representation.status : 304;
    const headers = commonHeaders(exchange, mounted);
    if (status < 400) headers.push(...exchange.successHeaders);
    addContentHeaders(headers, { representation, status, etag: known ?? etag });
    addCachingHeaders({ headers, exchange, representation, age, compresses });
    const isLast = lifecycle.draining || exchange.closing || connections.isSpent(exchange.req.socket);
    if (isLast) headers.push('Connection', 'close');
    res.writeHead(status, headers);
    const finish = (error: unknown, bytes: number): void => {
      connections.answered({ req: exchange.req, res, bytes, isLast });
      report(ports, { exchange, status, error });
    };
    if (pieces !== undefined) {
      void sendPieces({ res, pieces, isDraining: () => lifecycle.draining }).then((error) => finish(error, 0));
      return;
    }
    const length = status === 304 || exchange.req.method === 'HEAD' ? 0 : (representation.length ?? 0);
    if (length === 0) res.end();
    else endWith(res, representation.body);
    finish(cause, length);
  };
}

/** OPTIONS is 204 for every path of an interface that answers it (docs/reference/http.md#methods), before all checks. */
export function answerOptions(respond: Respond): Stage {
  return function answerOptions(ctx, next) {
    const { exchange } = ctx.state;
    const { located } = exchange;
    if (ctx.req.method !== 'OPTIONS' || located?.mounted?.policy.answersOptions !== true) return next();
    const allow = located.allowedMethods();
    const headers: Readonly<Record<string, string>> = allow.length > 0 ? { Allow: allow.join(', ') } : {};
    const caching = { kind: 'never' } as const;
    respond(exchange, {
      representation: { status: 204, type: null, body: '', length: 0, etag: null, headers, caching },
      age: 0,
    });
  };
}

/** Ends the answer with its body. Head and body leave in one piece; `end(body)` makes a list of two of them. */
function endWith(res: ServerResponse, body: string | Buffer): void {
  const { socket } = res;
  // Without a connection: an earlier answer of a client that sends ahead is still under way, or the client is gone.
  if (socket === null) {
    res.end(body);
    return;
  }
  socket.cork();
  res.write(body);
  socket.uncork();
  res.end();
}

interface Finished {
  readonly exchange: Exchange;
  readonly status: number;
  readonly error: unknown;
}

/** Writes the line of the access log and reports the end to the API. */
function report(ports: HttpPorts, { exchange, status, error }: Finished): void {
  const mounted = exchange.located?.mounted;
  const durationMs = ports.clock.elapsed() - exchange.startedAt;
  const method = exchange.req.method ?? '';
  const { requestId, identity, path } = exchange;
  ports.log({
    kind: 'request_finished',
    requestId,
    api: mounted?.api.name ?? 'none',
    method,
    route: exchange.match?.route.endpoint.path ?? null,
    status,
    durationMs,
    identity: identity.kind,
    identityId: identity.kind === 'anonymous' ? undefined : identity.id,
    error,
    refusal: exchange.refusal,
  });
  ports.traces?.requestFinished(exchange.req, {
    api: mounted?.api.name ?? 'none',
    requestId,
    route: fullRoute(exchange),
    status,
  });
  mounted?.api.finished?.({ caller: exchange, method, requestId, identity, path, status, durationMs });
}

/** The pattern of the route with the address of the interface. */
function fullRoute({ match, located }: Exchange): string | null {
  return match === undefined ? null : `${located?.mounted?.mount.base ?? ''}${match.route.endpoint.path}`;
}

function commonHeaders(exchange: Exchange, mounted: Mounted | undefined): string[] {
  const headers = [
    'X-Request-ID',
    exchange.requestId,
    'X-Content-Type-Options',
    'nosniff',
    'Referrer-Policy',
    'no-referrer',
    ...exchange.extraHeaders,
  ];
  if (mounted !== undefined) {
    const own = mounted.api.headers;
    for (const name in own) headers.push(name, own[name] ?? '');
    const { cors } = mounted.policy;
    // Of this request, not of the answer: a kept answer is given to other origins too.
    if (cors !== null) headers.push(...corsHeaders(cors, exchange.header('origin')));
  }
  return headers;
}

interface Content {
  readonly representation: Representation;
  readonly status: number;
  readonly etag: string | null;
}

function addContentHeaders(headers: string[], { representation, status, etag }: Content): void {
  const { type, length, headers: own } = representation;
  if (type !== null) headers.push('Content-Type', type);
  // 304 and 204 have no length; HEAD has the one of GET.
  if (status !== 304 && status !== 204 && length !== null) headers.push('Content-Length', String(length));
  if (etag !== null) headers.push('ETag', etag);
  // Without a body there is nothing that could be encoded.
  for (const name in own) if (status !== 304 || name !== 'Content-Encoding') headers.push(name, own[name] ?? '');
}

interface CachingQuestion {
  readonly headers: string[];
  readonly exchange: Exchange;
  readonly representation: Representation;
  readonly age: number;
  readonly compresses: boolean;
}

/**
 * Public for anonymous reads, private for all others, `no-store` for errors (docs/reference/gateway.md#cache-headers).
 */
function addCachingHeaders({ headers, exchange, representation, age, compresses }: CachingQuestion): void {
  const mounted = exchange.located?.mounted;
  const { caching, status } = representation;
  if (mounted === undefined || !exchange.isRead || status >= 300 || caching.kind === 'never') {
    if (mounted !== undefined && mounted.policy.cors !== null) headers.push('Vary', 'Origin');
    // Answers to authenticated writers are private. Refusals and anonymous answers hold nothing personal.
    const isPersonal = status < 300 && !exchange.isRead && exchange.identity.kind !== 'anonymous';
    headers.push('Cache-Control', isPersonal ? 'private, no-store' : 'no-store');
    return;
  }
  const { api, policy } = mounted;
  const offered = exchange.match?.route.endpoint.produces?.length ?? 1;
  const selecting = offered > 1 ? (api.vary === '' ? 'Accept' : `${api.vary}, Accept`) : api.vary;
  const coded = compresses && representation.isCompressible ? withVary(selecting, 'Accept-Encoding') : selecting;
  const vary = policy.cors === null ? coded : withVary(coded, 'Origin');
  if (vary !== '') headers.push('Vary', vary);
  if (exchange.identity.kind !== 'anonymous' || policy.caching.kind === 'private') {
    headers.push('Cache-Control', 'private, no-store');
  } else if (caching.kind === 'static') {
    headers.push('Cache-Control', `public, max-age=${caching.seconds}`);
  } else if (policy.caching.kind === 'revalidate') {
    headers.push('Cache-Control', 'no-cache');
  } else {
    const left = Math.max(0, policy.caching.seconds - age);
    headers.push('Cache-Control', `public, max-age=${left}`, 'Age', String(age));
    const tags = caching.tags.join(',');
    const sent = tags.length > longestTags ? (caching.coarseTags ?? []).join(',') : tags;
    if (sent !== '') headers.push('Cache-Tag', sent);
  }
}
