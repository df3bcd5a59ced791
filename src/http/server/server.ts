/** The listening server: limits on slow and large requests, and a stop without failing requests. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../clock/clock.js';
import { acceptedConnections } from '../../clock/waiting-line.js';
import { listeningAddress } from '../../config/address-values.js';
import { AppError } from '../../errors/app-error.js';
import { Connections } from '../connections/connections.js';
import { answerParserError } from '../connections/parser-error.js';
import type { ApiModule, RenderError } from '../interface/api.js';
import { clientBlock } from '../interface/request-headers.js';
import { type HttpPorts, type Lifecycle, makeLifecycle } from '../interface/request-state.js';
import { maxHeaders } from '../stages/checks.js';
import { makeHttpApp } from './app.js';

/** Milliseconds (docs/operations.md#behind-a-reverse-proxy). */
const defaultLimits = Object.freeze({
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  checkIntervalMs: 1_000,
  keepAliveTimeoutMs: 65_000,
  maxHeaderBytes: 16_384,
  maxRequestsPerSocket: 1_000,
  maxConnections: 10_000,
  stallMs: 30_000,
  maxWaiting: 32,
  maxQueueMs: 2_000,
  maxUnsentBytes: 8 * 1024 * 1024,
  maxTotalUnsentBytes: 256 * 1024 * 1024,
  cacheBytes: 64 * 1024 * 1024,
  /** How long answers only announce the end before connections are closed. */
  announceMs: 2_000,
  /** How long a connection without any request is kept after that. */
  silentMs: 500,
  /** How long requests under way may take after that. */
  graceMs: 15_000,
});

export type ServerLimits = { readonly [Name in keyof typeof defaultLimits]: number };

interface ServerOptions {
  readonly apis: readonly ApiModule[];
  /** Errors without an API, and refusals by the parser. */
  readonly unmounted: RenderError;
  readonly ports: HttpPorts;
  readonly host: string;
  readonly port: number;
  /** File descriptor of a listening socket, instead of host and port. */
  readonly socket?: number | undefined;
  readonly limits?: Partial<ServerLimits>;
  readonly compresses?: boolean;
}

export type RunningServer = Awaited<ReturnType<typeof startServer>>;

/** Rejects with port_in_use when another process has the address. */
export async function startServer(options: ServerOptions) {
  const { ports, unmounted } = options;
  const limits: ServerLimits = { ...defaultLimits, ...options.limits };
  const { cacheBytes, requestTimeoutMs, keepAliveTimeoutMs: keepAliveMs } = limits;
  const connections = new Connections({ clock: ports.clock, limits, log: ports.log });
  const lifecycle = makeLifecycle({
    endTurn: (state) => connections.endTurn(state),
    isTurnRefused: ({ req, res, asker }, bytes) => connections.isTurnRefused({ req, res, bytes, caller: asker.caller }),
  });
  const app = makeHttpApp({
    ...{ apis: options.apis, unmounted, ports, lifecycle, connections },
    ...{ cacheBytes, keepAliveMs, requestTimeoutMs, compresses: options.compresses ?? true },
  });

  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.checkIntervalMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      maxHeaderSize: limits.maxHeaderBytes,
      insecureHTTPParser: false,
      // The edge demands it, with an answer in the API's shape instead of Node's empty one.
      requireHostHeader: false,
    },
    app.listener,
  );
  // One more than allowed, so that the edge sees the excess instead of a silently shortened list.
  server.maxHeadersCount = maxHeaders + 1;
  server.on('connection', (socket) => connections.add(socket, clientBlock(socket.remoteAddress ?? '')));
  server.on('checkExpectation', app.listener);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answer = (): void => answerParserError({ error, socket, lifecycle, connections, ports, unmounted });
    // The request before such bytes may be about to be refused, which ends the connection.
    if (error.code?.startsWith('HPE_')) setImmediate(() => socket.writableEnded || answer());
    else answer();
  });

  const close = makeClose({ server, connections, lifecycle, clock: ports.clock, limits });
  const address = await listen(server, options);
  const host = options.socket === undefined ? options.host : address.address;
  lifecycle.listeningAddress = listeningAddress({ host, port: address.port });
  const overdue = ports.clock.every({
    intervalMs: limits.checkIntervalMs,
    async work() {
      app.expireOverdue();
      connections.check();
    },
    onError: () => undefined,
  });
  return {
    host,
    port: address.port,
    /** From the first call of close: readiness probes should say no. */
    get draining(): boolean {
      return lifecycle.draining;
    },
    get cache() {
      const sum = (of: 'hits' | 'misses' | 'bytes') => app.caches.reduce((all, { use }) => all + use[of], 0);
      return { hits: sum('hits'), misses: sum('misses'), bytes: sum('bytes') };
    },
    clearCache(): void {
      for (const cache of app.caches) cache.clear();
    },
    /** Announces, then waits up to the grace. A second call ends what is still open. */
    async close(): Promise<void> {
      await close();
      overdue.stop();
    },
  };
}

export function listen(
  server: Server,
  { host, port, socket }: Pick<ServerOptions, 'host' | 'port' | 'socket'>,
): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    const where = socket === undefined ? `${host}:${port}` : 'the socket that was handed over';
    const refuse = (error: NodeJS.ErrnoException): void => reject(listenError(error, where));
    server.once('error', refuse);
    server.listen(socket === undefined ? { host, port } : { fd: socket }, () => {
      server.off('error', refuse);
      const address = server.address();
      if (typeof address === 'object' && address !== null) return resolve(address);
      // Limits by network and the addresses in answers need addresses, which such a socket does not have.
      const message = `Cannot listen on ${where}: it is a file, not a port. Write ListenStream=127.0.0.1:8080 in its unit`;
      server.close(() => reject(new AppError('configuration_invalid', { message })));
    });
  });
}

const reasonsNotToListen: ReadonlyMap<string | undefined, string> = new Map([
  ['EBADF', 'the file is not open'],
  ['EINVAL', 'the file is not a socket for TCP connections'],
  ['ENOTSOCK', 'the file is not a socket for TCP connections'],
  ['EACCES', 'this user may not use the port'],
  ['EADDRNOTAVAIL', 'this machine does not have that address'],
  ['ENOTFOUND', 'the host name is not known'],
  ['EAI_AGAIN', 'the host name cannot be looked up'],
]);

function listenError(error: NodeJS.ErrnoException, where: string): AppError {
  if (error.code === 'EADDRINUSE') {
    return new AppError('port_in_use', { message: `Another process already listens on ${where}`, cause: error });
  }
  const reason = reasonsNotToListen.get(error.code);
  if (reason === undefined) return new AppError('internal_error', { cause: error });
  return new AppError('configuration_invalid', { message: `Cannot listen on ${where}: ${reason}`, cause: error });
}

interface Closing {
  readonly server: Server;
  readonly connections: Connections;
  readonly lifecycle: Lifecycle;
  readonly clock: Clock;
  readonly limits: ServerLimits;
}

function makeClose({ server, connections, lifecycle, clock, limits }: Closing): () => Promise<void> {
  const hurry = new AbortController();
  let closed: Promise<void> | undefined;

  const close = async (): Promise<void> => {
    lifecycle.draining = true;
    // Clients learn of the end from their next answer; closing at once would break an arriving request. New connections
    // are served, so a balancer has time to notice.
    if (connections.count > 0 && limits.announceMs > 0) await clock.sleep(limits.announceMs, hurry.signal);
    await queueEmptied(lifecycle, clock);
    const ended = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    // Node does not count a connection as idle before its first request; one that stays silent is not waited for.
    const silent = clock.after(limits.silentMs, () => connections.closeSilent());
    const patience = new AbortController();
    const overtime = clock.sleep(limits.graceMs, AbortSignal.any([hurry.signal, patience.signal])).then(() => {
      if (!patience.signal.aborted) server.closeAllConnections();
    });
    await ended;
    silent.stop();
    patience.abort();
    await overtime;
  };

  return () => {
    if (closed === undefined) closed = close();
    else hurry.abort();
    return closed;
  };
}

/** Under a load that never pauses the queue is never seen empty. */
const longestQueue = 5000;
const longestQueueMs = 2000;
/** A turn takes longer when it did work, or when the system ran another program. */
const quietTurnMs = 0.1;

/** Node takes one accepted connection per turn; those left in the queue are reset when listening ends. */
async function queueEmptied({ inFlight }: Lifecycle, clock: Clock): Promise<void> {
  let arrived = -1;
  let began = 0;
  const end = clock.elapsed() + longestQueueMs;
  for (let turn = 0; turn < longestQueue && clock.elapsed() < end; turn += 1) {
    const isQuiet =
      arrived === acceptedConnections.count && inFlight.size === 0 && clock.elapsed() - began < quietTurnMs;
    if (isQuiet) return;
    arrived = acceptedConnections.count;
    began = clock.elapsed();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
