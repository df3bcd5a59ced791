/** One connection of a client: what waits for it, and what it has not taken. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Asker } from '../../clock/fair-queue.js';
import type { WaitingTurn } from './load.js';

/** The memory of a short request in Node. */
export const waitingBytes = 4096;

export interface Asked {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

export interface Arrived extends Asked {
  readonly asker: Asker;
  readonly isHealth: boolean;
}

export interface Answered extends Asked {
  readonly bytes: number;
  readonly isLast: boolean;
  /** Monotonic. */
  readonly now: number;
}

export interface ReceivedBody extends Asked {
  readonly caller: string;
  readonly bytes: number;
}

export interface Beginning {
  /** It is the first request of its connection, in the turn in which it was read. */
  readonly together: boolean;
  readonly isRefused: boolean;
}

export type Begin = (how: Beginning) => void;

export interface WaitingRequest {
  readonly asker: Asker;
  readonly begin: Begin;
}

export interface Scheduled extends WaitingTurn {
  readonly connection: Connection;
  /** Goes on with a request that has begun. */
  readonly goOn?: (isRefused: boolean) => void;
}

export interface Connection {
  readonly socket: Socket;
  /** That of the peer: IPv4, or the /64 of IPv6. */
  readonly address: string;
  readonly waiting: WaitingRequest[];
  busy: ServerResponse | null;
  /** Null for a request that does not count for the load. */
  running: Scheduled | null;
  begun: number;
  scheduled: Scheduled | null;
  /** Reading has stopped because too many requests wait. */
  isPaused: boolean;
  isOver: boolean;
  /** Of complete answers, not yet taken by the system. */
  unsent: number;
  /** How much the client had taken, and when. Null while nothing waits for it. */
  progress: { readonly mark: string; readonly since: number } | null;
}

export function newConnection(socket: Socket, address: string): Connection {
  return {
    ...{ socket, address },
    waiting: [],
    busy: null,
    running: null,
    begun: 0,
    scheduled: null,
    isPaused: false,
    isOver: false,
    unsent: 0,
    progress: null,
  };
}

export function mayBegin({ socket, busy, waiting, unsent, isOver }: Connection, maxUnsentBytes: number): boolean {
  return waiting.length > 0 && busy === null && unsent < maxUnsentBytes && !isOver && !socket.destroyed;
}

export function stopReading(connection: Connection): void {
  if (connection.isPaused) return;
  connection.isPaused = true;
  connection.socket.pause();
  // Node reads on as soon as an answer has left.
  connection.socket.on('resume', pause);
}

export function readOn(connection: Connection): void {
  connection.isPaused = false;
  connection.socket.off('resume', pause);
  connection.socket.resume();
}

export function stalledFor(connection: Connection, now: number): number {
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

export function heldBy({ unsent, waiting }: Connection): number {
  return unsent + waiting.length * waitingBytes;
}

function pause(this: Socket): void {
  this.pause();
}

/** Changes exactly when the system takes something of what was written. */
function takenMark(socket: Socket): string {
  return `${socket.bytesWritten - socket.writableLength} ${queuedBytes(socket)}`;
}

function queuedBytes(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  if (typeof handle !== 'object' || handle === null || !('writeQueueSize' in handle)) return 0;
  return typeof handle.writeQueueSize === 'number' ? handle.writeQueueSize : 0;
}

export function longestStalled(connections: readonly Connection[], now: number) {
  return connections
    .filter((connection) => heldBy(connection) > 0)
    .map((connection) => ({ connection, stalled: stalledFor(connection, now), bytes: heldBy(connection) }))
    .sort((one, other) => other.stalled - one.stalled || other.bytes - one.bytes);
}
