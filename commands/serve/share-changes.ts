/**
 * Carries changes of content between the workers of one server: from the one that made it through the first process to
 * the others, which say when they have taken it in. Whoever does not hear of a change finds it in the log soon after.
 */
import cluster, { type Worker } from 'node:cluster';
import type { Clock } from '../../src/clock/clock.js';
import { type ContentChange, readChangedRows } from '../../src/services/content-change.js';
import type { AnnouncedChange } from '../../src/services/mutations/announce-changes.js';

/** Milliseconds that a mutation waits for the other workers: one that hangs must not hold up all writes. */
const longestWait = 250;
/** Longer texts are left in the log, where the others read them. */
const longestPayload = 65_536;

/** How a process shares its changes with those beside it. */
export interface ChangeChannel {
  /** Resolves when the others have dropped what the change made stale, or have not said so in time. */
  send(change: AnnouncedChange): Promise<void>;
  /** Calls the listener with the changes of the others. */
  onReceive(listener: (change: ContentChange | 'look') => Promise<void>): void;
}

/** A change on its way; `number` tells the sender's changes apart. */
interface ChangeMessage {
  readonly kind: 'content_changed';
  readonly number: number;
  readonly generation: number;
  /** Its rows as in the log, null for everything; absent when they are too long for a message. */
  readonly payload?: string | null;
}

/** The change was taken in, by one worker or by all of them. */
interface DoneMessage {
  readonly kind: 'content_change_done';
  readonly number: number;
}

/** The channel of this process to the workers beside it; undefined where there are none. */
export function siblingChannel(clock: Clock): ChangeChannel | undefined {
  const { worker } = cluster;
  return cluster.isWorker && worker !== undefined ? openChannel(worker, clock) : undefined;
}

/** The channel of a worker through the first process. */
export function openChannel(worker: Worker, clock: Clock): ChangeChannel {
  const waiting = new Map<number, () => void>();
  let sent = 0;
  const listeners: ((change: ContentChange | 'look') => Promise<void>)[] = [];
  worker.on('message', (message: unknown) => {
    if (isDone(message)) waiting.get(message.number)?.();
    else if (isChange(message)) void takeIn(worker, message, listeners);
  });
  return {
    send({ generation, payload }) {
      sent += 1;
      const number = sent;
      const isShort = payload === null || payload.length <= longestPayload;
      const message: ChangeMessage = {
        kind: 'content_changed',
        number,
        generation,
        ...(isShort ? { payload } : {}),
      };
      return new Promise((resolve) => {
        const end = (): void => {
          timer.stop();
          waiting.delete(number);
          resolve();
        };
        const timer = clock.after(longestWait, end);
        waiting.set(number, end);
        // A channel that is closed: this worker is ending, and the others find the change in the log.
        post(worker, message, end);
      });
    },
    onReceive: (listener) => void listeners.push(listener),
  };
}

async function takeIn(
  worker: Worker,
  { number, generation, payload }: ChangeMessage,
  listeners: readonly ((change: ContentChange | 'look') => Promise<void>)[],
): Promise<void> {
  const rows = typeof payload === 'string' ? readChangedRows(payload) : null;
  const change = payload === undefined ? 'look' : { generation, rows };
  // Must not fail: a store that does not answer is told by whoever asks it next.
  await Promise.allSettled(listeners.map((listener) => listener(change)));
  const done: DoneMessage = { kind: 'content_change_done', number };
  post(worker, done);
}

/** In the first process: passes changes on between its workers. `join` takes in each of them when it starts. */
export function relayChanges(): { readonly join: (worker: Worker) => void } {
  const workers = new Set<Worker>();
  let relayed = 0;
  /** Changes that some workers have not taken in yet, by the number under which they were passed on. */
  const open = new Map<number, { readonly by: Worker; readonly number: number; readonly missing: Set<Worker> }>();

  const settle = (id: number, worker: Worker): void => {
    const change = open.get(id);
    if (change === undefined) return;
    change.missing.delete(worker);
    if (change.missing.size > 0) return;
    open.delete(id);
    const done: DoneMessage = { kind: 'content_change_done', number: change.number };
    post(change.by, done);
  };
  const pass = (by: Worker, message: ChangeMessage): void => {
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
        if (isChange(message)) pass(worker, message);
        else if (isDone(message)) settle(message.number, worker);
      });
      worker.once('exit', () => {
        workers.delete(worker);
        for (const id of [...open.keys()]) settle(id, worker);
      });
    },
  };
}

/** Sends it; one that just died cannot be told, and without the callback that would be an error of this process. */
function post(worker: Worker, message: ChangeMessage | DoneMessage, onFailure: () => void = () => undefined): void {
  worker.send(message, (error: Error | null) => {
    if (error !== null) onFailure();
  });
}

function isChange(message: unknown): message is ChangeMessage {
  if (typeof message !== 'object' || message === null) return false;
  const { kind, number, generation }: { kind?: unknown; number?: unknown; generation?: unknown } = message;
  return kind === 'content_changed' && typeof number === 'number' && typeof generation === 'number';
}

function isDone(message: unknown): message is DoneMessage {
  if (typeof message !== 'object' || message === null) return false;
  const { kind, number }: { kind?: unknown; number?: unknown } = message;
  return kind === 'content_change_done' && typeof number === 'number';
}
