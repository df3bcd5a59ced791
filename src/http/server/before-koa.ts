/** Answers before Koa, as it would give them: from memory (docs/operations.md#answers-in-memory), and clicks. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { perObject } from '../../values/per-object.js';
import type { ResponseCache } from '../answers/response-cache.js';
import { type ApiModule, previewHeader, previewParameter } from '../interface/api.js';
import { Exchange, type HttpPorts, type Lifecycle } from '../interface/exchange.js';
import type { Located, Mounted, RouteMatch } from '../interface/locate.js';
import { type AnswerExchange, sendWhole, type WholeAnswer } from '../stages/answer.js';
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
  readonly answer: AnswerExchange;
}

/** The caller or the form of the answer may differ. A list of names would take several times as long. */
function isUnusual(headers: IncomingHttpHeaders): boolean {
  return (
    headers.authorization !== undefined ||
    headers['x-api-key'] !== undefined ||
    headers[previewHeader] !== undefined ||
    headers.cookie !== undefined ||
    headers.expect !== undefined ||
    headers['content-length'] !== undefined ||
    headers['transfer-encoding'] !== undefined
  );
}

interface Usual {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly located: Located;
  readonly mounted: Mounted;
  readonly match: RouteMatch;
}

type Answering = (usual: Usual) => boolean;

interface BeforeKoa {
  readonly any: (req: IncomingMessage, res: ServerResponse) => boolean;
  readonly kept: (req: IncomingMessage, res: ServerResponse) => boolean;
}

export function answersBeforeKoa(parts: BeforeKoaParts): BeforeKoa {
  const fromMemory = answerFromMemory(parts);
  const byHandler = answerByHandler(parts);
  const usual = (req: IncomingMessage, res: ServerResponse): Usual | null => {
    const { method, url = '' } = req;
    if ((method !== 'GET' && method !== 'HEAD') || !url.startsWith('/')) return null;
    const located = parts.locate(url);
    const { mounted } = located;
    const match = located.match(method);
    return mounted === undefined || match === undefined ? null : { req, res, located, mounted, match };
  };
  return {
    any(req, res) {
      const asked = usual(req, res);
      return asked !== null && (fromMemory(asked) || byHandler(asked));
    },
    kept(req, res) {
      const asked = usual(req, res);
      return asked !== null && fromMemory(asked);
    },
  };
}

function answerFromMemory({ ports, lifecycle, cache, respond, compress, fail }: BeforeKoaParts): Answering {
  const means = { compress, respond };
  return function answerFromMemory({ req, res, located, mounted: { policy, api }, match }) {
    const { headers } = req;
    const { limit } = api;
    if (limit === undefined || policy.caching.kind !== 'public' || !policy.enabled) return false;
    if (match.route.endpoint.produces !== undefined || !isAnyJson(headers.accept)) return false;
    if (isUnusual(headers) || located.query.some(([name]) => name === previewParameter)) return false;
    if (api.selectingHeaders.some((name) => headers[name] !== undefined)) return false;
    const { key } = located.select(match.route);
    const kept = cache.kept({ key, seconds: policy.caching.seconds, now: ports.clock.elapsed });
    if (kept === undefined || !hasUsualHeaders(req)) return false;
    const exchange = new Exchange({ req, res, ports, lifecycle });
    exchange.located = located;
    exchange.match = match;
    exchange.reached = limitRequests;
    const answer: WholeAnswer = { exchange, found: kept, isKept: true, isReady: true };
    try {
      const counted = count(exchange, { limit, refused: false });
      const pending = counted === undefined ? sendWhole(answer, means) : counted.then(() => sendWhole(answer, means));
      pending?.catch((error: unknown) => fail(exchange, error));
    } catch (error) {
      fail(exchange, error);
    }
    return true;
  };
}

/** These pass for every caller while the interface is on. */
const openChecks: ReadonlySet<string> = new Set(['checkRoute', 'checkEnabled']);

/** Open interfaces have no check that could refuse, and no credential that could be wrong. */
function answerByHandler({ ports, lifecycle, answer, fail }: BeforeKoaParts): Answering {
  const isOpen = perObject((api: ApiModule) => api.checks.every(({ name }) => openChecks.has(name)));
  return function answerByHandler({ req, res, located, mounted, match }) {
    if (!mounted.policy.enabled || !isOpen(mounted.api) || match.route.endpoint.request !== undefined) return false;
    if (req.headers.expect !== undefined || hasBody(req) || !hasUsualHeaders(req)) return false;
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

function isAnyJson(accept: string | undefined): boolean {
  return accept === undefined || accept === '*/*' || accept === 'application/json';
}
