/** Answers before Koa, as it would give them: from memory (docs/operations.md#answers-in-memory). */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { after } from '../../values/after.js';
import type { ResponseCache } from '../answers/response-cache.js';
import { previewHeader, previewParameter } from '../interface/api.js';
import type { Located, Mounted, RouteMatch } from '../interface/locate.js';
import { type HttpPorts, type Lifecycle, RequestState } from '../interface/request-state.js';
import { selectedKey, wholeAnswer } from '../stages/answer.js';
import { count } from '../stages/checks.js';
import type { Compress } from '../stages/compress.js';
import { type Fail, hasUsualHeaders } from '../stages/edge.js';
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

/** False: the request goes through Koa. */
export function answersBeforeKoa(parts: BeforeKoaParts): (req: IncomingMessage, res: ServerResponse) => boolean {
  const fromMemory = answerFromMemory(parts);
  return (req, res) => {
    const { method, url = '' } = req;
    if ((method !== 'GET' && method !== 'HEAD') || !url.startsWith('/')) return false;
    const located = parts.locate(url);
    const { mounted } = located;
    const match = located.match(method);
    return mounted !== undefined && match !== undefined && fromMemory({ req, res, located, mounted, match });
  };
}

function answerFromMemory({
  ports,
  lifecycle,
  cache,
  respond,
  compress,
  fail,
}: BeforeKoaParts): (usual: Usual) => boolean {
  return function answerFromMemory({ req, res, located, mounted: { policy, api }, match }) {
    const { headers } = req;
    const { limit } = api;
    if (limit === undefined || policy.caching.kind !== 'public' || !policy.enabled) return false;
    const { produces, selects } = match.route.endpoint;
    const takesAny = produces?.length === 0;
    if (!takesAny && (produces !== undefined || !isAnyJson(headers.accept))) return false;
    if (isUnusual(headers) || located.query.some(([name]) => name === previewParameter)) return false;
    if (api.selectingHeaders.some((name) => headers[name] !== undefined)) return false;
    const { key: address, pairs } = located.select(match.route);
    const selected = selects === undefined ? '' : selects({ header: (name) => headerOf(headers, name), query: pairs });
    if (selected === null) return false;
    const key = selected === '' ? address : selectedKey(selected, address);
    const kept = cache.kept({ key, seconds: policy.caching.seconds, now: ports.clock.elapsed });
    if (kept === undefined || !hasUsualHeaders(req)) return false;
    const state = new RequestState({ req, res, ports, lifecycle });
    state.located = located;
    state.match = match;
    state.check = 'limit';
    const send = (): void | Promise<void> => {
      const answer = wholeAnswer({ state, found: kept, effort: 'thorough', isReady: true }, compress);
      return after(answer, (made) => respond(state, made));
    };
    try {
      const pending = after(count(state, { limit, refused: false }), send);
      pending?.catch((error: unknown) => fail(state, error));
    } catch (error) {
      fail(state, error);
    }
    return true;
  };
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'object' ? value.join(', ') : value;
}

function isAnyJson(accept: string | undefined): boolean {
  return accept === undefined || accept === '*/*' || accept === 'application/json';
}
