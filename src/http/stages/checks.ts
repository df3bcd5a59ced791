/** The checks that interfaces choose from (docs/reference/http.md#order-of-checks). */
import { AppError } from '../../errors/app-error.js';
import { after } from '../../values/after.js';
import type { Identify, Limit, RouteQuestion } from '../interface/api.js';
import { type Exchange, type Stage, withHeaders } from '../interface/exchange.js';

/** 404 without a route, 405 for another method; 429 for a caller with too many of them. */
export function checkRoute(): Stage {
  return function checkRoute(ctx, next) {
    const { exchange } = ctx.state;
    return exchange.match === undefined ? refuseAddress(exchange) : next();
  };
}

async function refuseAddress(exchange: Exchange): Promise<never> {
  const { located } = exchange;
  await exchange.countStray();
  if (located?.routeProblem !== undefined) throw located.routeProblem();
  const allow = located?.allowedMethods() ?? [];
  throw allow.length > 0 ? new AppError('method_not_allowed', { details: { allow } }) : new AppError('not_found');
}

/** 503 while the interface is switched off, except for routes that answer anyway. */
export function checkEnabled(): Stage {
  return function checkEnabled(ctx, next) {
    const { match, located } = ctx.state.exchange;
    if (located?.mounted?.policy.enabled === true || match?.route.endpoint.whenDisabled === true) return next();
    throw new AppError('service_disabled');
  };
}

/** 401 for a wrong credential. With `limit` guesses are counted too: a caller above it gets no verdict. */
export function authenticate(identify: Identify, limit?: Limit): Stage {
  return async function authenticate(ctx, next) {
    const { exchange } = ctx.state;
    try {
      const identity = identify(exchange, exchange.match?.route.endpoint);
      // A wait ends the turn in which requests share a look at the database.
      exchange.identity = identity instanceof Promise ? await identity : identity;
    } catch (error) {
      const isRefusal = error instanceof AppError && error.kind === 'unauthenticated';
      if (isRefusal && limit !== undefined) await count(exchange, { limit, refused: true });
      throw error;
    }
    return next();
  };
}

export function limitRequests(limit: Limit): Stage {
  return function limitRequests(ctx, next) {
    return after(count(ctx.state.exchange, { limit, refused: false }), next);
  };
}

/** Returns a promise only if the counter does; refuses by throwing or rejecting. */
export function count(
  exchange: Exchange,
  { limit, refused }: { readonly limit: Limit; readonly refused: boolean },
): void | Promise<void> {
  const { identity, match } = exchange;
  const verdict = limit({ caller: exchange, identity, endpoint: match?.route.endpoint, refused });
  return after(verdict, (found) => exchange.obey(found));
}

/** Headers for a successful answer. Throws if another web page may have sent the request. */
export type ProtectSession = (question: RouteQuestion) => Readonly<Record<string, string>> | null;

export function checkCsrf(protect: ProtectSession): Stage {
  return function checkCsrf(ctx, next) {
    const { exchange } = ctx.state;
    const headers = protect(questionOf(exchange));
    if (headers !== null) exchange.successHeaders = withHeaders(exchange.successHeaders, headers);
    return next();
  };
}

/** 401 or 403, and the route's own refusal while a setting switches it off. */
export function admit(admits: (question: RouteQuestion) => void): Stage {
  return function admit(ctx, next) {
    const question = questionOf(ctx.state.exchange);
    admits(question);
    question.endpoint.checkSwitch?.();
    return next();
  };
}

function questionOf(exchange: Exchange): RouteQuestion {
  const { match, identity } = exchange;
  if (match === undefined) throw new AppError('internal_error', { cause: new Error('checkRoute runs later') });
  return { caller: exchange, identity, endpoint: match.route.endpoint, params: match.params };
}
