/** The last stage: a representation becomes status, headers and bytes. Decides 304; answers each request once. */
import { type Representation, tagAtClient } from '../answers/representation.js';
import { type Pieces, sendPieces } from '../answers/send-pieces.js';
import type { Connections } from '../connections/connections.js';
import type { Exchange, HttpPorts, Lifecycle, Stage } from '../interface/exchange.js';
import {
  commonHeaders,
  commonLines,
  contentHeaders,
  headerLines,
  makeCompleteHead,
  makeKeptLines,
  sendReady,
  takesReadyHead,
} from './head.js';

interface Answer {
  readonly representation: Representation;
  readonly age: number;
  readonly pieces?: Pieces;
  /** Most of the head is kept in memory too. */
  readonly isReady?: boolean;
}

export type Respond = (exchange: Exchange, answer: Answer, cause?: unknown) => void;

interface RespondParts {
  readonly ports: HttpPorts;
  readonly lifecycle: Lifecycle;
  readonly connections: Connections;
  readonly compresses: boolean;
  readonly keepAliveMs: number;
}

export function makeRespond({ ports, lifecycle, connections, compresses, keepAliveMs }: RespondParts): Respond {
  const completeHead = makeCompleteHead(ports.clock.now, keepAliveMs);
  const keptLines = makeKeptLines();
  return function respond(exchange, { representation, age, pieces, isReady }, cause) {
    if (exchange.answered) {
      pieces?.close();
      return;
    }
    const { req, res } = exchange;
    const { etag } = representation;
    const known = tagAtClient(representation, (name) => exchange.header(name));
    const status = known === null ? representation.status : 304;
    const content = { representation, status, etag: known ?? etag, age, compresses };
    const isLast = lifecycle.draining || exchange.closing || connections.isSpent(req.socket);
    const length = status === 304 || req.method === 'HEAD' ? 0 : (representation.length ?? 0);
    const allHeaders = () => [...commonHeaders(exchange, status), ...contentHeaders(exchange, content)];
    const writeHead = (): void => {
      const headers = allHeaders();
      if (isLast) headers.push('Connection', 'close');
      res.writeHead(status, headers);
    };
    // A header that may not be sent throws here, and the request is answered with that error.
    let head: string | null = null;
    if (pieces !== undefined || isLast || !takesReadyHead(res)) writeHead();
    else {
      const lines = isReady === true ? keptLines(exchange, content) : headerLines(contentHeaders(exchange, content));
      head = completeHead(status, commonLines(exchange, status) + lines);
    }
    exchange.answered = true;
    lifecycle.inFlight.delete(exchange);
    const finish = (error: unknown, bytes: number): void => {
      const now = ports.clock.elapsed();
      connections.answered({ req, res, bytes, isLast, now });
      report(ports, { exchange, status, error, now });
    };
    if (head !== null) {
      if (sendReady(res, { status, head, body: length === 0 ? '' : representation.body, length })) {
        finish(cause, length);
        return;
      }
      writeHead();
    }
    if (pieces !== undefined) {
      connections.waits(exchange);
      void sendPieces({ res, pieces, isDraining: () => lifecycle.draining }).then((error) => finish(error, 0));
      return;
    }
    res.end(length === 0 ? '' : representation.body);
    finish(cause, length);
  };
}

/** Runs before all checks except the one for too many requests (docs/reference/http.md#methods). */
export function answerOptions(respond: Respond): Stage {
  return function answerOptions(ctx, next) {
    const { exchange } = ctx.state;
    const { located } = exchange;
    if (ctx.req.method !== 'OPTIONS' || located?.mounted?.policy.answersOptions !== true) return next();
    const allow = located.allowedMethods();
    const headers: Readonly<Record<string, string>> = allow.length > 0 ? { Allow: allow.join(', ') } : {};
    const caching = { kind: 'never' } as const;
    const representation = { status: 204, type: null, body: '', length: 0, etag: null, headers, caching };
    return exchange.countStray().then(() => respond(exchange, { representation, age: 0 }));
  };
}

interface Finished {
  readonly exchange: Exchange;
  readonly status: number;
  readonly error: unknown;
  /** Monotonic. */
  readonly now: number;
}

function report(ports: HttpPorts, { exchange, status, error, now }: Finished): void {
  const mounted = exchange.located?.mounted;
  const durationMs = now - exchange.startedAt;
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

function fullRoute({ match, located }: Exchange): string | null {
  return match === undefined ? null : `${located?.mounted?.mount.base ?? ''}${match.route.endpoint.path}`;
}
