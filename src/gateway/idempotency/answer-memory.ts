/**
 * Remembers what was answered to requests with a key, so that a request that comes again is answered again and done
 * once. Knows which of them this process works on; of other processes it learns from the database.
 */

import type { Seal } from '../../content/mutations/run-mutation.js';
import type { Database } from '../../store/base/database.js';
import { readIdempotencyKey } from '../rows/idempotency.js';
import { AnsweredBefore, answerBefore, makeKeySeal } from './key-seal.js';
import { type KeyedRequest, marksOf, type StoredAnswer } from './keyed-request.js';
import { stillRunning } from './refusals.js';

export interface AnswerMemoryDeps {
  readonly own: Database;
  /** Seconds for which an answer is kept. */
  readonly lifetime: () => number;
}

export interface Remembered {
  readonly answer: StoredAnswer;
  /** It was given before. */
  readonly isReplay: boolean;
}

export class AnswerMemory {
  readonly #deps: AnswerMemoryDeps;
  readonly #running = new Set<string>();

  constructor(deps: AnswerMemoryDeps) {
    this.#deps = deps;
  }

  /**
   * The answer to the request: the one that is kept, else that of `work`, which must pass the seal to its mutation.
   * Throws idempotency_conflict when the key was used for another request or its first one is not answered yet.
   */
  async answer(request: KeyedRequest, work: (seal: Seal<StoredAnswer>) => Promise<StoredAnswer>): Promise<Remembered> {
    const { id, fingerprint } = marksOf(request);
    if (this.#running.has(id)) throw stillRunning();
    this.#running.add(id);
    try {
      const { own, lifetime } = this.#deps;
      // Looked up before anything is validated: what the first request met may have changed since.
      const before = answerBefore(await readIdempotencyKey(own.primary, id), fingerprint);
      if (before !== null) return { answer: before, isReplay: true };
      const { actor, key } = request;
      const seal = makeKeySeal({ id, fingerprint, actor, key, lifetimeMs: lifetime() * 1000 });
      return { answer: await work(seal), isReplay: false };
    } catch (error) {
      if (error instanceof AnsweredBefore) return { answer: error.answer, isReplay: true };
      throw error;
    } finally {
      this.#running.delete(id);
    }
  }
}
