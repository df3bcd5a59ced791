/**
 * Executes the statements of write transactions on a thread with its own connection, so that the event loop waits
 * neither for pages nor for the disk. Whose turn it is to write is decided elsewhere: one transaction at a time.
 */
import type { Worker } from 'node:worker_threads';
import { AppError } from '../../errors/app-error.js';
import type { RawRow, Statement, WriteResult } from '../base/database.js';
import { connectionPragmas, writingPragmas } from './connection.js';
import { readAnswer, startThread, type ThreadAnswer, type ThreadFile } from './start-thread.js';

interface Waiting {
  readonly resolve: (answer: ThreadAnswer) => void;
  readonly reject: (error: Error) => void;
}

export class WriteThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ended: Promise<void>;
  #nextId = 0;
  #lost: Error | undefined;

  constructor(file: ThreadFile) {
    this.#worker = startThread({
      ...file,
      name: 'hcd-writer',
      writes: true,
      pragmas: [...connectionPragmas, ...writingPragmas],
    });
    this.#worker.on('message', (message: unknown) => this.#settle(readAnswer(message)));
    this.#worker.on('error', (error) => this.#lose(error));
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#lose(new Error('the thread that writes ended'));
        resolve();
      });
    });
    this.#worker.unref();
  }

  /** It gives no further answers, and its transaction is undone: make another thread. */
  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  async select(statement: Statement): Promise<RawRow[]> {
    const answer = await this.#execute(statement);
    return 'rows' in answer ? answer.rows : [];
  }

  async run(statement: Statement): Promise<WriteResult> {
    const answer = await this.#execute(statement);
    return 'changes' in answer ? { changes: answer.changes, lastId: answer.lastId } : { changes: 0, lastId: 0 };
  }

  /** Closes the connection behind what was sent before, and ends the thread. */
  async close(): Promise<void> {
    // Else the process would end before the thread, for nothing else may be left to wait for.
    this.#worker.ref();
    if (!this.isLost) this.#worker.postMessage('end');
    await this.#ended;
  }

  #execute({ sql, params }: Statement): Promise<ThreadAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#lost !== undefined) return reject(unavailable(this.#lost));
      const id = this.#nextId++;
      // The thread keeps the process alive only while an answer is awaited.
      if (this.#waiting.size === 0) this.#worker.ref();
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, sql, params });
    });
  }

  #settle(answer: ThreadAnswer | undefined): void {
    const waiting = answer === undefined ? undefined : this.#waiting.get(answer.id);
    if (answer === undefined || waiting === undefined) return;
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if ('error' in answer) waiting.reject(answer.error);
    else waiting.resolve(answer);
  }

  #lose(error: Error): void {
    this.#lost ??= error;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(unavailable(this.#lost));
  }
}

function unavailable(cause: Error): AppError {
  return new AppError('unavailable', { details: { retryAfter: 5 }, cause });
}
