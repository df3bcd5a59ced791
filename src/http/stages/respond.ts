/** The end of a request: its answer or its error becomes status, headers and bytes, once. Decides 304. */
import { AppError, boundedError } from '../../errors/app-error.js';
import { escapeHtml } from '../../values/text.js';
import { plainPage } from '../answers/plain-page.js';
import { renderReply, sendPieces, tagAtClient } from '../answers/representation.js';
import type { Connections } from '../connections/connections.js';
import type { RenderError } from '../interface/api.js';
import type { Answer, Reply, Representation } from '../interface/endpoint.js';
import { chooseMediaType } from '../interface/request-headers.js';
import { type HttpPorts, type Lifecycle, RequestState, type Stage } from '../interface/request-state.js';
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

interface SendParts {
  readonly ports: HttpPorts;
  readonly lifecycle: Lifecycle;
  readonly respond: Respond;
  readonly fail: Fail;
}

export function sendAnswer({ ports, lifecycle, respond, fail }: SendParts): Stage {
  return async function sendAnswer(ctx, next) {
    const state = new RequestState({ req: ctx.req, res: ctx.res, ports, lifecycle });
    ctx.state = state;
    try {
      await next();
      if (state.answer !== undefined) respond(state, state.answer);
      else if (!state.answered) throw new Error('no stage answered the request');
    } catch (error) {
      state.answer?.pieces?.close();
      fail(state, error);
    } finally {
      // An idle connection keeps the state of its last request.
      state.answer = undefined;
    }
  };
}

export type Fail = (state: RequestState, error: unknown) => void;

/** Must not throw: nothing catches after it. */
export function makeFail(parts: { ports: HttpPorts; respond: Respond; unmounted: RenderError }): Fail {
  const { ports, respond, unmounted } = parts;
  const noteLoad = watchLoad(ports);
  return function fail(state, error) {
    const known = boundedError(error instanceof AppError ? error : new AppError('internal_error', { cause: error }));
    const renderError = state.located?.mounted?.api.renderError ?? unmounted;
    let representation: Representation;
    let cause: unknown = known.kind === 'unavailable' ? known : (known.cause ?? known);
    try {
      const { requestId, path } = state;
      const endpoint = state.match?.route.endpoint.name;
      const reply = renderError(known, { requestId, path, endpoint, status: known.details.status });
      // Interfaces at the root of the server, such as clicks, answer an unknown id like an unknown address.
      const isUnknown = state.match === undefined || renderError === unmounted;
      const isPlace = isUnknown && state.isRead && reply.status === 404;
      const form = isPlace ? answerUnknown(state, reply) : reply;
      representation = renderReply(form, { isRead: false });
    } catch (fault) {
      cause = fault;
      representation = lastResort;
    }
    state.refusal = { check: state.check, error: known };
    const isLoad = known.details.isLoad === true;
    if (isLoad) noteLoad();
    const isExpected = isLoad || known.kind === 'disabled' || representation.status < 500;
    respond(state, { representation, age: 0 }, isExpected ? undefined : cause);
  };
}

/** For a fault in the rendering of errors itself. */
const lastResort: Representation = {
  status: 500,
  type: 'application/json; charset=utf-8',
  body: '{"status":500}',
  length: 14,
  etag: null,
  headers: {},
  caching: { kind: 'never' },
};

const quiet = 10_000;

/** One log line when refusals begin and one when they are over: a line for each would add to the load. */
export function watchLoad({ clock, log }: Pick<HttpPorts, 'clock' | 'log'>): () => void {
  let refused = 0;
  let latest = 0;
  const look = (after: number): void => {
    clock.after(after, () => {
      const left = latest + quiet - clock.elapsed();
      if (left > 0) return look(left);
      log({ kind: 'load_over', refused });
      refused = 0;
    });
  };
  return () => {
    refused += 1;
    latest = clock.elapsed();
    if (refused > 1) return;
    log({ kind: 'load_refused' });
    look(quiet);
  };
}

const html = 'text/html';

/** The reply, or a page instead of it. The state notes which of them it is, because headers depend on that. */
function answerUnknown(state: RequestState, reply: Reply): Reply {
  const { body } = reply;
  const type = (body.kind === 'json' ? body.type : undefined) ?? 'application/json';
  const offered = [type.replace(/;.*/, ''), 'application/json', html];
  state.unknown = chooseMediaType(state.header('accept'), offered) === html ? 'page' : 'error';
  if (state.unknown === 'error') return reply;
  const hint = state.located?.routeProblem?.().message;
  const content = `<h1>There is nothing at this address</h1>
${hint === undefined ? '' : `<p class="lead">${escapeHtml(hint)}.</p>\n`}<p><a class="go" href="/">Start page of this server</a></p>
<p class="note">Request <code>${escapeHtml(state.requestId)}</code></p>
`;
  return { ...plainPage({ title: 'Not found', content, caching: reply.caching }), status: reply.status };
}

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
