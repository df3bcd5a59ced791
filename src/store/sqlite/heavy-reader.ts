/**
 * Sends statements that may scan to a thread, so that they never hold up the event loop. One thread per database,
 * started when first needed; a statement that runs too long costs the thread, and the next one gets a new thread.
 */
import type { Worker } from 'node:worker_threads';
import { systemClock, type Timer } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { RawRow, Statement } from '../database.js';
import { toAppError } from '../errors.js';
import { connectionPragmas } from './connection.js';
import { readAnswer, startThread, type ThreadFile } from './start-thread.js';

/** More waiting statements than this are refused: they would not be answered in time anyway. */
const queueLimit = 64;
/** Threads that are still inside a statement after they were given up. */
const abandonedLimit = 2;

interface Waiting {
  readonly statement: Statement;
  readonly resolve: (rows: RawRow[]) => void;
  readonly reject: (error: Error) => void;
  readonly timer: Timer | undefined;
}

export interface HeavyReaderOptions extends ThreadFile {
  /** Milliseconds that a statement may take; 0 = any. */
  readonly limit: number;
}

export class HeavyReader {
  readonly #options: HeavyReaderOptions;
  readonly #waiting = new Map<number, Waiting>();
  readonly #abandoned = new Set<Promise<unknown>>();
  #worker: Worker | undefined;
  #nextId = 0;
  #closed = false;

  constructor(options: HeavyReaderOptions) {
    this.#options = options;
  }

  /** Rows of the statement; `unavailable` when too many wait or the time limit, which includes waiting, is over. */
  select(statement: Statement): Promise<RawRow[]> {
    if (this.#closed || this.#waiting.size >= queueLimit || this.#abandoned.size >= abandonedLimit) {
      return Promise.reject(overloaded());
    }
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      const { limit } = this.#options;
      const timer = limit > 0 ? systemClock.after(limit, () => this.#giveUp(id)) : undefined;
      this.#waiting.set(id, { statement, resolve, reject, timer });
      this.#post(id, statement);
    });
  }

  /** Ends the thread; what still waits is refused. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#abandon();
    this.#rejectAll(overloaded());
    await Promise.all(this.#abandoned);
  }

  #post(id: number, statement: Statement): void {
    this.#worker ??= this.#start();
    // The thread keeps the process alive only while somebody waits for it.
    this.#worker.ref();
    this.#worker.postMessage({ id, sql: statement.sql, params: statement.params });
  }

  #start(): Worker {
    const worker = startThread({
      ...this.#options,
      name: 'hcd-heavy-reader',
      writes: false,
      // Waiting for a lock harms nobody here.
      pragmas: [...connectionPragmas, 'query_only = ON', 'busy_timeout = 5000'],
    });
    worker.on('message', (answer: unknown) => this.#settle(answer));
    worker.on('error', (error) => this.#lost(worker, error));
    worker.on('exit', () => this.#lost(worker, new Error('the thread for heavy statements ended')));
    return worker;
  }

  #settle(message: unknown): void {
    const answer = readAnswer(message);
    const waiting = answer === undefined ? undefined : this.#waiting.get(answer.id);
    if (answer === undefined || waiting === undefined) return;
    this.#remove(answer.id);
    if ('rows' in answer) waiting.resolve(answer.rows);
    else if ('error' in answer) waiting.reject(toAppError(answer.error));
  }

  /** The oldest waiting statement is the one that the thread is in; only that one costs the thread. */
  #giveUp(id: number): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    const running = this.#waiting.keys().next().value === id;
    this.#remove(id);
    waiting.reject(overloaded());
    if (!running) return;
    this.#abandon();
    for (const [other, { statement }] of this.#waiting) this.#post(other, statement);
  }

  #abandon(): void {
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker === undefined) return;
    worker.removeAllListeners('message');
    const end = worker.terminate().finally(() => this.#abandoned.delete(end));
    this.#abandoned.add(end);
  }

  #lost(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#rejectAll(new AppError('unavailable', { details: { retryAfter: 5 }, cause: error }));
  }

  #rejectAll(error: AppError): void {
    for (const [id, waiting] of [...this.#waiting]) {
      this.#remove(id);
      waiting.reject(error);
    }
  }

  #remove(id: number): void {
    this.#waiting.get(id)?.timer?.stop();
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker?.unref();
  }
}

function overloaded(): AppError {
  return new AppError('unavailable', {
    message: 'The search takes too long or too many searches run at once',
    details: { retryAfter: 5 },
  });
}
