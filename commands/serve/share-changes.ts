/** Sends changes between the workers of one server. A worker that misses one finds it in the log soon after. */
import cluster, { type Worker } from 'node:cluster';
import type { Clock } from '../../src/clock/clock.js';
import { type ContentChange, readChangedRows } from '../../src/content/live/content-change.js';
import type { AnnouncedChange } from '../../src/content/mutations/run-mutation.js';

/** A worker that hangs must not hold up all writes. */
const longestWait = 250;
/** Longer texts are left in the log, where the others read them. */
const longestPayload = 65_536;

export interface ChangeChannel {
  /** Resolves when the others have dropped stale answers, or have not confirmed in time. */
  send(change: AnnouncedChange): Promise<void>;
  onReceive(listener: (change: ContentChange | 'look') => Promise<void>): void;
  /** Resolves when the others have forgotten credentials, or have not confirmed in time. */
  sendRevocation(): Promise<void>;
  onRevocation(listener: () => void): void;
}

interface ChangeMessage {
  readonly kind: 'content_changed';
  readonly number: number;
  readonly generation: number;
  /** As in the log, null for everything; absent when it is too long for a message. */
  readonly payload?: string | null;
}

interface RevocationMessage {
  readonly kind: 'credentials_changed';
  readonly number: number;
}

type SharedMessage = ChangeMessage | RevocationMessage;
type Unnumbered = Omit<ChangeMessage, 'number'> | Omit<RevocationMessage, 'number'>;

interface DoneMessage {
  readonly kind: 'content_change_done';
  readonly number: number;
}

export function siblingChannel(clock: Clock): ChangeChannel | undefined {
  const { worker } = cluster;
  return cluster.isWorker && worker !== undefined ? openChannel(worker, clock) : undefined;
}

export function openChannel(worker: Worker, clock: Clock): ChangeChannel {
  const waiting = new Map<number, () => void>();
  let sent = 0;
  const listeners: ((change: ContentChange | 'look') => Promise<void>)[] = [];
  const forgetters: (() => void)[] = [];
  const ask = (message: Unnumbered): Promise<void> => {
    sent += 1;
    const number = sent;
    return new Promise((resolve) => {
      const end = (): void => {
        timer.stop();
        waiting.delete(number);
        resolve();
      };
      const timer = clock.after(longestWait, end);
      waiting.set(number, end);
      // A closed channel: this worker is ending, and the others find the change in the database.
      post(worker, { ...message, number }, end);
    });
  };
  const takeIn = async (message: SharedMessage): Promise<void> => {
    if (message.kind === 'credentials_changed') for (const forget of forgetters) forget();
    else {
      const { generation, payload } = message;
      const change = payload === undefined ? 'look' : { generation, ...readChangedRows(payload) };
      // Must not fail: the next caller of the store reports that it does not answer.
      await Promise.allSettled(listeners.map((listener) => listener(change)));
    }
    post(worker, { kind: 'content_change_done', number: message.number });
  };
  worker.on('message', (message: unknown) => {
    if (isDone(message)) waiting.get(message.number)?.();
    else if (isShared(message)) void takeIn(message);
  });
  return {
    send({ generation, payload }) {
      const isShort = payload === null || payload.length <= longestPayload;
      return ask({ kind: 'content_changed', generation, ...(isShort ? { payload } : {}) });
    },
    onReceive: (listener) => void listeners.push(listener),
    sendRevocation: () => ask({ kind: 'credentials_changed' }),
    onRevocation: (listener) => void forgetters.push(listener),
  };
}

export function relayChanges(): { readonly join: (worker: Worker) => void } {
  const workers = new Set<Worker>();
  let relayed = 0;
  /** By the number under which they were forwarded; workers that have not applied them yet. */
  const open = new Map<number, { readonly by: Worker; readonly number: number; readonly missing: Set<Worker> }>();

  const settle = (id: number, worker: Worker): void => {
    const change = open.get(id);
    if (change === undefined) return;
    change.missing.delete(worker);
    if (change.missing.size > 0) return;
    open.delete(id);
    post(change.by, { kind: 'content_change_done', number: change.number });
  };
  const pass = (by: Worker, message: SharedMessage): void => {
    relayed += 1;
    const id = relayed;
    const others = [...workers].filter((worker) => worker !== by);
    open.set(id, { by, number: message.number, missing: new Set(others) });
    for (const other of others) post(other, { ...message, number: id }, () => settle(id, other));
    if (others.length === 0) settle(id, by);
  };
  return {
    join(worker) {
      workers.add(worker);
      worker.on('message', (message: unknown) => {
        if (isShared(message)) pass(worker, message);
        else if (isDone(message)) settle(message.number, worker);
      });
      worker.once('exit', () => {
        workers.delete(worker);
        for (const id of [...open.keys()]) settle(id, worker);
      });
    },
  };
}

function post(worker: Worker, message: SharedMessage | DoneMessage, onFailure: () => void = () => undefined): void {
  worker.send(message, (error: Error | null) => {
    if (error !== null) onFailure();
  });
}

function isShared(message: unknown): message is SharedMessage {
  if (typeof message !== 'object' || message === null) return false;
  const { kind, number, generation }: { kind?: unknown; number?: unknown; generation?: unknown } = message;
  if (typeof number !== 'number') return false;
  return kind === 'credentials_changed' || (kind === 'content_changed' && typeof generation === 'number');
}

function isDone(message: unknown): message is DoneMessage {
  if (typeof message !== 'object' || message === null) return false;
  const { kind, number }: { kind?: unknown; number?: unknown } = message;
  return kind === 'content_change_done' && typeof number === 'number';
}
