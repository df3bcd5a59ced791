/** A representation becomes status, headers and bytes. Decides 304; answers each request once. */
import { sendPieces, tagAtClient } from '../answers/representation.js';
import type { Connections } from '../connections/connections.js';
import type { Answer } from '../interface/endpoint.js';
import type { HttpPorts, Lifecycle, RequestState, Stage } from '../interface/request-state.js';
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

export type Respond = (state: RequestState, answer: Answer, cause?: unknown) => void;

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
  return function respond(state, { representation, age, pieces, isReady }, cause) {
    if (state.answered) {
      pieces?.close();
      return;
    }
    const { req, res } = state;
    const { etag } = representation;
    const known = tagAtClient(representation, (name) => state.header(name));
    const status = known === null ? representation.status : 304;
    const content = { representation, status, etag: known ?? etag, age, compresses };
    const isLast = lifecycle.draining || state.closing || connections.isSpent(req.socket);
    const length = status === 304 || req.method === 'HEAD' ? 0 : (representation.length ?? 0);
    const allHeaders = () => [...commonHeaders(state, status), ...contentHeaders(state, content)];
    const writeHead = (): void => {
      const headers = allHeaders();
      if (isLast) headers.push('Connection', 'close');
      res.writeHead(status, headers);
    };
    // A header that may not be sent throws here, and the request is answered with that error.
    let head: string | null = null;
    if (pieces !== undefined || isLast || !takesReadyHead(res)) writeHead();
    else {
      const lines = isReady === true ? keptLines(state, content) : headerLines(contentHeaders(state, content));
      head = completeHead(status, commonLines(state, status) + lines);
    }
    state.answered = true;
    lifecycle.inFlight.delete(state);
    const finish = (error: unknown, bytes: number): void => {
      const now = ports.clock.elapsed();
      connections.answered({ req, res, bytes, isLast, now });
      report(ports, { state, status, error, now });
    };
    if (head !== null) {
      if (sendReady(res, { status, head, body: length === 0 ? '' : representation.body, length })) {
        finish(cause, length);
        return;
      }
      writeHead();
    }
    if (pieces !== undefined) {
      connections.endTurn(state);
      void sendPieces({ res, pieces, isDraining: () => lifecycle.draining }).then((error) => finish(error, 0));
      return;
    }
    res.end(length === 0 ? '' : representation.body);
    finish(cause, length);
  };
}

/** Runs before all checks except the one for too many requests (docs/reference/http.md#methods). */
export function answerOptions(): Stage {
  return function answerOptions({ req, state }, next) {
    const { located } = state;
    if (req.method !== 'OPTIONS' || located?.mounted?.policy.answersOptions !== true) return next();
    const allow = located.allowedMethods();
    const headers: Readonly<Record<string, string>> = allow.length > 0 ? { Allow: allow.join(', ') } : {};
    const caching = { kind: 'never' } as const;
    const representation = { status: 204, type: null, body: '', length: 0, etag: null, headers, caching };
    state.answer = { representation, age: 0 };
    state.check = 'limit';
    return state.countStray();
  };
}

interface Finished {
  readonly state: RequestState;
  readonly status: number;
  readonly error: unknown;
  /** Monotonic. */
  readonly now: number;
}

function report(ports: HttpPorts, { state, status, error, now }: Finished): void {
  const mounted = state.located?.mounted;
  const durationMs = now - state.startedAt;
  const method = state.req.method ?? '';
  const { requestId, identity, path } = state;
  ports.log({
    kind: 'request_finished',
    requestId,
    api: mounted?.api.name ?? 'none',
    method,
    route: state.match?.route.endpoint.path ?? null,
    status,
    durationMs,
    identity: identity.kind,
    identityId: identity.kind === 'anonymous' ? undefined : identity.id,
    error,
    refusal: state.refusal,
  });
  ports.traces?.requestFinished(state.req, {
    api: mounted?.api.name ?? 'none',
    requestId,
    route: fullRoute(state),
    status,
  });
  mounted?.api.finished?.({ caller: state, method, requestId, identity, path, status, durationMs });
}

function fullRoute({ match, located }: RequestState): string | null {
  return match === undefined ? null : `${located?.mounted?.mount.base ?? ''}${match.route.endpoint.path}`;
}
