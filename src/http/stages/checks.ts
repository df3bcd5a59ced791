/**
 * Runs the checks between the edge and the handler in the order that the API gives: route, enabled switch,
 * authentication, limit, protection of sessions, admission. The first that refuses decides the answer.
 */
import type { Identity } from '../../access/identity.js';
import { AppError } from '../../errors/app-error.js';
import { allowedMethods } from '../interface/allow.js';
import type { CheckName, LimitVerdict } from '../interface/api.js';
import type { Exchange } from '../interface/exchange.js';
import type { Located, Mounted } from '../interface/locate.js';
import type { RouteMatch } from '../interface/router.js';
import type { Respond } from './respond.js';
import type { Stage } from './state.js';

/** A promise only where something has to be waited for: most requests pass without a turn of the event loop. */
type Check = (exchange: Exchange, mounted: Mounted) => void | Promise<void>;

const checks: Readonly<Record<CheckName, Check>> = {
  route: checkRoute,
  enabled: checkEnabled,
  authenticate,
  limit,
  csrf,
  admit,
};

export function runChecks(respond: Respond): Stage {
  return function runChecks(ctx, next) {
    const { exchange } = ctx.state;
    const { located } = exchange;
    const mounted = located?.mounted;
    if (located === undefined || mounted === undefined) throw new AppError('not_found');
    if (ctx.req.method === 'OPTIONS' && mounted.policy.answersOptions) {
      answerOptions({ exchange, located, respond });
      return;
    }
    const pending = passChecks(exchange, { mounted, from: 0 });
    return pending === undefined ? next() : pending.then(next);
  };
}

/** Passes the checks one after the other; those that come after one that waits come after its end. */
function passChecks(
  exchange: Exchange,
  { mounted, from }: { readonly mounted: Mounted; readonly from: number },
): void | Promise<void> {
  const { order } = mounted.api;
  for (let at = from; at < order.length; at += 1) {
    const name = order[at];
    const pending = name === undefined ? undefined : checks[name](exchange, mounted);
    if (pending !== undefined) return pending.then(() => passChecks(exchange, { mounted, from: at + 1 }));
  }
}

/** OPTIONS is 204 for every path (docs/reference/http.md#methods), before anything else is looked at. */
function answerOptions({
  exchange,
  located,
  respond,
}: {
  exchange: Exchange;
  located: Located;
  respond: Respond;
}): void {
  const allow = allowedMethods(located);
  respond(exchange, {
    representation: {
      status: 204,
      type: null,
      body: '',
      length: 0,
      etag: null,
      headers: allow.length > 0 ? { Allow: allow.join(', ') } : {},
      caching: { kind: 'never' },
    },
    age: 0,
  });
}

function findMatch({ req, located }: Exchange): RouteMatch | undefined {
  const { method } = req;
  switch (method) {
    case 'GET':
    case 'HEAD':
      return located?.matches.get('GET');
    case 'POST':
    case 'PUT':
    case 'PATCH':
    case 'DELETE':
      return located?.matches.get(method);
    default:
      return undefined;
  }
}

function checkRoute(exchange: Exchange): void {
  const { located } = exchange;
  exchange.match = findMatch(exchange);
  if (exchange.match !== undefined) return;
  if (located?.routeProblem !== undefined) throw located.routeProblem();
  const allow = located === undefined ? [] : allowedMethods(located);
  throw allow.length > 0 ? new AppError('method_not_allowed', { details: { allow } }) : new AppError('not_found');
}

function checkEnabled(exchange: Exchange, { policy }: Mounted): void {
  if (policy.enabled || findMatch(exchange)?.route.endpoint.whenDisabled === true) return;
  throw new AppError('service_disabled');
}

function authenticate(exchange: Exchange, mounted: Mounted): void | Promise<void> {
  const refuse = (error: unknown) => countRefusal({ exchange, mounted, error });
  let identity: Identity | Promise<Identity>;
  try {
    identity = mounted.api.authenticate(exchange, findMatch(exchange)?.route.endpoint);
  } catch (error) {
    return refuse(error);
  }
  if (!(identity instanceof Promise)) {
    exchange.identity = identity;
    return;
  }
  return identity.then((found) => {
    exchange.identity = found;
  }, refuse);
}

/** Guesses are counted like every other request; who sends too many of them learns nothing more. */
function countRefusal({
  exchange,
  mounted,
  error,
}: {
  exchange: Exchange;
  mounted: Mounted;
  error: unknown;
}): Promise<void> | never {
  if (!(error instanceof AppError) || error.kind !== 'unauthenticated') throw error;
  const pending = count({ exchange, mounted, refused: true });
  if (pending === undefined) throw error;
  return pending.then(() => {
    throw error;
  });
}

function limit(exchange: Exchange, mounted: Mounted): void | Promise<void> {
  return count({ exchange, mounted, refused: false });
}

function count({
  exchange,
  mounted,
  refused,
}: {
  exchange: Exchange;
  mounted: Mounted;
  refused: boolean;
}): void | Promise<void> {
  const { api } = mounted;
  if (api.limit === undefined) return;
  const endpoint = findMatch(exchange)?.route.endpoint;
  const verdict = api.limit({ caller: exchange, identity: exchange.identity, endpoint, refused });
  if (!(verdict instanceof Promise)) return obey(exchange, verdict);
  return verdict.then((found) => obey(exchange, found));
}

function obey(exchange: Exchange, verdict: LimitVerdict | null): void {
  if (verdict === null) return;
  const { headers, error } = verdict;
  for (const name in headers) exchange.extraHeaders.push(name, headers[name] ?? '');
  if (error !== undefined) throw error;
}

function csrf(exchange: Exchange, { api }: Mounted): void {
  const { match, identity } = exchange;
  if (match === undefined) throw new AppError('internal_error', { cause: new Error('csrf ran before route') });
  const headers = api.csrf?.({ caller: exchange, identity, endpoint: match.route.endpoint }) ?? null;
  for (const name in headers) exchange.successHeaders.push(name, headers[name] ?? '');
}

function admit(exchange: Exchange, { api }: Mounted): void {
  const { match, identity } = exchange;
  if (match === undefined) throw new AppError('internal_error', { cause: new Error('admit ran before route') });
  const { endpoint } = match.route;
  api.admit({ endpoint, identity, params: match.params });
  endpoint.checkSwitch?.();
}
