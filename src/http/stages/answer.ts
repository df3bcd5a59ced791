/**
 * Lets the handler answer, through the caches for reads; after admission, so a kept answer needs the same rights. What
 * is kept for anonymous callers is answered before Koa, as it would give it (docs/operations.md#answers-in-memory).
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../errors/app-error.js';
import { after } from '../../values/after.js';
import { openPieces, renderReply, tagAtClient } from '../answers/representation.js';
import type { CacheAnswer, ResponseCache } from '../answers/response-cache.js';
import type { Answer, Reply, Representation } from '../interface/endpoint.js';
import type { Located, Mounted, RouteMatch } from '../interface/locate.js';
import { chooseMediaType, previewHeader, previewParameter } from '../interface/request-headers.js';
import { type HttpPorts, type Lifecycle, RequestState, type Stage } from '../interface/request-state.js';
import { count, hasUsualHeaders } from './checks.js';
import type { Compress, Effort, Pieced } from './compress.js';
import type { Fail, Respond } from './respond.js';

const json: readonly string[] = ['application/json'];
/** As long as the total of a list. */
const knownSeconds = 5;
const maxKeyLength = 2048;

/** What the stages and what is in front of them share. */
export interface HttpParts {
  readonly ports: HttpPorts;
  readonly lifecycle: Lifecycle;
  readonly locate: (target: string) => Located;
  readonly caches: AnswerCaches;
  readonly compress: Compress;
  readonly respond: Respond;
  readonly fail: Fail;
}

interface Asked {
  readonly state: RequestState;
  readonly match: RouteMatch;
  readonly mounted: Mounted;
}

export function answer({ ports, caches, compress }: HttpParts): Stage {
  return async function answer({ state }) {
    state.check = 'handler';
    const { match } = state;
    const mounted = state.located?.mounted;
    if (match === undefined || mounted === undefined) throw new AppError('not_found');
    const { produces = json, handler } = match.route.endpoint;
    const mediaType = produces.length === 0 ? '' : chooseMediaType(state.header('accept'), produces);
    if (mediaType === null) throw new AppError('not_acceptable');
    state.mediaType = mediaType;
    const problem = state.located?.select(match.route).problem ?? null;
    if (problem !== null) throw problem();
    const handle = (): Reply | Promise<Reply> => {
      const entrance = entranceOf(state, match, ports);
      return entrance === null ? handler(state) : entrance.then(() => handler(state));
    };
    const render = (reply: Reply) => renderReply(reply, { isRead: state.isRead });
    const place = placeOf({ state, match, mounted }, caches);
    if (place === null) {
      const found = { representation: render(await handle()), age: 0, isKept: false };
      state.answer = await answerOf({ state, found, effort: 'fast' }, compress);
      return;
    }
    const produce = async (): Promise<Representation> => render(await handle());
    const { cache, key, seconds } = place;
    const isKnown = state.identity.kind !== 'anonymous';
    const found = await cache.answer({ key, seconds, now: ports.clock.elapsed, produce });
    // An answer to a known caller may be dropped before the next request for it.
    const effort = isKnown ? 'fast' : 'thorough';
    state.answer = await answerOf({ state, found, effort, isReady: found.isKept && isKnown }, compress);
  };
}

/** Null for an answer that can be made at once. Only records are large enough to wait for. */
function entranceOf({ isRead }: RequestState, { route }: RouteMatch, { entrance }: HttpPorts): Promise<void> | null {
  return entrance === undefined || !isRead || !route.endpoint.object ? null : entrance();
}

interface Found {
  readonly state: RequestState;
  readonly found: CacheAnswer;
  readonly effort: Effort;
  readonly isReady?: boolean;
}

function answerOf(asked: Found, compress: Compress): Answer | Promise<Answer> {
  const { state, found } = asked;
  const { representation } = found;
  if (representation.open === undefined) return wholeAnswer(asked, compress);
  const isAtClient = tagAtClient(representation, (name) => state.header(name)) !== null;
  if (isAtClient) return { representation, age: 0 };
  const pieced = compress.pieces(state, representation, representation.open());
  const isKnown = representation.etag !== null;
  if (isKnown && state.method === 'HEAD') return { representation: pieced.representation, age: 0 };
  return streamAnswer(state, pieced);
}

/** A promise only if the client's coding has to be made. */
function wholeAnswer(
  { state, found: { representation, age }, effort, isReady = false }: Found,
  compress: Compress,
): Answer | Promise<Answer> {
  const coded = compress.whole(state, representation, effort);
  return after(coded, (made) => ({ representation: made, age, isReady }));
}

async function streamAnswer({ method }: RequestState, { representation, source }: Pieced): Promise<Answer> {
  // A stream that fails before its first piece is answered with an error, to HEAD as to GET.
  const pieces = await openPieces(source);
  if (method !== 'HEAD') return { representation, age: 0, pieces };
  pieces.close();
  return { representation, age: 0 };
}

/** Of an endpoint that selects by more than the address. */
function selectedKey(selected: string, key: string): string {
  return `\0selected\0${selected}\0${key}`;
}

/** `known` only with databases that report changes. */
export interface AnswerCaches {
  readonly anonymous: ResponseCache;
  readonly known: ResponseCache | null;
}

interface Place {
  readonly cache: ResponseCache;
  readonly key: string;
  readonly seconds: number;
}

/** Includes everything that can shape the answer; null when it is not kept. HEAD shares the answer of GET. */
function placeOf({ state, match, mounted }: Asked, caches: AnswerCaches): Place | null {
  const { caching } = mounted.policy;
  if (caching.kind !== 'public' || caching.seconds === 0 || !state.isRead) return null;
  const { isNeverKept, selects } = match.route.endpoint;
  const selected = selects === undefined ? '' : selects(state);
  if (isNeverKept || selected === null) return null;
  const { identity } = state;
  const isAnonymous = identity.kind === 'anonymous';
  const caller = isAnonymous ? '' : (mounted.api.callerKey?.(identity) ?? null);
  const cache = isAnonymous ? caches.anonymous : caches.known;
  // Answers to known callers may name the parameters that shape nothing else.
  if (!isAnonymous && state.ignored.length > 0) return null;
  if (caller === null || cache === null) return null;
  // Other selecting headers are rare. A key with them begins with NUL, which no path does.
  let key = state.located?.select(match.route).key ?? '';
  for (const name of mounted.api.selectingHeaders ?? []) {
    const value = state.header(name);
    if (value !== undefined) key = `\0${name}\0${value}\0${key}`;
  }
  const { produces } = match.route.endpoint;
  if (selected !== '') key = selectedKey(selected, key);
  if (produces !== undefined && produces.length > 1) key = `\0type\0${state.mediaType}\0${key}`;
  if (!isAnonymous) key = `\0caller\0${caller}\0${key}`;
  const seconds = isAnonymous ? caching.seconds : Math.min(caching.seconds, knownSeconds);
  if (key.length > maxKeyLength || (!isAnonymous && !cache.noteAsked(key))) return null;
  return { cache, key, seconds };
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

/** False: the request goes through Koa. */
export function answersBeforeKoa(parts: HttpParts): (req: IncomingMessage, res: ServerResponse) => boolean {
  const { ports, lifecycle, caches, locate, respond, compress, fail } = parts;
  return function answerFromMemory(req, res) {
    const { method, url = '', headers } = req;
    if ((method !== 'GET' && method !== 'HEAD') || !url.startsWith('/')) return false;
    const located = locate(url);
    const match = located.match(method);
    if (located.mounted === undefined || match === undefined) return false;
    const { policy, api } = located.mounted;
    const { limit } = api;
    if (limit === undefined || policy.caching.kind !== 'public' || !policy.enabled) return false;
    const { produces, selects } = match.route.endpoint;
    const takesAny = produces?.length === 0;
    if (!takesAny && (produces !== undefined || !isAnyJson(headers.accept))) return false;
    if (isUnusual(headers) || located.query.some(([name]) => name === previewParameter)) return false;
    if (api.selectingHeaders?.some((name) => headers[name] !== undefined)) return false;
    const { key: address, pairs } = located.select(match.route);
    const selected = selects === undefined ? '' : selects({ header: (name) => headerOf(headers, name), query: pairs });
    if (selected === null) return false;
    const key = selected === '' ? address : selectedKey(selected, address);
    const kept = caches.anonymous.kept({ key, seconds: policy.caching.seconds, now: ports.clock.elapsed });
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
