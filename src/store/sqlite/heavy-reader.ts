/**
 * Sends statements that may scan to threads, so that they never hold up the event loop. Two threads per database, each
 * started when first needed; a statement that runs too long costs its thread, and the next one gets a new thread.
 */

import type { Worker } from 'node:worker_threads';
import { systemClock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { RawRow, Statement } from '../base/database.js';
import { toAppError } from '../base/errors.js';
import { type BegunRead, HeavyQueue, tooSlow } from '../base/heavy-queue.js';
import type { StoreLimits } from '../base/limits.js';
import { connectionPragmas } from './connection.js';
import { readAnswer, startThread, type ThreadFile } from './start-thread.js';

interface Running {
  readonly id: number;
  readonly resolve: (rows: RawRow[]) => void;
  readonly reject: (error: Error) => void;
}

class ReadThread {
  readonly #worker: Worker;
  #running: Running | undefined;
  #nextId = 0;
  #isLost = false;

  constructor(file: ThreadFile) {
    this.#worker = startThread({
      ...file,
      name: 'hcd-heavy-reader',
      writes: false,
      // Off the event loop it may wait for a lock.
      pragmas: [...connectionPragmas, 'query_only = ON', 'busy_timeout = 5000'],
    });
    this.#worker.on('message', (answer: unknown) => this.#settle(answer));
    this.#worker.on('error', (error) => this.#lose(error));
    this.#worker.on('exit', () => this.#lose(new Error('the thread for heavy statements ended')));
    this.#worker.unref();
  }

  /** It executes nothing further. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Rows of the statement; only one at a time. */
  select({ sql, params }: Statement): Promise<RawRow[]> {
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#running = { id, resolve, reject };
      // The thread keeps the process alive only while it executes a statement.
      this.#worker.ref();
      this.#worker.postMessage({ id, sql, params });
    });
  }

  /** Resolves when the thread is gone, whatever it was doing. */
  async end(): Promise<void> {
    this.#isLost = true;
    await this.#worker.terminate();
  }

  #settle(message: unknown): void {
    const answer = readAnswer(message);
    const running = this.#running;
    if (answer === undefined || running?.id !== answer.id) return;
    this.#running = undefined;
    this.#worker.unref();
    if ('rows' in answer) running.resolve(answer.rows);
    else if ('error' in answer) running.reject(toAppError(answer.error));
  }

  #lose(error: Error): void {
    this.#isLost = true;
    this.#running?.reject(new AppError('unavailable', { details: { retryAfter: 5 }, cause: error }));
    this.#running = undefined;
  }
}

/** One caller never has both. */
const threads = 2;
/** Threads that may still be inside a statement after they were given up, while others take their places. */
const mostEnding = 2;

export interface HeavyReaderOptions extends ThreadFile {
  readonly limits: Pick<StoreLimits, 'heavy' | 'search' | 'wait'>;
}

export class HeavyReader {
  readonly #options: HeavyReaderOptions;
  readonly #queue: HeavyQueue;
  readonly #idle: ReadThread[] = [];
  readonly #busy = new Set<ReadThread>();
  readonly #ending = new Set<Promise<void>>();

  constructor(options: HeavyReaderOptions) {
    this.#options = options;
    this.#queue = new HeavyQueue({ places: threads, limits: options.limits });
  }

  /** Rows of the statement; `unavailable` when too much waits or a limit of time is over. */
  select(statement: Statement): Promise<readonly RawRow[]> {
    return this.#queue.run(statement, (limit) => this.#begin(statement, limit));
  }

  /** Ends the threads; what still waits is refused. */
  async close(): Promise<void> {
    this.#queue.close();
    for (const thread of [...this.#idle.splice(0), ...this.#busy]) this.#end(thread);
    await Promise.all(this.#ending);
  }

  #begin(statement: Statement, limit: number): BegunRead {
    const thread = this.#takeThread();
    const answered = thread.select(statement);
    const rows = new Promise<readonly RawRow[]>((resolve, reject) => {
      answered.then(resolve, reject);
      if (limit === 0) return;
      const timer = systemClock.after(limit, () => {
        reject(tooSlow());
        this.#end(thread);
      });
      answered.then(timer.stop, timer.stop);
    });
    return { rows, freed: rows.catch(() => undefined).then(() => this.#giveBack(thread)) };
  }

  #takeThread(): ReadThread {
    let thread = this.#idle.pop();
    while (thread?.isLost === true) thread = this.#idle.pop();
    thread ??= new ReadThread(this.#options);
    this.#busy.add(thread);
    return thread;
  }

  /** Resolves when another thread may begin in its place. */
  async #giveBack(thread: ReadThread): Promise<void> {
    if (this.#busy.delete(thread) && !thread.isLost) this.#idle.push(thread);
    while (this.#ending.size > mostEnding) await Promise.race(this.#ending);
  }

  #end(thread: ReadThread): void {
    this.#busy.delete(thread);
    const end = thread.end().finally(() => this.#ending.delete(end));
    this.#ending.add(end);
  }
}
