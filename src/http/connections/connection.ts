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

export class Connection {
  readonly socket: Socket;
  /** That of the peer: IPv4, or the /64 of IPv6. */
  readonly address: string;
  readonly waiting: WaitingRequest[] = [];
  busy: ServerResponse | null = null;
  /** Null for a request that does not count for the load. */
  running: Scheduled | null = null;
  begun = 0;
  scheduled: Scheduled | null = null;
  /** Reading has stopped because too many requests wait. */
  isPaused = false;
  isOver = false;
  /** Of complete answers, not yet taken by the system. */
  unsent = 0;
  /** How much the client had taken, and when. Null while nothing waits for it. */
  #progress: { readonly mark: string; readonly since: number } | null = null;

  constructor(socket: Socket, address: string) {
    this.socket = socket;
    this.address = address;
  }

  get held(): number {
    return this.unsent + this.waiting.length * waitingBytes;
  }

  mayBegin(maxUnsentBytes: number): boolean {
    const isFree = this.busy === null && !this.isOver && !this.socket.destroyed;
    return isFree && this.waiting.length > 0 && this.unsent < maxUnsentBytes;
  }

  stopReading(): void {
    if (this.isPaused) return;
    this.isPaused = true;
    this.socket.pause();
    // Node reads on as soon as an answer has left.
    this.socket.on('resume', pause);
  }

  readOn(): void {
    this.isPaused = false;
    this.socket.off('resume', pause);
    this.socket.resume();
  }

  stalledFor(now: number): number {
    const { socket } = this;
    // After the end of the answers there is still the client's own end of the connection to wait for.
    if (socket.writableLength === 0 && !socket.writableEnded) {
      this.#progress = null;
      return 0;
    }
    const mark = takenMark(socket);
    if (this.#progress?.mark !== mark) this.#progress = { mark, since: now };
    return now - this.#progress.since;
  }
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
    .filter(({ held }) => held > 0)
    .map((connection) => ({ connection, stalled: connection.stalledFor(now), bytes: connection.held }))
    .sort((one, other) => other.stalled - one.stalled || other.bytes - one.bytes);
}
