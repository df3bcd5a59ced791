/** The checks that interfaces choose from (docs/reference/http.md#order-of-checks). */
import { AppError } from '../../errors/app-error.js';
import { after } from '../../values/after.js';
import type { Identify, Limit, RouteQuestion } from '../interface/api.js';
import { type RequestState, type Stage, withHeaders } from '../interface/request-state.js';

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
      const identity = identify(state, state.match?.route.endpoint);
      // A wait ends the turn in which requests share a look at the database.
      state.identity = identity instanceof Promise ? await identity : identity;
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
