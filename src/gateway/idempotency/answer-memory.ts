/**
 * Remembers what was answered to requests with a key, so that a request that comes again is answered again and done
 * once. Knows which of them this process works on; of other processes it learns from the database.
 */
import type { Seal } from '../../content/mutations/run-mutation.js';
import { sha256Hex } from '../../crypto/hash.js';
import type { Database } from '../../store/base/database.js';
import { idempotencyKeys, type KeptAnswer } from '../models/idempotency.js';
import { AnsweredBefore, answerBefore, makeKeySeal, stillRunning } from './key-seal.js';

export type { KeptAnswer } from '../models/idempotency.js';

interface AnswerMemoryDeps {
  readonly own: Database;
  /** Seconds for which an answer is kept. */
  readonly lifetime: () => number;
}

interface Remembered {
  readonly answer: KeptAnswer;
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
  async answer(request: KeyedRequest, work: (seal: Seal<KeptAnswer>) => Promise<KeptAnswer>): Promise<Remembered> {
    const { id, fingerprint } = marksOf(request);
    if (this.#running.has(id)) throw stillRunning();
    this.#running.add(id);
    try {
      const { own, lifetime } = this.#deps;
      // Looked up before anything is validated: what the first request met may have changed since.
      const before = answerBefore(await idempotencyKeys.on(own.primary).lookUp({ id }), fingerprint);
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

/** A request that its caller may send again. */
export interface KeyedRequest {
  /** Kind and public id of the credential: one caller never sees the answer of another. */
  readonly actor: string;
  readonly method: string;
  readonly path: string;
  readonly key: string;
  /** What else shapes the answer, in a fixed order: query, selecting headers, kind of the body. */
  readonly parameters: readonly string[];
  /** Exactly what was sent; null without a body. */
  readonly body: Uint8Array | null;
}

interface RequestMarks {
  /** The same for every request of this caller to this route with this key. */
  readonly id: string;
  /** The same only for a repetition of the request. */
  readonly fingerprint: string;
}

/** The digests of a request. */
function marksOf({ actor, method, path, key, parameters, body }: KeyedRequest): RequestMarks {
  return {
    id: digestOf([actor, method, path, key]),
    fingerprint: digestOf([method, path, ...parameters, sha256Hex(body ?? '')]),
  };
}

/** As JSON the parts cannot run into one another, whatever is in them. */
function digestOf(parts: readonly string[]): string {
  return sha256Hex(JSON.stringify(parts));
}
