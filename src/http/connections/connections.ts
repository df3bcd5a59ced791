/** Limits for clients that do not read: keeps the memory bounded, and the turns of the event loop fair. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../clock/clock.js';
import { acceptedConnections, Turns } from '../../clock/waiting-line.js';
import type { Log } from '../../log/observation.js';
import {
  type Answered,
  type Arrived,
  type Asked,
  type Begin,
  type Beginning,
  Connection,
  longestStalled,
  type ReceivedBody,
  type Scheduled,
  waitingBytes,
} from './connection.js';
import { beginningOfChange, changes, Load, placesOfBody, turnsOfBody } from './load.js';

interface ConnectionLimits {
  /** A further connection is closed, or an idle one of the address with most of them. */
  readonly maxConnections: number;
  /** A client that takes no bytes of an answer for this long is disconnected. */
  readonly stallMs: number;
  readonly maxWaiting: number;
  /** Above it none of the connection's requests begins. */
  readonly maxUnsentBytes: number;
  /** Above it the connection that has taken nothing for the longest time is closed. */
  readonly maxTotalUnsentBytes: number;
  /** When waiting requests would take longer, some are refused. */
  readonly maxQueueMs: number;
  readonly maxRequestsPerSocket: number;
}

/** Between two requests for health that begin before all others. */
const healthEveryMs = 10;

export class Connections {
  readonly #clock: Clock;
  readonly #limits: ConnectionLimits;
  readonly #log: Log;
  readonly #turns: Turns;
  readonly #load: Load<Scheduled>;
  readonly #open = new Map<Duplex, Connection>();
  readonly #openOf = new Map<string, number>();
  #latest: Connection | undefined;
  #missed = 0;
  #healthAt = Number.NEGATIVE_INFINITY;
  #total = 0;
  readonly #closed = { notTaken: 0, memory: 0, refused: 0 };

  constructor({ clock, limits, log }: { clock: Clock; limits: ConnectionLimits; log: Log }) {
    this.#clock = clock;
    this.#limits = limits;
    this.#log = log;
    this.#turns = new Turns(clock);
    this.#load = new Load({ clock, longestWaitMs: limits.maxQueueMs, connections: () => this.count });
  }

  get count(): number {
    return this.#open.size;
  }

  closeSilent(): void {
    for (const { socket } of this.#open.values()) if (socket.bytesRead === 0) socket.destroy();
  }

  /** Node's own limit would send the connection from worker to worker until one has room. */
  add(socket: Socket, address: string): void {
    acceptedConnections.add();
    if (this.#open.size >= this.#limits.maxConnections && !this.#makeRoom(address)) {
      this.#closed.refused += 1;
      socket.destroy();
      return;
    }
    const connection = new Connection(socket, address);
    this.#open.set(socket, connection);
    this.#openOf.set(address, (this.#openOf.get(address) ?? 0) + 1);
    socket.once('close', () => this.#forget(connection));
  }

  /** Closes the oldest idle connection of the address with most of them, if the newcomer would have fewer. */
  #makeRoom(newcomer: string): boolean {
    let most = (this.#openOf.get(newcomer) ?? 0) + 1;
    let busiest: string | null = null;
    for (const [address, count] of this.#openOf) if (count > most) [most, busiest] = [count, address];
    if (busiest === null) return false;
    for (const connection of this.#open.values()) {
      if (connection.address !== busiest || connection.busy !== null || connection.held > 0) continue;
      this.#closed.refused += 1;
      this.#end(connection);
      return true;
    }
    return false;
  }

  /** At once if this turn of the event loop has time. Health always begins at once, a hundred times a second. */
  receive({ req, res, asker, isHealth }: Arrived, begin: Begin): void {
    const connection = this.#of(req.socket);
    if (connection === undefined) return;
    const now = this.#clock.elapsed();
    // Without a connection: the answer of an earlier request is still under way.
    const isFirst = res.socket !== null && !connection.isOver;
    const start: Begin = (how) => {
      connection.busy = res;
      connection.begun += 1;
      begin(how);
    };
    if (isFirst && isHealth && now - this.#healthAt >= healthEveryMs) {
      this.#healthAt = now;
      start({ together: true, isRefused: false });
      return;
    }
    connection.waiting.push({ asker, begin: start });
    this.#total += waitingBytes;
    if (connection.waiting.length > this.#limits.maxWaiting) connection.stopReading();
    this.#shed();
    if (!this.#enqueue(connection, now)) return;
    if (isFirst && this.#turns.hasRoom(now)) this.#take(connection);
    else this.#turns.queue(this.#takeNext);
  }

  /** One request looks up the same connection several times in a row. */
  #of(socket: Duplex): Connection | undefined {
    if (this.#latest?.socket !== socket) this.#latest = this.#open.get(socket);
    return this.#latest;
  }

  /** For answers that wait for an event, not for work. */
  endTurn({ req, res }: Pick<Asked, 'req' | 'res'>): void {
    const connection = this.#of(req.socket);
    if (connection?.busy === res) this.#endTurn(connection);
  }

  /** Resolves when a change whose body has arrived has its turn, which ends with its answer. */
  isTurnRefused({ req, res, caller, bytes }: ReceivedBody): Promise<boolean> {
    const connection = this.#of(req.socket);
    return new Promise((goOn) => {
      if (connection?.busy !== res) return goOn(true);
      connection.scheduled = {
        connection,
        since: this.#clock.elapsed(),
        asker: { group: changes, caller },
        expected: turnsOfBody(bytes),
        places: placesOfBody(bytes),
        goOn,
      };
      this.#load.add(connection.scheduled);
      if (this.#turns.hasRoom()) this.#take(null);
      else this.#turns.queue(this.#takeNext);
    });
  }

  /** Takes the turn for which a connection is in line out of it. */
  #giveUp(connection: Connection): void {
    const { scheduled } = connection;
    if (scheduled === null) return;
    connection.scheduled = null;
    this.#load.remove(scheduled);
    scheduled.goOn?.(true);
  }

  #endTurn(connection: Connection, now?: number): void {
    const { places = 1 } = connection.running ?? {};
    if (connection.running !== null) this.#load.end(connection.running, now);
    connection.running = null;
    for (let freed = 0; freed < places && this.#missed > 0; freed += 1) {
      this.#missed -= 1;
      this.#turns.queue(this.#takeNext);
    }
  }

  answered({ req, res, bytes, isLast, now }: Answered): void {
    const connection = this.#of(req.socket);
    if (connection === undefined) return;
    if (connection.busy === res) {
      this.#giveUp(connection);
      connection.busy = null;
      this.#endTurn(connection, now);
    }
    // The client gets no answers to the requests behind it, and sends them again.
    if (isLast) connection.isOver = true;
    if (res.socket === null || res.socket.writableLength > 0) this.#hold(connection, { res, bytes });
    if (connection.waiting.length > 0) this.#schedule(connection);
  }

  isSpent(socket: Duplex): boolean {
    return (this.#of(socket)?.begun ?? 0) >= this.#limits.maxRequestsPerSocket;
  }

  hasWaiting(socket: Duplex): boolean {
    return (this.#open.get(socket)?.waiting.length ?? 0) > 0;
  }

  /** Closes stalled connections, and reports what was closed since the last call. */
  check(): void {
    const now = this.#clock.elapsed();
    for (const connection of this.#open.values()) {
      if (connection.stalledFor(now) < this.#limits.stallMs) continue;
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
    connection.stalledFor(this.#clock.elapsed());
    res.once('close', () => {
      if (this.#open.get(connection.socket) !== connection) return;
      connection.unsent -= bytes;
      this.#total -= bytes;
      this.#schedule(connection);
    });
    this.#shed();
  }

  #schedule(connection: Connection): void {
    if (this.#enqueue(connection, this.#clock.elapsed())) this.#turns.queue(this.#takeNext);
  }

  /** One request of a connection is in line at a time, so that other connections have theirs. */
  #enqueue(connection: Connection, since: number): boolean {
    const [first] = connection.waiting;
    if (first === undefined || connection.scheduled !== null || !connection.mayBegin(this.#limits.maxUnsentBytes))
      return false;
    const { asker } = first;
    const expected = asker.group === changes ? beginningOfChange : 1;
    connection.scheduled = { connection, since, asker, expected };
    this.#load.add(connection.scheduled);
    return true;
  }

  readonly #takeNext = (): void => this.#take(null);

  #take(read: Connection | null): void {
    const { refused, begins } = this.#load.next();
    for (const turn of refused) this.#beginNext(turn, { together: false, isRefused: true });
    if (begins !== null) this.#beginNext(begins, { together: begins.connection === read, isRefused: false });
    else if (this.#load.waiting > 0) this.#missed += 1;
  }

  #beginNext(turn: Scheduled, how: Beginning): void {
    const { connection, goOn } = turn;
    connection.scheduled = null;
    if (goOn !== undefined) {
      if (!how.isRefused) connection.running = turn;
      // An answer to a refused request may have closed it, to free memory.
      if (this.#open.get(connection.socket) !== connection) this.#endTurn(connection);
      goOn(how.isRefused);
      return;
    }
    const next = connection.mayBegin(this.#limits.maxUnsentBytes) ? connection.waiting.shift() : undefined;
    if (!how.isRefused) connection.running = turn;
    // The body of a change arrives in the time of its client.
    if (next === undefined || turn.asker.group === changes) this.#endTurn(connection);
    if (next === undefined) return;
    this.#total -= waitingBytes;
    if (connection.isPaused && connection.waiting.length <= this.#limits.maxWaiting / 2) connection.readOn();
    next.begin(how);
    this.#schedule(connection);
  }

  /** The longest stalled first, until well below the limit. */
  #shed(): void {
    const { maxTotalUnsentBytes } = this.#limits;
    if (this.#total <= maxTotalUnsentBytes) return;
    let left = this.#total;
    for (const { connection, bytes } of longestStalled([...this.#open.values()], this.#clock.elapsed())) {
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
    const left = (this.#openOf.get(connection.address) ?? 0) - 1;
    if (left > 0) this.#openOf.set(connection.address, left);
    else this.#openOf.delete(connection.address);
    if (this.#latest === connection) this.#latest = undefined;
    this.#giveUp(connection);
    this.#endTurn(connection);
    this.#total -= connection.held;
    connection.waiting.length = 0;
    connection.unsent = 0;
  }
}
