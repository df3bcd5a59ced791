/**
 * Answers in front of Koa what lies in memory for the method and the raw target of a request. Everything unusual takes
 * the way through Koa, where the same answer comes out (docs/operations.md#answers-in-memory).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ResponseCache } from '../answers/response-cache.js';
import type { HttpPorts } from '../interface/exchange.js';
import type { Located } from '../interface/locate.js';
import type { Fail, OpenExchange } from '../stages/catch-errors.js';
import { count } from '../stages/checks.js';
import { hasUsualHeaders } from '../stages/edge.js';
import type { Respond } from '../stages/respond.js';

interface BeforeKoaParts {
  readonly ports: HttpPorts;
  readonly cache: ResponseCache;
  readonly locate: (target: string) => Located;
  readonly open: OpenExchange;
  readonly respond: Respond;
  readonly fail: Fail;
}

/** Headers by which a caller, or the form of the answer, may differ from the usual. */
const unusual = ['authorization', 'x-api-key', 'cookie', 'expect', 'content-length', 'transfer-encoding'];

/** Makes the function that gives false for a request that Koa has to answer. */
export function answerBeforeKoa(parts: BeforeKoaParts): (req: IncomingMessage, res: ServerResponse) => boolean {
  const { ports, cache, locate, open, respond, fail } = parts;
  return function answerBeforeKoa(req, res) {
    const { method, url = '', headers } = req;
    if ((method !== 'GET' && method !== 'HEAD') || !url.startsWith('/')) return false;
    const located = locate(url);
    const { mounted } = located;
    const match = located.match(method);
    if (mounted === undefined || match === undefined) return false;
    const { policy, api } = mounted;
    const { limit } = api;
    if (limit === undefined || policy.caching.kind !== 'public' || !policy.enabled) return false;
    if (match.route.endpoint.produces !== undefined || !isAnyJson(headers.accept)) return false;
    if (unusual.some((name) => headers[name] !== undefined)) return false;
    if (api.selectingHeaders.some((name) => headers[name] !== undefined)) return false;
    const { key } = located.select(match.route);
    const kept = cache.kept({ key, seconds: policy.caching.seconds, now: ports.clock.elapsed });
    if (kept === undefined || !hasUsualHeaders(req)) return false;
    const exchange = open(req, res);
    exchange.located = located;
    exchange.match = match;
    try {
      const pending = count(exchange, { limit, refused: false });
      if (pending === undefined) respond(exchange, kept);
      else
        pending.then(
          () => respond(exchange, kept),
          (error: unknown) => fail(exchange, error),
        );
    } catch (error) {
      fail(exchange, error);
    }
    return true;
  };
}

function isAnyJson(accept: string | undefined): boolean {
  return accept === undefined || accept === '*/*' || accept === 'application/json';
}
