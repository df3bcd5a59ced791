/**
 * Answers in front of Koa, the same as on the way through it: those from memory (docs/operations.md#answers-in-memory), and
 * those of routes that answer every caller, such as clicks.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ResponseCache } from '../answers/response-cache.js';
import type { ApiModule } from '../interface/api.js';
import { Exchange, type HttpPorts, type Lifecycle } from '../interface/exchange.js';
import type { Located } from '../interface/locate.js';
import { type AnswerExchange, sendWhole } from '../stages/answer.js';
import { count, limitRequests } from '../stages/checks.js';
import type { Compress } from '../stages/compress.js';
import { type Fail, hasBody, hasUsualHeaders } from '../stages/edge.js';
import type { Respond } from '../stages/respond.js';

export interface BeforeKoaParts {
  readonly ports: HttpPorts;
  readonly cache: ResponseCache;
  readonly locate: (target: string) => Located;
  readonly lifecycle: Lifecycle;
  readonly respond: Respond;
  readonly compress: Compress;
  readonly fail: Fail;
}

/** Headers by which a caller, or the form of the answer, may differ from the usual. */
const unusual = ['authorization', 'x-api-key', 'cookie', 'expect', 'content-length', 'transfer-encoding'];

/** Makes the function that gives false for a request that Koa has to answer. */
export function answerBeforeKoa(parts: BeforeKoaParts): (req: IncomingMessage, res: ServerResponse) => boolean {
  const { ports, lifecycle, cache, locate, respond, compress, fail } = parts;
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
    const exchange = new Exchange({ req, res, ports, lifecycle });
    exchange.located = located;
    exchange.match = match;
    exchange.reached = limitRequests;
    const send = () => sendWhole({ exchange, found: kept, isKept: true, isReady: true }, { compress, respond });
    try {
      const counted = count(exchange, { limit, refused: false });
      const pending = counted === undefined ? send() : counted.then(send);
      pending?.catch((error: unknown) => fail(exchange, error));
    } catch (error) {
      fail(exchange, error);
    }
    return true;
  };
}

/** Checks that a request for a route of an interface that is on passes, whoever sends it. */
const openChecks: ReadonlySet<string> = new Set(['checkRoute', 'checkEnabled']);

interface HandlingParts extends Pick<BeforeKoaParts, 'ports' | 'lifecycle' | 'locate' | 'fail'> {
  readonly answer: AnswerExchange;
}

/**
 * Makes the function that lets the handlers of open interfaces answer reads, and gives false for any other request. Such
 * interfaces have no check that could refuse, and no credential that could be wrong.
 */
export function handleBeforeKoa(parts: HandlingParts): (req: IncomingMessage, res: ServerResponse) => boolean {
  const { ports, lifecycle, locate, answer, fail } = parts;
  const isOpen = remembered((api: ApiModule) => api.checks.every(({ name }) => openChecks.has(name)));
  return function handleBeforeKoa(req, res) {
    const { method, url = '', headers } = req;
    if ((method !== 'GET' && method !== 'HEAD') || !url.startsWith('/')) return false;
    const located = locate(url);
    const { mounted } = located;
    const match = located.match(method);
    if (mounted === undefined || match === undefined) return false;
    if (!mounted.policy.enabled || !isOpen(mounted.api) || match.route.endpoint.request !== undefined) return false;
    if (headers.expect !== undefined || hasBody(req) || !hasUsualHeaders(req)) return false;
    const exchange = new Exchange({ req, res, ports, lifecycle });
    exchange.located = located;
    exchange.match = match;
    exchange.reached = answer;
    try {
      answer(exchange)?.catch((error: unknown) => fail(exchange, error));
    } catch (error) {
      fail(exchange, error);
    }
    return true;
  };
}

function remembered<Key extends object, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const found = new WeakMap<Key, Value>();
  return (key) => {
    const known = found.get(key);
    if (known !== undefined) return known;
    const value = find(key);
    found.set(key, value);
    return value;
  };
}

function isAnyJson(accept: string | undefined): boolean {
  return accept === undefined || accept === '*/*' || accept === 'application/json';
}
