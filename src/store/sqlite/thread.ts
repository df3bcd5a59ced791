/** A thread with its own connection, so that the event loop waits neither for pages nor for the disk. */
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { AppError } from '../../errors/app-error.js';
import type { RawRow, Statement, WriteResult } from '../base/database.js';
import { connectionPragmas, writingPragmas } from './connection.js';
import { narrowIntegers, type SqliteDriver } from './driver.js';
import { toSqliteFailure } from './failure.js';

export interface ThreadFile {
  readonly driver: Pick<SqliteDriver, 'name' | 'keepsNul'>;
  readonly path: string;
}

type Answer = { readonly rows: RawRow[] } | WriteResult | { readonly error: Error };

interface Waiting {
  readonly resolve: (answer: Exclude<Answer, { readonly error: Error }>) => void;
  readonly reject: (error: Error) => void;
}

/** Off the event loop a read may wait for a lock; writers repeat their request instead. */
const readingPragmas: readonly string[] = ['query_only = ON', 'busy_timeout = 5000'];

/** Other writes wait for its commits, so the log is copied separately (transactions.ts). */
const threadPragmas: readonly string[] = [...writingPragmas, 'wal_autocheckpoint = 0'];

export class StatementThread {
  /** Null if the system has no thread to give. */
  readonly #worker: Worker | null;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ended: Promise<void>;
  #nextId = 0;
  #lost: Error | undefined;
  #isClosing = false;

  constructor({ driver, path, writes }: ThreadFile & { readonly writes: boolean }) {
    const pragmas = [...connectionPragmas, ...(writes ? threadPragmas : readingPragmas)];
    const worker = this.#start({
      name: writes ? 'hcd-writer' : 'hcd-heavy-reader',
      execArgv: [],
      workerData: { driver: driver.name, keepsNul: driver.keepsNul, path, writes, pragmas },
    });
    this.#worker = worker;
    if (worker === null) {
      this.#ended = Promise.resolve();
      return;
    }
    worker.on('message', (message: unknown) => this.#settle(message));
    worker.on('error', (error) => this.#lose(error));
    this.#ended = new Promise((resolve) => {
      worker.once('exit', () => {
        this.#lose(new Error('the thread for statements ended'));
        resolve();
      });
    });
    worker.unref();
  }

  #start(options: WorkerOptions): Worker | null {
    try {
      return new Worker(new URL('./statement-thread.js', import.meta.url), options);
    } catch (error) {
      this.#lose(error instanceof Error ? error : new Error(String(error)));
      return null;
    }
  }

  /** A lost thread answers nothing, and its transaction is undone: make another one. */
  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  async select(statement: Statement): Promise<RawRow[]> {
    const answer = await this.#execute(statement);
    return 'rows' in answer ? answer.rows : [];
  }

  async run(statement: Statement): Promise<WriteResult> {
    const answer = await this.#execute(statement);
    return 'changes' in answer ? answer : { changes: 0, lastId: 0 };
  }

  async close(): Promise<void> {
    // Else the process would end before the thread, for nothing else may be left to wait for.
    this.#isClosing = true;
    this.#worker?.ref();
    if (!this.isLost) this.#worker?.postMessage('end');
    await this.#ended;
  }

  async kill(): Promise<void> {
    this.#lost ??= new Error('the thread for statements was ended');
    await this.#worker?.terminate();
  }

  #execute({ sql, params }: Statement): Promise<Parameters<Waiting['resolve']>[0]> {
    return new Promise((resolve, reject) => {
      if (this.#lost !== undefined) return reject(unavailable(this.#lost));
      const id = this.#nextId++;
      // The thread keeps the process alive only while an answer is awaited.
      if (this.#waiting.size === 0) this.#worker?.ref();
      this.#waiting.set(id, { resolve, reject });
      this.#worker?.postMessage({ id, sql, params });
    });
  }

  #settle(message: unknown): void {
    if (typeof message !== 'object' || message === null || !('id' in message)) return;
    const waiting = this.#waiting.get(Number(message.id));
    if (waiting === undefined) return;
    this.#waiting.delete(Number(message.id));
    if (this.#waiting.size === 0 && !this.#isClosing) this.#worker?.unref();
    const answer = readAnswer(message);
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

function readAnswer(message: object): Answer {
  if ('rows' in message) return { rows: narrowIntegers(toRawRows(message.rows)) };
  if ('changes' in message && 'lastId' in message) {
    return { changes: Number(message.changes), lastId: Number(message.lastId) };
  }
  return { error: toFailure(message) };
}

/** Cloning made plain byte arrays of the blobs. */
function toRawRows(rows: unknown): RawRow[] {
  const list = rows as (string | number | bigint | null | Uint8Array)[][];
  return list.map((row) => row.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)));
}

function toFailure(answer: object): Error {
  const { message, ...codes }: { readonly message?: unknown } = answer;
  const text = String(message ?? 'unknown failure');
  return toSqliteFailure(Object.assign(new Error(text), codes)) ?? new Error(text);
}

function unavailable(cause: Error): AppError {
  return new AppError('unavailable', { details: { retryAfter: 5 }, cause });
}
