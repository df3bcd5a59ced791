/** The headers of answers, as text: building each in Node takes up to a quarter of the time of an answer from memory. */
import { type ServerResponse, STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http';
import { perObject } from '../../values/kept-values.js';
import type { ApiPolicy, CorsPolicy } from '../interface/api.js';
import type { Endpoint, Representation } from '../interface/endpoint.js';
import { type RequestState, withHeaders } from '../interface/request-state.js';

/** Bytes of Cache-Tag: proxies give all headers of an answer 4 KiB together by default. */
const longestTags = 2800;

const idName = 'X-Request-ID';
const unchanging: readonly string[] = ['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer'];
const unchangingLines = joinLines(unchanging);

/** Name and value in turn: what may differ from request to request. */
export function commonHeaders(state: RequestState, status: number): readonly string[] {
  return [idName, state.requestId, ...unchanging, ...ownHeaders(state, status)];
}

/** Not checked: Node has read request id and Origin from headers, `headerNamesValue` has checked the settings. */
export function commonLines(state: RequestState, status: number): string {
  return `${idName}: ${state.requestId}\r\n${unchangingLines}${joinLines(ownHeaders(state, status))}`;
}

function ownHeaders(state: RequestState, status: number): readonly string[] {
  const mounted = state.located?.mounted;
  const ofSuccess = status < 400 ? state.successHeaders : [];
  if (mounted === undefined) return [...state.extraHeaders, ...ofSuccess];
  const isPage = state.unknown === 'page';
  const headers = isPage ? state.extraHeaders : withHeaders(state.extraHeaders, mounted.api.headers);
  const { cors } = mounted.policy;
  // Of this request, not of the answer: other origins get the kept answer too.
  const ofOrigin = cors === null ? ofSuccess : [...corsHeaders(cors, state.header('origin')), ...ofSuccess];
  return ofOrigin.length === 0 ? headers : [...headers, ...ofOrigin];
}

/** For which a browser may keep the answer to a preflight. */
const preflightSeconds = '86400';

function corsHeaders(policy: CorsPolicy, origin: string | undefined): readonly string[] {
  if (origin === undefined || !isAllowed(policy, origin)) return [];
  const headers = ['Access-Control-Allow-Origin', origin];
  const add = (name: string, value: string): void => {
    if (value !== '') headers.push(name, value);
  };
  add('Access-Control-Allow-Methods', policy.methods);
  add('Access-Control-Allow-Headers', policy.requestHeaders);
  add('Access-Control-Expose-Headers', policy.exposed);
  headers.push('Access-Control-Max-Age', preflightSeconds);
  if (policy.credentials) headers.push('Access-Control-Allow-Credentials', 'true');
  return headers;
}

/** Exact comparison: no case folding, no default ports, no parts of names. */
function isAllowed({ origins }: CorsPolicy, origin: string): boolean {
  // A list cannot name the origin "null" (sandboxed pages, local files), which would mean any page.
  return origins === 'every' || origins.has(origin);
}

function withVary(vary: string, header: string): string {
  if (vary === '') return header;
  return `, ${vary},`.includes(`, ${header},`) ? vary : `${vary}, ${header}`;
}

interface Content {
  readonly representation: Representation;
  readonly status: number;
  readonly etag: string | null;
  readonly age: number;
  /** Answers differ by Accept-Encoding. */
  readonly compresses: boolean;
}

/** Name and value in turn: what follows from the answer, its age, the kind of caller and the policy. */
export function contentHeaders(state: RequestState, content: Content): string[] {
  const { type, length, headers: own } = content.representation;
  const { status, etag } = content;
  const headers: string[] = [];
  if (type !== null) headers.push('Content-Type', type);
  // 304 and 204 have no length; HEAD has the one of GET.
  if (status !== 304 && status !== 204 && length !== null) headers.push('Content-Length', String(length));
  if (etag !== null) headers.push('ETag', etag);
  // Without a body there is nothing that could be encoded.
  for (const name in own) if (status !== 304 || name !== 'Content-Encoding') headers.push(name, own[name] ?? '');
  addCachingHeaders(headers, { state, ...content });
  return headers;
}

interface CachingQuestion extends Omit<Content, 'status' | 'etag'> {
  readonly state: RequestState;
}

/** A proxy that compresses an answer would weaken its tag, which editors send back. */
const personal = 'private, no-store, no-transform';

const immutable = 'public, max-age=31536000, immutable';

/** Public for anonymous reads, private for others, `no-store` for errors (docs/reference/gateway.md#cache-headers). */
function addCachingHeaders(headers: string[], { state, representation, age, compresses }: CachingQuestion): void {
  const mounted = state.located?.mounted;
  const { caching, status } = representation;
  if (mounted === undefined || !state.isRead || status >= 300 || caching.kind === 'never') {
    const selecting = state.unknown === undefined ? '' : 'Accept';
    const isOpen = mounted !== undefined && mounted.policy.cors !== null;
    const vary = isOpen ? withVary(selecting, 'Origin') : selecting;
    if (vary !== '') headers.push('Vary', vary);
    // Answers to authenticated writers are private. Refusals and anonymous answers hold nothing personal.
    const isPersonal = status < 300 && !state.isRead && state.identity.kind !== 'anonymous';
    headers.push('Cache-Control', isPersonal ? personal : 'no-store');
    return;
  }
  const { api, policy } = mounted;
  const offered = state.match?.route.endpoint.produces?.length ?? 1;
  const { vary: ofApi = '' } = api;
  const selecting = offered > 1 ? (ofApi === '' ? 'Accept' : `${ofApi}, Accept`) : ofApi;
  const shaped = caching.kind === 'file' && caching.varies ? withVary(selecting, caching.varies) : selecting;
  const coded = compresses && representation.isCompressible ? withVary(shaped, 'Accept-Encoding') : shaped;
  const vary = policy.cors === null ? coded : withVary(coded, 'Origin');
  if (vary !== '') headers.push('Vary', vary);
  if (state.identity.kind !== 'anonymous') {
    headers.push('Cache-Control', personal);
  } else if (policy.caching.kind === 'private') {
    headers.push('Cache-Control', 'private, no-store');
  } else if (caching.kind === 'static') {
    headers.push('Cache-Control', `public, max-age=${caching.seconds}`);
  } else if (caching.kind === 'file') {
    headers.push('Cache-Control', caching.isImmutable ? immutable : 'public, max-age=3600');
    headers.push('Cache-Tag', caching.tags.join(','));
  } else if (policy.caching.kind === 'revalidate') {
    headers.push('Cache-Control', 'no-cache');
  } else {
    const left = Math.max(0, policy.caching.seconds - age);
    headers.push('Cache-Control', `public, max-age=${left}`, 'Age', String(age));
    const tags = caching.tags.join(',');
    const sent = tags.length > longestTags ? (caching.coarseTags ?? []).join(',') : tags;
    if (sent !== '') headers.push('Cache-Tag', sent);
  }
}

interface KeptLines extends Pick<Content, 'etag' | 'age'> {
  readonly policy: ApiPolicy | undefined;
  readonly endpoint: Endpoint | undefined;
  readonly isAnonymous: boolean;
  readonly lines: string;
}

/** Headers of a kept answer as lines, made once for each age. */
export function makeKeptLines(): (state: RequestState, content: Content) => string {
  const keptOf = perObject<Representation, { full?: KeptLines; unchanged?: KeptLines }>(() => ({}));
  return (state, content) => {
    const { representation, status, etag, age } = content;
    const memory = keptOf(representation);
    const form = status === 304 ? 'unchanged' : 'full';
    const policy = state.located?.mounted?.policy;
    const endpoint = state.match?.route.endpoint;
    const isAnonymous = state.identity.kind === 'anonymous';
    const kept = memory[form];
    const isSame = kept?.age === age && kept.etag === etag && kept.policy === policy && kept.endpoint === endpoint;
    if (isSame && kept.isAnonymous === isAnonymous) return kept.lines;
    const lines = inOnePiece(headerLines(contentHeaders(state, content)));
    memory[form] = { etag, age, policy, endpoint, isAnonymous, lines };
    return lines;
  };
}

/** A joined text is kept as its parts, which are gathered each time it is sent. */
function inOnePiece(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

function joinLines(headers: readonly string[]): string {
  let lines = '';
  for (let at = 0; at < headers.length; at += 2) lines += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return lines;
}

/** Throws for what no header may have, as Node does. */
export function headerLines(headers: readonly string[]): string {
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = [headers[at], headers[at + 1]];
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  return joinLines(headers);
}

/** Only on a connection that stays open, and in HTTP/1.1. */
export function takesReadyHead(res: ServerResponse): boolean {
  return res.shouldKeepAlive && res.req.httpVersion === '1.1' && res.socket !== null && !res.headersSent;
}

/** Adds the first line, and the lines that Node adds to every answer. */
export function makeCompleteHead(now: () => number, keepAliveMs: number): (status: number, lines: string) => string {
  let second = Number.NaN;
  let end = '';
  return (status, lines) => {
    const newest = Math.floor(now() / 1000);
    if (newest !== second) {
      second = newest;
      const date = new Date(newest * 1000).toUTCString();
      const seconds = Math.floor(keepAliveMs / 1000);
      end = inOnePiece(`Date: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n\r\n`);
    }
    return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines}${end}`;
  };
}

/** Node copies a text instead of converting it if each character is a byte; it ignores the encoding of a Buffer. */
function encodingOf(body: string | Buffer, bytes: number): 'latin1' | 'utf8' {
  return body.length === bytes ? 'latin1' : 'utf8';
}

interface ReadyAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string | Buffer;
  readonly length: number;
}

/** False if this Node does not take a finished head: there is no public way, but `headersSent` shows it. */
export function sendReady(res: ServerResponse, { status, head, body, length }: ReadyAnswer): boolean {
  Reflect.set(res, '_header', head);
  if (!res.headersSent) return false;
  res.statusCode = status;
  const { socket } = res;
  if (body !== '' && socket !== null) {
    socket.cork();
    res.write(body, encodingOf(body, length));
    socket.uncork();
  }
  res.end();
  return true;
}
