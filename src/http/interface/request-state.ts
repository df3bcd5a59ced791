/** What `ctx.state` holds of a request. Handlers see it only as a Call, an API's checks only as a Caller. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Middleware } from 'koa';
import { anonymous, type Identity } from '../../access/identity.js';
import type { Clock } from '../../clock/clock.js';
import { randomId } from '../../crypto/primitives.js';
import type { CheckName, Log, Refusal } from '../../log/observation.js';
import type { Traces } from '../../traces/traces.js';
import { perObject } from '../../values/kept-values.js';
import type { Caller, LimitVerdict } from './api.js';
import type { Answer, Call, ContentChange, Method, RequestBody } from './endpoint.js';
import type { Located, RouteMatch } from './locate.js';
import type { QueryPair } from './query-pairs.js';
import {
  clientBlock,
  findClientIp,
  forwardedHost,
  forwardedScheme,
  isTrustedPeer,
  type TrustedRange,
} from './request-headers.js';

export type Stage = Middleware<RequestState>;

const noParams: Readonly<Record<string, string>> = Object.freeze({});

const none: readonly string[] = Object.freeze([]);

export function withHeaders(before: readonly string[], more: Readonly<Record<string, string>> = {}): readonly string[] {
  let headers: string[] | undefined;
  for (const name in more) {
    headers ??= before.slice();
    headers.push(name, more[name] ?? '');
  }
  return headers ?? before;
}

const requestIdForm = /^[A-Za-z0-9._-]{8,64}$/;

export function clientIpOf(
  { socket, headers }: IncomingMessage,
  { trustedProxies, onUntrustedForwarder }: Pick<HttpPorts, 'trustedProxies' | 'onUntrustedForwarder'>,
): string {
  const peer = socket.remoteAddress ?? '';
  const trusted = trustedProxies();
  const forwarded = headers['x-forwarded-for'];
  const isForwarded =
    forwarded !== undefined || headers['x-forwarded-host'] !== undefined || headers['x-forwarded-proto'] !== undefined;
  if (!isForwarded) return findClientIp(peer, undefined, trusted);
  if (!isTrustedPeer(peer, trusted)) onUntrustedForwarder?.(peer);
  return findClientIp(peer, typeof forwarded === 'object' ? forwarded.join(', ') : forwarded, trusted);
}

interface StateStart {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly ports: HttpPorts;
  readonly lifecycle: Lifecycle;
}

export class RequestState implements Call, Caller {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly requestId: string;
  readonly startedAt: number;
  located: Located | undefined;
  match: RouteMatch | undefined;
  identity: Identity = anonymous;
  mediaType = 'application/json';
  body: RequestBody | null = null;
  /** Name and value in turn, for every answer. */
  extraHeaders: readonly string[] = none;
  successHeaders: readonly string[] = none;
  answer: Answer | undefined;
  /** Later results of the same request are dropped. */
  answered = false;
  closing = false;
  /** The form of the answer where the address names nothing. */
  unknown: 'page' | 'error' | undefined;
  check: CheckName = 'form';
  refusal: Refusal | undefined;
  extraMs = 0;
  readonly listeningAddress: string;
  readonly #ports: HttpPorts;
  readonly #lifecycle: Lifecycle;
  #clientIp: string | undefined;
  #asker: { readonly group: string; readonly caller: string } | undefined;
  #abort: AbortController | undefined;
  #aborted = false;

  constructor({ req, res, ports, lifecycle }: StateStart) {
    this.req = req;
    this.res = res;
    const given = req.headers['x-request-id'];
    this.requestId = typeof given === 'string' && requestIdForm.test(given) ? given : randomId();
    this.startedAt = ports.clock.elapsed();
    this.listeningAddress = lifecycle.listeningAddress;
    this.#ports = ports;
    this.#lifecycle = lifecycle;
    lifecycle.inFlight.add(this);
    lifecycle.connectionOf(req.socket).latest = this;
    if (req.headers.host !== undefined) ports.onHost?.(req.headers.host);
  }

  get method(): Method | 'HEAD' {
    return isRequestMethod(this.req.method) ? this.req.method : 'GET';
  }

  get isRead(): boolean {
    return this.req.method === 'GET' || this.req.method === 'HEAD';
  }

  get params(): Readonly<Record<string, string>> {
    return this.match?.params ?? noParams;
  }

  get query(): readonly QueryPair[] {
    if (this.located === undefined || this.match === undefined) return [];
    return this.located.select(this.match.route).pairs;
  }

  get ignored(): readonly string[] {
    if (this.located === undefined || this.match === undefined) return [];
    return this.located.select(this.match.route).ignored;
  }

  get path(): string {
    return this.located?.path ?? '';
  }

  get base(): string {
    return this.located?.mounted?.mount.linkBase ?? '';
  }

  get clientIp(): string {
    this.#clientIp ??= clientIpOf(this.req, this.#ports);
    return this.#clientIp;
  }

  get asker(): { readonly group: string; readonly caller: string } {
    this.#asker ??= { group: this.located?.mounted?.api.name ?? '', caller: this.#callerText() };
    return this.#asker;
  }

  #callerText(): string {
    const { identity } = this;
    return identity.kind === 'anonymous' ? clientBlock(this.clientIp) : `${identity.kind} ${identity.id}`;
  }

  get isSecure(): boolean {
    const { socket } = this.req;
    const scheme = forwardedScheme(this.#believed('x-forwarded-proto'));
    return scheme === null ? 'encrypted' in socket && socket.encrypted === true : scheme === 'https';
  }

  get forwardedAddress(): string | null {
    const host = forwardedHost(this.#believed('x-forwarded-host'));
    return host === null ? null : `${this.isSecure ? 'https' : 'http'}://${host}`;
  }

  #believed(name: string): string | undefined {
    const isBelieved = isTrustedPeer(this.req.socket.remoteAddress ?? '', this.#ports.trustedProxies());
    return isBelieved ? this.header(name) : undefined;
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = new AbortController();
      this.#abort = abort;
      if (this.#aborted || this.res.closed) abort.abort();
      // 'close' also follows every answer; aborting is then harmless.
      this.res.once('close', () => abort.abort());
    }
    return this.#abort.signal;
  }

  header(name: string): string | undefined {
    const value = this.req.headers[name];
    return typeof value === 'object' ? value.join(', ') : value;
  }

  queryValues(name: string): readonly string[] {
    return (this.located?.query ?? []).filter(([key]) => key === name).map(([, value]) => value);
  }

  extendDeadline(ms: number): void {
    this.extraMs += ms;
    this.#lifecycle.endTurn(this);
  }

  isTurnRefused(bytes: number): Promise<boolean> {
    return this.#lifecycle.isTurnRefused(this, bytes);
  }

  obey(verdict: LimitVerdict | null): void {
    if (verdict === null) return;
    const { headers, error } = verdict;
    this.extraHeaders = withHeaders(this.extraHeaders, headers);
    if (error !== undefined) throw error;
  }

  /** For requests that no limit of an interface counts. */
  async countStray(): Promise<void> {
    const isCounted = this.identity.kind === 'anonymous';
    this.obey(isCounted ? ((await this.#ports.countStray?.(clientBlock(this.clientIp))) ?? null) : null);
  }

  abort(): void {
    this.#aborted = true;
    this.#abort?.abort();
  }
}

export interface Lifecycle {
  draining: boolean;
  /** Such as `http://127.0.0.1:8080`; empty before the server listens. */
  listeningAddress: string;
  readonly inFlight: Set<RequestState>;
  readonly connectionOf: (socket: Duplex) => { latest?: RequestState };
  readonly endTurn: (state: RequestState) => void;
  /** Resolves when a change whose body has arrived has its turn. */
  readonly isTurnRefused: (state: RequestState, bytes: number) => Promise<boolean>;
}

export function makeLifecycle(turns: Pick<Lifecycle, 'endTurn' | 'isTurnRefused'>): Lifecycle {
  return {
    ...turns,
    draining: false,
    listeningAddress: '',
    inFlight: new Set(),
    connectionOf: perObject(() => ({})),
  };
}

const requestMethods: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

export function isRequestMethod(method: string | undefined): method is Method | 'HEAD' {
  return requestMethods.has(method);
}

export interface HttpPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: () => object;
  /** Changes with every change of any process; NaN when unknown. Absent: answers to known callers are not kept. */
  readonly storeState?: () => string | number | Promise<string | number>;
  /** Null when the databases have a connection for a read. Absent if none has to wait. */
  readonly entrance?: () => Promise<void> | null;
  /** Called before changes of content show anywhere, and in the turn in which other changes show. */
  readonly onContentChange?: (listener: (change: ContentChange) => void) => void;
  readonly trustedProxies: () => readonly TrustedRange[];
  readonly onUntrustedForwarder?: (peer: string) => void;
  /** For each request that is not answered from memory. */
  readonly onHost?: (host: string) => void;
  /** For requests without a route, by the address of the caller; null when not counted. */
  readonly countStray?: (address: string) => LimitVerdict | null | Promise<LimitVerdict | null>;
  readonly traces?: Pick<Traces, 'request' | 'requestFinished'> | undefined;
}
