/** Refuses what Node's parser lets through (docs/reference/http.md#unusable-requests); finds the API and route. */
import type { IncomingMessage } from 'node:http';
import { AppError, boundedError } from '../../errors/app-error.js';
import { escapeHtml } from '../../values/text.js';
import { renderReply } from '../answers/representation.js';
import type { RenderError } from '../interface/api.js';
import type { Reply, Representation } from '../interface/endpoint.js';
import { hostForm } from '../interface/forwarded.js';
import { allMethods, type Located } from '../interface/locate.js';
import { plainPage } from '../interface/plain-page.js';
import { chooseMediaType } from '../interface/request-headers.js';
import {
  type HttpPorts,
  isRequestMethod,
  type Lifecycle,
  RequestState,
  type Stage,
} from '../interface/request-state.js';
import type { Respond } from './respond.js';

export const maxHeaders = 100;
/** Larger unread bodies end the connection. */
const maxDiscardedBytes = 1_048_576;

export function edge(locate: (target: string) => Located): Stage {
  return function edge(ctx, next) {
    const { req } = ctx;
    const { state } = ctx;
    const target = req.url ?? '/';
    // After a refusal here the rest of the connection is not trusted either.
    state.closing = true;
    if (target !== '*') {
      state.located = locate(originForm(target));
      checkAuthority(target, req);
    }
    checkHeaders(req);
    checkExpectation(state);
    checkCoding(state);
    const { located } = state;
    if (located === undefined) throw new AppError('method_not_allowed', { details: { allow: allMethods } });
    if (located.problem !== undefined) throw located.problem();
    if (isRequestMethod(req.method)) state.match = located.match(req.method);
    else if (req.method !== 'OPTIONS') {
      const allow = located.allowedMethods();
      throw new AppError('method_not_allowed', { details: { allow: allow.length > 0 ? allow : allMethods } });
    }
    state.closing = false;
    if (state.isRead && hasBody(req)) discardBody(req);
    return next();
  };
}

export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The authority of an absolute target must be the one of the Host header. */
function checkAuthority(target: string, req: IncomingMessage): void {
  if (target.startsWith('/')) return;
  const authority = /^https?:\/\/([^/?#]*)/i.exec(target)?.[1];
  if (authority === undefined || authority.toLowerCase() !== req.headers.host?.toLowerCase()) {
    throw new AppError('bad_request', { message: 'The target names another host than the Host header' });
  }
}

export function hasUsualHeaders(req: IncomingMessage): boolean {
  try {
    checkHeaders(req);
    return true;
  } catch {
    // The check throws nothing but its refusals.
    return false;
  }
}

function checkHeaders(req: IncomingMessage): void {
  const { rawHeaders } = req;
  if (rawHeaders.length > maxHeaders * 2) throw new AppError('bad_request', { message: 'Too many headers' });
  let hosts = 0;
  let credentials = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // The lengths first: this runs for every header of every request.
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') credentials += 1;
  }
  if (hosts > 1) throw new AppError('bad_request', { message: 'More than one Host header' });
  // Node keeps the first of them silently; which one counts must not be a guess.
  if (credentials > 1) throw new AppError('bad_request', { message: 'More than one Authorization header' });
  const { host } = req.headers;
  if (host === undefined && req.httpVersion === '1.0') return;
  if (host === undefined || !hostForm.test(host))
    throw new AppError('bad_request', { message: 'The Host header is not a host' });
}

/** RFC 9110, 10.1.1: 100-continue is the only defined expectation; Node has already answered it. */
function checkExpectation(state: RequestState): void {
  const expectation = state.header('expect');
  if (expectation === undefined || expectation.toLowerCase() === '100-continue') return;
  const message = 'The only expectation that can be met is 100-continue';
  throw new AppError('bad_request', { message, details: { status: 417 } });
}

/** RFC 9112, 6.1: a further coding cannot be read, and must not be taken for the body. */
function checkCoding(state: RequestState): void {
  const coding = state.header('transfer-encoding');
  if (coding === undefined || coding.toLowerCase() === 'chunked') return;
  const message = 'The only Transfer-Encoding that can be read is chunked';
  throw new AppError('bad_request', { message, details: { status: 501 } });
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Drops a small body, ends the connection of a large one. */
export function discardBody(req: IncomingMessage, most = maxDiscardedBytes): void {
  let size = 0;
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > most) req.socket.destroy();
  });
  // A failed reader has paused it.
  req.resume();
}

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
      const { status } = known.details;
      const endpoint = state.match?.route.endpoint.name;
      const info = {
        requestId,
        path,
        ...(endpoint === undefined ? {} : { endpoint }),
        ...(status === undefined ? {} : { status }),
      };
      const reply = renderError(known, info);
      // Interfaces at the root of the server, such as clicks, answer an unknown id like an unknown address.
      const isUnknown = state.match === undefined || renderError === unmounted;
      const isPlace = isUnknown && state.isRead && reply.status === 404;
      const form = isPlace ? answerUnknown(state, reply) : reply;
      representation = renderReply(form, { sha256: ports.sha256, isRead: false });
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
