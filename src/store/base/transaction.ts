/** Runs work in one write transaction, repeated as a whole after a deadlock, a lock time-out or a busy file. */
import { systemClock } from '../../clock/clock.js';
import { WaitingLine } from '../../clock/waiting-line.js';
import { AppError } from '../../errors/app-error.js';
import { perObject } from '../../values/kept-values.js';
import type { Database, Tx, WriteOptions } from './database.js';
import type { StoreFailure } from './error-codes.js';
import { classifyFailure, toAppError } from './errors.js';

const attempts = 8;
const pause = { from: 10, to: 200 };

export interface OpenTransaction {
  readonly tx: Tx;
  commit(): Promise<void>;
  /** Resolves when the commit is on the disk; absent if `commit` waits for that. */
  readonly durable?: () => Promise<void>;
  rollback(): Promise<void>;
}

interface TransactionRun<T> {
  readonly begin: () => Promise<OpenTransaction>;
  readonly work: (tx: Tx) => Promise<T>;
  readonly options: WriteOptions<T>;
  /** Milliseconds; no attempt starts later. */
  readonly limit: number;
  /** Called when the commit took or may have taken effect; the result waits for it. */
  readonly committed: (tx: Tx) => Promise<void>;
}

type Attempt<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** COMMIT was sent without an answer, or the disk failed after it. */
  | { readonly kind: 'unknown'; readonly error: unknown };

/** Throws the error of the last attempt, an AppError if it came from the database. */
export async function runTransaction<T>(run: TransactionRun<T>): Promise<T> {
  const end = systemClock.elapsed() + run.limit;
  for (let left = attempts - 1; ; left -= 1) {
    let attempt = await attemptOnce(run);
    if (attempt.kind === 'unknown') attempt = await findOutcome({ run, unknown: attempt.error });
    if (attempt.kind === 'done') return attempt.value;
    if (attempt.kind === 'unknown') throw toAppError(attempt.error);
    if (left === 0 || systemClock.elapsed() >= end || !mayRepeat(attempt.error, left)) throw toThrown(attempt.error);
    await systemClock.sleep(jitter(pause));
  }
}

async function attemptOnce<T>(run: TransactionRun<T>): Promise<Attempt<T>> {
  let open: OpenTransaction;
  try {
    open = await run.begin();
  } catch (error) {
    return { kind: 'failed', error };
  }
  const watched = watch(open);
  let value: T;
  try {
    value = await run.work(watched.tx).finally(watched.end);
    // Work that caught a deadlock must not commit: the server has already undone the earlier statements.
    if (watched.failure() !== undefined) throw watched.failure();
  } catch (error) {
    await open.rollback();
    return { kind: 'failed', error };
  }
  try {
    await open.commit();
  } catch (error) {
    await open.rollback();
    if (!isConnectionLoss(classifyFailure(error))) return { kind: 'failed', error };
    await run.committed(watched.tx);
    return { kind: 'unknown', error };
  }
  const [, written] = await Promise.allSettled([run.committed(watched.tx), open.durable?.()]);
  return written.status === 'fulfilled' ? { kind: 'done', value } : { kind: 'unknown', error: written.reason };
}

async function findOutcome<T>(question: { run: TransactionRun<T>; unknown: unknown }): Promise<Attempt<T>> {
  const { run, unknown } = question;
  const { outcome } = run.options;
  if (outcome === undefined) return { kind: 'unknown', error: unknown };
  const asked = await attemptOnce<T | undefined>({ ...run, work: outcome, options: {} });
  if (asked.kind !== 'done') return { kind: 'unknown', error: unknown };
  if (asked.value === undefined) return { kind: 'failed', error: unknown };
  return { kind: 'done', value: asked.value };
}

/** A connection lost before COMMIT left nothing behind. Often it had died in the pool: one more attempt. */
function mayRepeat(error: unknown, left: number): boolean {
  const failure = classifyFailure(error);
  return failure === 'busy' || (failure === 'gone' && left === attempts - 1);
}

function isConnectionLoss(failure: StoreFailure): boolean {
  return failure === 'gone' || failure === 'unreachable' || failure === 'timeout';
}

function toThrown(error: unknown): unknown {
  return classifyFailure(error) === 'bug' ? error : toAppError(error);
}

/** SQLite ends the transaction by itself when its disk is full or fails. */
const voiding: ReadonlySet<StoreFailure> = new Set(['busy', 'gone', 'full']);

/** Stops at the first failure that voids the transaction: a later statement would be committed on its own. */
function watch({ tx }: OpenTransaction): { tx: Tx; failure: () => unknown; end: () => void } {
  let first: unknown;
  let isEnded = false;
  const pass = async <T>(call: () => Promise<T>): Promise<T> => {
    if (first !== undefined) throw first;
    if (isEnded) throw new Error('the transaction has ended');
    try {
      return await call();
    } catch (error) {
      if (voiding.has(classifyFailure(error))) first ??= error;
      throw error;
    }
  };
  const watched: Tx = {
    dialect: tx.dialect,
    select: (statement) => pass(() => tx.select(statement)),
    run: (statement) => pass(() => tx.run(statement)),
    query: (table, work) => pass(() => tx.query(table, work)),
  };
  const end = () => {
    isEnded = true;
  };
  return { tx: watched, failure: () => first, end };
}

/** Few enough that other writers do not wait for long. */
const rowsTogether = 1000;

/** Until `work` changes fewer rows than it may, or `stop`. Returns how many were changed. */
export async function writeInBatches(
  own: Pick<Database, 'write'>,
  work: (tx: Tx, most: number) => Promise<number>,
  { stop, ...options }: WriteOptions<number> & { readonly stop?: AbortSignal } = {},
): Promise<number> {
  let all = 0;
  for (let changed = rowsTogether; changed === rowsTogether && stop?.aborted !== true; all += changed) {
    changed = await own.write((tx) => work(tx, rowsTogether), options);
  }
  return all;
}

export function jitter(bounds: { readonly from: number; readonly to: number }): number {
  return bounds.from + Math.floor(Math.random() * (bounds.to - bounds.from + 1));
}

/** `wait` in milliseconds. */
export function writeTurns(limits: { readonly places: number; readonly wait: number }): WaitingLine {
  const message = `The write waited ${limits.wait / 1000} s for its turn: other writes take too long`;
  return new WaitingLine({
    ...limits,
    refusal: () => new AppError('unavailable', { message, details: { retryAfter: 5 } }),
  });
}

interface SyncParts {
  readonly sync: () => Promise<void>;
  /** Writes what a failed sync may have left out: a later sync does not report it a second time. */
  readonly writeAgain: () => void;
}

/** Commits wait here for the disk, off the event loop: one sync serves every commit before it. */
export class SharedSync {
  readonly #parts: SyncParts;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #isIncomplete = false;

  constructor(parts: SyncParts) {
    this.#parts = parts;
  }

  /** Rejects when it is unknown whether all commits up to now are on the disk. */
  wait(): Promise<void> {
    // A sync that has begun may have missed the latest commit.
    this.#next ??= this.#running.catch(() => undefined).then(() => this.#begin());
    return this.#next;
  }

  #begin(): Promise<void> {
    this.#next = undefined;
    this.#running = this.#run();
    return this.#running;
  }

  async #run(): Promise<void> {
    if (this.#isIncomplete) this.#parts.writeAgain();
    this.#isIncomplete = true;
    await this.#parts.sync();
    this.#isIncomplete = false;
  }
}

/** Memories follow this process's commits before the writer continues. Other processes poll. */

/** live: settings and publications of pages; content: the content generation; banners: banners, positions, links. */
export type Topic = 'live' | 'content' | 'banners';

type Listener = () => Promise<void>;

const topicsOf = perObject<Tx, Set<Topic>>(() => new Set());
const listenersOf = perObject<Database, Map<Topic, Set<Listener>>>(() => new Map());

export function touch(tx: Tx, topic: Topic): void {
  topicsOf(tx).add(topic);
}

export function onCommit(database: Database, topic: Topic, listener: Listener): () => void {
  const byTopic = listenersOf(database);
  const ofTopic = byTopic.get(topic) ?? new Set();
  byTopic.set(topic, ofTopic.add(listener));
  return () => void ofTopic.delete(listener);
}

/** A listener that fails reads again later. */
export async function tellCommit(database: Database, tx: Tx): Promise<void> {
  const byTopic = listenersOf(database);
  const heard = [...topicsOf(tx)].flatMap((topic) => [...(byTopic.get(topic) ?? [])]);
  await Promise.allSettled(heard.map((listener) => listener()));
}
