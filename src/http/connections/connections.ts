/**
 * Limits of a connection whose client does not read: waiting requests, answers that are not taken, and the time. Keeps
 * the memory of the process bounded for every behaviour of clients, and the turns of the event loop fair.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../clock/clock.js';
import { acceptedConnections, Turns } from '../../clock/turns.js';
import type { Log } from '../../log/observation.js';
import { Load, type Period } from './load.js';

interface ConnectionLimits {
  /** Milliseconds for which a client may take nothing of an answer. */
  readonly stallMs: number;
  /** Requests of one connection that wait for an earlier one; more are not read from it. */
  readonly maxWaiting: number;
  /** Bytes of answers that one connection has not taken; above it none of its requests begins. */
  readonly maxUnsentBytes: number;
  /** The same for all connections; above it the one that has taken nothing for the longest time is closed. */
  readonly maxTotalUnsentBytes: number;
  /** Milliseconds that a request may wait for its turn; above it requests are refused. */
  readonly maxQueueMs: number;
  /** Requests that one connection may have; the last of them ends it. */
  readonly maxRequestsPerSocket: number;
}

/** Memory of a parsed request that waits: that of a short one in Node. */
const waitingBytes = 4096;

/** A request and its answer. */
export interface Asked {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Why a request is refused instead of being begun; null when it is not. */
export type Shedding = 'waited' | 'crowded' | null;

/**
 * Begins a request. `together`: it was the first of what was read, and begins in the turn in which it was read.
 */
type Begin<T> = (asked: T, together: boolean, refusal: Shedding) => void;

interface Answered extends Asked {
  /** Length of the body. */
  readonly bytes: number;
  /** The connection ends with this answer. */
  readonly isLast: boolean;
  /** By the clock that never goes back. */
  readonly now: number;
}

interface Starting extends Pick<Asked, 'res'> {
  readonly kind: 'health' | 'body' | 'counted';
  readonly now: number;
  readonly isRefused: boolean;
}

/** A connection whose next request waits for its turn. */
interface Scheduled {
  readonly connection: Connection;
  readonly since: number;
}

interface Connection {
  readonly socket: Socket;
  /** Requests that were parsed and have not begun. */
  readonly waiting: { readonly hasBody: boolean; readonly begin: (isRefused: boolean) => void }[];
  /** The request whose answer is not complete. */
  busy: ServerResponse | null;
  /** When that request began; null for one that does not count for the load. */
  begunIn: Period | null;
  /** Requests that have begun. */
  begun: number;
  /** A waiting request begins in one of the next turns of the event loop. */
  isScheduled: boolean;
  /** Reading has stopped because too many requests wait. */
  isPaused: boolean;
  /** Nothing more begins: the last answer was given. */
  isOver: boolean;
  /** Bytes of complete answers that the system has not taken. */
  unsent: number;
  /** How much the client had taken, and when. Null while nothing waits for it. */
  progress: { readonly mark: string; readonly since: number } | null;
}

export class Connections {
  readonly #clock: Clock;
  readonly #limits: ConnectionLimits;
  readonly #log: Log;
  readonly #turns: Turns;
  readonly #load: Load;
  readonly #open = new Map<Duplex, Connection>();
  /** The one that was asked for last, while it is open. */
  #latest: Connection | undefined;
  /**
   * In the order of arrival, those with a body in a line of their own: the lines have turns alternately, so that reads do not
   * wait behind all that changes something, which takes a hundred times as long.
   */
  readonly #lines: { readonly withBody: Scheduled[]; readonly others: Scheduled[] } = { withBody: [], others: [] };
  #isTurnOfBodies = false;
  #total = 0;
  /** Connections that were closed since the last report. */
  readonly #closed = { notTaken: 0, memory: 0, refused: 0 };

  constructor({ clock, limits, log }: { clock: Clock; limits: ConnectionLimits; log: Log }) {
    this.#clock = clock;
    this.#limits = limits;
    this.#log = log;
    this.#turns = new Turns(clock);
    const connections = (): number => this.#open.size;
    this.#load = new Load({ clock, longestWaitMs: limits.maxQueueMs, connections });
  }

  add(socket: Socket): void {
    const connection: Connection = {
      socket,
      waiting: [],
      busy: null,
      begunIn: null,
      begun: 0,
      isScheduled: false,
      isPaused: false,
      isOver: false,
      unsent: 0,
      progress: null,
    };
    this.#open.set(socket, connection);
    acceptedConnections.add();
    socket.once('close', () => this.#forget(connection));
  }

  /**
   * Begins a request, at once when nothing before it on its connection is under way and this turn of the event loop has
   * time for it. Health has time in every turn, and is never refused.
   */
  receive<T extends Asked>(asked: T, begin: Begin<T>): void {
    const { req, res } = asked;
    const connection = this.#of(req.socket);
    if (connection === undefined) return;
    const now = this.#clock.elapsed();
    // A body arrives in the time of its client.
    const kind = isHealth(req) ? 'health' : hasBody(req) ? 'body' : 'counted';
    if (kind === 'counted') this.#load.arrived(now);
    // Without a connection: the answer of an earlier request is still under way.
    if (res.socket !== null && !connection.isOver && (kind === 'health' || this.#turns.hasRoom(now))) {
      begin(asked, true, this.#start(connection, { res, kind, now, isRefused: false }));
      return;
    }
    const beginLater = (isRefused: boolean): void => {
      const start: Starting = { res, kind, now: this.#clock.elapsed(), isRefused };
      begin(asked, false, this.#start(connection, start));
    };
    connection.waiting.push({ hasBody: kind === 'body', begin: beginLater });
    this.#total += waitingBytes;
    if (connection.waiting.length > this.#limits.maxWaiting) this.#stopReading(connection);
    this.#shed();
    this.#schedule(connection);
  }

  #start(connection: Connection, { res, kind, now, isRefused }: Starting): Shedding {
    connection.busy = res;
    connection.begun += 1;
    if (kind === 'health') return null;
    if (isRefused) return 'waited';
    if (this.#load.isCrowded(now)) return 'crowded';
    if (kind === 'counted') connection.begunIn = this.#load.begun(now);
    return null;
  }

  /** What is done with a request asks several times in a row for the same connection. */
  #of(socket: Duplex): Connection | undefined {
    if (this.#latest?.socket !== socket) this.#latest = this.#open.get(socket);
    return this.#latest;
  }

  /** The answer waits for something that happens, not for work: the load has nothing more to do with it. */
  waits({ req, res }: Pick<Asked, 'req' | 'res'>): void {
    const connection = this.#of(req.socket);
    if (connection?.busy !== res || connection.begunIn === null) return;
    this.#load.answered(connection.begunIn);
    connection.begunIn = null;
  }

  /** An answer was given to the end. */
  answered({ req, res, bytes, isLast, now }: Answered): void {
    const connection = this.#of(req.socket);
    if (connection === undefined) return;
    if (connection.busy === res) {
      connection.busy = null;
      if (connection.begunIn !== null) this.#load.answered(connection.begunIn, now);
      connection.begunIn = null;
    }
    // The client gets no answers to the requests behind it, and sends them again.
    if (isLast) connection.isOver = true;
    if (res.socket === null || res.socket.writableLength > 0) this.#hold(connection, { res, bytes });
    if (connection.waiting.length > 0) this.#schedule(connection);
  }

  /** Whether the connection has had as many requests as it may. */
  isSpent(socket: Duplex): boolean {
    return (this.#of(socket)?.begun ?? 0) >= this.#limits.maxRequestsPerSocket;
  }

  /** Whether requests of this socket were read that have not begun. */
  hasWaiting(socket: Duplex): boolean {
    return (this.#open.get(socket)?.waiting.length ?? 0) > 0;
  }

  /** Counts a request that was refused because too many arrive. */
  shed(): void {
    this.#load.refused();
  }

  /** Counts a connection that was closed because there were too many. */
  refused(): void {
    this.#closed.refused += 1;
  }

  /** Closes connections whose clients have taken nothing for too long; reports what was closed since the last call. */
  check(): void {
    const now = this.#clock.elapsed();
    for (const connection of this.#open.values()) {
      if (this.#stalledFor(connection, now) < this.#limits.stallMs) continue;
      this.#closed.notTaken += 1;
      this.#end(connection);
    }
    const closed = this.#closed;
    if (closed.notTaken + closed.memory + closed.refused === 0) return;
    this.#log({ kind: 'connections_closed', ...closed });
    Object.assign(closed, { notTaken: 0, memory: 0, refused: 0 });
  }

  #hold(connection: Connection, { res, bytes }: { res: ServerResponse; bytes: number }): void {
    connection.unsent += bytes;
    this.#total += bytes;
    this.#stalledFor(connection, this.#clock.elapsed());
    res.once('close', () => {
      if (this.#open.get(connection.socket) !== connection) return;
      connection.unsent -= bytes;
      this.#total -= bytes;
      this.#schedule(connection);
    });
    this.#shed();
  }

  /** One request of a connection is in line at a time, so that other connections have theirs. */
  #schedule(connection: Connection): void {
    if (connection.isScheduled || !this.#mayBegin(connection)) return;
    connection.isScheduled = true;
    const line = connection.waiting[0]?.hasBody === true ? this.#lines.withBody : this.#lines.others;
    line.push({ connection, since: this.#clock.elapsed() });
    this.#turns.queue(this.#takeNext);
  }

  readonly #takeNext = (): void => {
    const { withBody, others } = this.#lines;
    this.#isTurnOfBodies = others.length === 0 || (!this.#isTurnOfBodies && withBody.length > 0);
    const { refused, begins } = this.#load.next(this.#isTurnOfBodies ? withBody : others);
    for (const { connection } of refused) this.#beginNext(connection, true);
    if (begins !== undefined) this.#beginNext(begins.connection, false);
  };

  #beginNext(connection: Connection, isRefused: boolean): void {
    connection.isScheduled = false;
    if (!this.#mayBegin(connection)) return;
    const next = connection.waiting.shift();
    this.#total -= waitingBytes;
    if (connection.isPaused && connection.waiting.length <= this.#limits.maxWaiting / 2) this.#readOn(connection);
    next?.begin(isRefused);
    this.#schedule(connection);
  }

  #mayBegin({ socket, busy, waiting, unsent, isOver }: Connection): boolean {
    const isFree = busy === null && unsent < this.#limits.maxUnsentBytes;
    return waiting.length > 0 && isFree && !isOver && !socket.destroyed;
  }

  #stopReading(connection: Connection): void {
    if (connection.isPaused) return;
    connection.isPaused = true;
    connection.socket.pause();
    // Node reads on as soon as an answer has left.
    connection.socket.on('resume', pause);
  }

  #readOn(connection: Connection): void {
    connection.isPaused = false;
    connection.socket.off('resume', pause);
    connection.socket.resume();
  }

  /** Milliseconds since the client took something of what waits for it; 0 when nothing does. */
  #stalledFor(connection: Connection, now: number): number {
    const { socket } = connection;
    // After the end of the answers there is still the client's own end of the connection to wait for.
    if (socket.writableLength === 0 && !socket.writableEnded) {
      connection.progress = null;
      return 0;
    }
    const mark = takenMark(socket);
    if (connection.progress?.mark !== mark) connection.progress = { mark, since: now };
    return now - connection.progress.since;
  }

  /** Closes connections, the longest stalled first, until what all of them hold is well below the limit. */
  #shed(): void {
    const { maxTotalUnsentBytes } = this.#limits;
    if (this.#total <= maxTotalUnsentBytes) return;
    const now = this.#clock.elapsed();
    const held = [...this.#open.values()]
      .filter((connection) => heldBy(connection) > 0)
      .map((connection) => ({ connection, stalled: this.#stalledFor(connection, now), bytes: heldBy(connection) }))
      .sort((one, other) => other.stalled - one.stalled || other.bytes - one.bytes);
    let left = this.#total;
    for (const { connection, bytes } of held) {
      if (left <= maxTotalUnsentBytes * 0.75) break;
      left -= bytes;
      this.#closed.memory += 1;
      this.#end(connection);
    }
  }

  #end(connection: Connection): void {
    this.#forget(connection);
    connection.socket.destroy();
  }

  #forget(connection: Connection): void {
    if (!this.#open.delete(connection.socket)) return;
    if (this.#latest === connection) this.#latest = undefined;
    this.#total -= heldBy(connection);
    connection.waiting.length = 0;
    connection.unsent = 0;
  }
}

function heldBy({ unsent, waiting }: Connection): number {
  return unsent + waiting.length * waitingBytes;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;
}

/** Whether the path ends in /health; no other address of that form costs more than a look-up. */
function isHealth({ url = '' }: IncomingMessage): boolean {
  return url.endsWith('/health');
}

function pause(this: Socket): void {
  this.pause();
}

/**
 * Changes exactly when the system takes something of what was written: whole pieces, or a part of the one under way.
 */
function takenMark(socket: Socket): string {
  return `${socket.bytesWritten - socket.writableLength} ${queuedBytes(socket)}`;
}

/**
 * Bytes of the piece under way that the system has not taken. Node's own timeout of sockets looks at the same number.
 */
function queuedBytes(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  if (typeof handle !== 'object' || handle === null || !('writeQueueSize' in handle)) return 0;
  return typeof handle.writeQueueSize === 'number' ? handle.writeQueueSize : 0;
}
