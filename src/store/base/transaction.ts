/**
 * Runs work in one write transaction and repeats the whole of it after a deadlock, a lock time-out or a busy file.
 * Knows no dialect: how a transaction begins and ends is an argument.
 */
import { systemClock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { Database, Tx, WriteOptions } from './database.js';
import type { StoreFailure } from './error-codes.js';
import { classifyFailure, toAppError } from './errors.js';

/** Attempts in all, and the pause between two of them. */
const attempts = 8;
const pause = { from: 10, to: 200 };

export interface OpenTransaction {
  readonly tx: Tx;
  commit(): Promise<void>;
  /** Resolves when the commit is on the disk; absent where `commit` waits for that. */
  readonly durable?: () => Promise<void>;
  /** Ends the transaction without effect; never throws. */
  rollback(): Promise<void>;
}

export interface TransactionRun<T> {
  readonly begin: () => Promise<OpenTransaction>;
  readonly work: (tx: Tx) => Promise<T>;
  readonly options: WriteOptions<T>;
  /** Milliseconds after which no further attempt starts. */
  readonly limit: number;
  /** Called with the transaction that is committed, or may be; the result waits for it. */
  readonly committed: (tx: Tx) => Promise<void>;
}

type Attempt<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** COMMIT was sent and its answer never came, or the disk failed after it. */
  | { readonly kind: 'unknown'; readonly error: unknown };

/**
 * The result of `work` once it is committed; else the error of the last attempt, as AppError if it came from the
 * database.
 */
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
    // Work that caught a deadlock must not commit: the server has already undone what came before it.
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

/** Asks in a new transaction whether the lost COMMIT took effect. */
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

/** Errors of the work itself stay as they are. */
function toThrown(error: unknown): unknown {
  return classifyFailure(error) === 'bug' ? error : toAppError(error);
}

/** Failures after which the transaction may be void: SQLite ends it by itself when its disk is full or fails. */
const voiding: ReadonlySet<StoreFailure> = new Set(['busy', 'gone', 'full']);

/**
 * Passes calls on until the end of the work, or the first failure after which the transaction is void. A later statement
 * would be committed by itself, or with the next transaction of the connection.
 */
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

/** A whole number of milliseconds between the bounds, both included. */
export function jitter(bounds: { readonly from: number; readonly to: number }): number {
  return bounds.from + Math.floor(Math.random() * (bounds.to - bounds.from + 1));
}

export interface WriteTurnLimits {
  readonly places: number;
  /** Milliseconds in the line. */
  readonly wait: number;
}

export class WriteTurns {
  readonly #limits: WriteTurnLimits;
  readonly #line: (() => void)[] = [];
  #taken = 0;

  constructor(limits: WriteTurnLimits) {
    this.#limits = limits;
  }

  /**
   * Resolves with the function that ends the turn, which is the next one with `isNext`; `unavailable` when the turn does not
   * come within the limit.
   */
  async take({ isNext = false } = {}): Promise<() => void> {
    if (this.#taken < this.#limits.places) this.#taken += 1;
    else await this.#wait(isNext);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      const next = this.#line.shift();
      if (next === undefined) this.#taken -= 1;
      // The turn passes directly to the next one, so that no later caller can take it.
      else next();
    };
  }

  #wait(isNext: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        timer.stop();
        resolve();
      };
      const timer = systemClock.after(this.#limits.wait, () => {
        this.#line.splice(this.#line.indexOf(enter), 1);
        const message = `The write waited ${this.#limits.wait / 1000} s for its turn: other writes take too long`;
        reject(new AppError('unavailable', { message, details: { retryAfter: 5 } }));
      });
      if (isNext) this.#line.unshift(enter);
      else this.#line.push(enter);
    });
  }
}

interface SyncParts {
  /** Resolves when everything that was committed before the call is on the disk. */
  readonly sync: () => Promise<void>;
  /** Writes again, to the disk, what a failed sync may have left out: a later sync does not report it a second time. */
  readonly writeAgain: () => void;
}

/**
 * Brings commits to the disk together. A transaction commits without waiting for the disk, then waits here, off the event
 * loop: one sync serves every commit that was made before it began.
 */
export class SharedSync {
  readonly #parts: SyncParts;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #isIncomplete = false;

  constructor(parts: SyncParts) {
    this.#parts = parts;
  }

  /** Resolves when all commits up to now are on the disk; rejects when that is not known. */
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

/*
 * Memories follow the writes of this process: a writer of remembered data marks its transaction, and the
 * listeners of the database are called after the commit, before the writer continues. Other processes poll.
 */

/**
 * live: settings, and publications of pages; content: whatever raises the content generation; banners: banners, positions
 * and their links.
 */
export type Topic = 'live' | 'content' | 'banners';

type Listener = () => Promise<void>;

const touched = new WeakMap<Tx, Set<Topic>>();
const listeners = new WeakMap<object, Map<Topic, Set<Listener>>>();

/** Marks the transaction: a memory keeps values that it changes. */
export function touch(tx: Tx, topic: Topic): void {
  const topics = touched.get(tx) ?? new Set();
  touched.set(tx, topics.add(topic));
}

/** Calls the listener after every such commit of this process to the database; gives the function that ends it. */
export function onCommit(database: Database, topic: Topic, listener: Listener): () => void {
  const byTopic = listeners.get(database) ?? new Map<Topic, Set<Listener>>();
  listeners.set(database, byTopic);
  const ofTopic = byTopic.get(topic) ?? new Set();
  byTopic.set(topic, ofTopic.add(listener));
  return () => void ofTopic.delete(listener);
}

/** Resolves when every listener has processed the changes. A listener that fails reads again later. */
export async function tellCommit(database: Database, tx: Tx): Promise<void> {
  const byTopic = listeners.get(database);
  const topics = touched.get(tx);
  if (byTopic === undefined || topics === undefined) return;
  const heard = [...topics].flatMap((topic) => [...(byTopic.get(topic) ?? [])]);
  await Promise.allSettled(heard.map((listener) => listener()));
}
