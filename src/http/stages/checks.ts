/** What a request passes (docs/reference/http.md#order-of-checks): the rules of HTTP, then what its interface checks. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors/app-error.js';
import { after } from '../../values/after.js';
import type { Identify, Limit, RouteQuestion } from '../interface/api.js';
import { allMethods, type Located } from '../interface/locate.js';
import { hostForm } from '../interface/request-headers.js';
import { isRequestMethod, type RequestState, type Stage, withHeaders } from '../interface/request-state.js';

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

/** 404 without a route, 405 for another method; 429 for a caller with too many of them. */
export function checkRoute(): Stage {
  return function checkRoute(ctx, next) {
    const { state } = ctx;
    return state.match === undefined ? refuseAddress(state) : next();
  };
}

async function refuseAddress(state: RequestState): Promise<never> {
  const { located } = state;
  state.check = 'route';
  await state.countStray();
  if (located?.routeProblem !== undefined) throw located.routeProblem();
  const allow = located?.allowedMethods() ?? [];
  throw allow.length > 0 ? new AppError('method_not_allowed', { details: { allow } }) : new AppError('not_found');
}

/** 503 while the interface is turned off, except for routes that answer anyway. */
export function checkEnabled(): Stage {
  return function checkEnabled(ctx, next) {
    const { match, located } = ctx.state;
    if (located?.mounted?.policy.enabled === true || match?.route.endpoint.whenDisabled === true) return next();
    ctx.state.check = 'enabled';
    throw new AppError('service_disabled');
  };
}

/** 401 for a wrong credential. With `limit` guesses are counted too: a caller above it gets no verdict. */
export function authenticate(identify: Identify, limit?: Limit): Stage {
  return async function authenticate(ctx, next) {
    const { state } = ctx;
    state.check = 'credential';
    try {
      const found = identify(state, state.match?.route.endpoint);
      // A wait ends the turn in which requests share a look at the database.
      const identity = found instanceof Promise ? await found : found;
      if (identity === null) throw new AppError('invalid_token');
      state.identity = identity;
    } catch (error) {
      const isRefusal = error instanceof AppError && error.kind === 'unauthenticated';
      if (isRefusal && limit !== undefined) await count(state, { limit, refused: true });
      throw error;
    }
    return next();
  };
}

export function limitRequests(limit: Limit): Stage {
  return function limitRequests(ctx, next) {
    ctx.state.check = 'limit';
    return after(count(ctx.state, { limit, refused: false }), next);
  };
}

/** Returns a promise only if the counter does; refuses by throwing or rejecting. */
export function count(
  state: RequestState,
  { limit, refused }: { readonly limit: Limit; readonly refused: boolean },
): void | Promise<void> {
  const { identity, match } = state;
  const verdict = limit({ caller: state, identity, endpoint: match?.route.endpoint, refused });
  return after(verdict, (found) => state.obey(found));
}

/** Headers for a successful answer. Throws if another web page may have sent the request. */
export type ProtectSession = (question: RouteQuestion) => Readonly<Record<string, string>> | null;

export function checkCsrf(protect: ProtectSession): Stage {
  return function checkCsrf(ctx, next) {
    const { state } = ctx;
    state.check = 'csrf';
    const headers = protect(questionOf(state));
    if (headers !== null) state.successHeaders = withHeaders(state.successHeaders, headers);
    return next();
  };
}

/** 401 or 403, and the route's own refusal while a setting turns it off. */
export function admit(admits: (question: RouteQuestion) => void): Stage {
  return function admit(ctx, next) {
    const question = questionOf(ctx.state);
    ctx.state.check = 'access';
    admits(question);
    question.endpoint.checkSwitch?.();
    return next();
  };
}

function questionOf(state: RequestState): RouteQuestion {
  const { match, identity } = state;
  if (match === undefined) throw new AppError('internal_error', { cause: new Error('checkRoute runs later') });
  return { caller: state, identity, endpoint: match.route.endpoint, params: match.params };
}
