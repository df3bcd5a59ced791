/** A thread with a connection of its own that executes one heavy statement at a time. */
import type { Worker } from 'node:worker_threads';
import { AppError } from '../../errors/app-error.js';
import type { RawRow, Statement } from '../base/database.js';
import { toAppError } from '../base/errors.js';
import { connectionPragmas } from './connection.js';
import { readAnswer, startThread, type ThreadFile } from './start-thread.js';

interface Running {
  readonly id: number;
  readonly resolve: (rows: RawRow[]) => void;
  readonly reject: (error: Error) => void;
}

export class ReadThread {
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

  /** It executes nothing any more. */
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
