/** Remembers answers to requests with a key: of this process in memory, of other processes in the database. */
import type { Seal } from '../../content/mutations/run-mutation.js';
import { randomId, sha256Hex } from '../../crypto/primitives.js';
import { AppError } from '../../errors/app-error.js';
import type { Database } from '../../store/base/database.js';
import {
  awaitIdempotencyKey,
  type IdempotencyReservation,
  type IdempotencyRow,
  idempotencyKeys,
  type KeptAnswer,
  keptAnswer,
  reserveIdempotencyKey,
} from '../models/idempotency.js';

export type { KeptAnswer } from '../models/idempotency.js';

interface AnswerMemoryDeps {
  readonly own: Database;
  readonly lifetime: () => number;
}

interface Remembered {
  readonly answer: KeptAnswer;
  readonly isReplay: boolean;
}

export class AnswerMemory {
  readonly #deps: AnswerMemoryDeps;
  readonly #running = new Set<string>();

  constructor(deps: AnswerMemoryDeps) {
    this.#deps = deps;
  }

  /** Throws idempotency_conflict when the key was used for another request or is not answered yet. */
  async answer(request: KeyedRequest, work: (seal: Seal<KeptAnswer>) => Promise<KeptAnswer>): Promise<Remembered> {
    const { id, fingerprint } = marksOf(request);
    if (this.#running.has(id)) throw stillRunning();
    this.#running.add(id);
    try {
      const { own, lifetime } = this.#deps;
      // Looked up before validation: the data may have changed since the first request.
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

export interface KeyedRequest {
  /** Kind and public id of the credential: one caller never sees the answer of another. */
  readonly actor: string;
  readonly method: string;
  readonly path: string;
  readonly key: string;
  /** In a fixed order: query, selecting headers, kind of the body. */
  readonly parameters: readonly string[];
  readonly body: Uint8Array | null;
}

interface RequestMarks {
  /** The same for every request of this caller to this route with this key. */
  readonly id: string;
  readonly fingerprint: string;
}

function marksOf({ actor, method, path, key, parameters, body }: KeyedRequest): RequestMarks {
  return {
    id: digestOf([actor, method, path, key]),
    fingerprint: digestOf([method, path, ...parameters, sha256Hex(body ?? '')]),
  };
}

/** JSON keeps the parts apart, whatever is in them. */
function digestOf(parts: readonly string[]): string {
  return sha256Hex(JSON.stringify(parts));
}

/** Another process has answered meanwhile; not a failure. */
class AnsweredBefore extends Error {
  readonly answer: KeptAnswer;

  constructor(answer: KeptAnswer) {
    super('the request was answered before');
    this.answer = answer;
  }
}

/** Every supported server takes a statement of this size, or can be configured to. */
const mostBytes = 4_194_304;
/** No request runs this long, so an older reservation is a leftover. */
const longestRequestMs = 60_000;
/** Reservations of others may end or appear between look-up and reservation. */
const mostLooks = 3;

/** `begin` throws AnsweredBefore and idempotency_conflict, `keep` payload_too_large. */
function makeKeySeal(request: Omit<IdempotencyReservation, 'claim'>): Seal<KeptAnswer> {
  const reservation = { ...request, claim: randomId() };
  const { id, claim, fingerprint } = reservation;
  return {
    async begin(tx) {
      for (let look = 0; look < mostLooks; look += 1) {
        const row = await idempotencyKeys.on(tx).lookUp({ id });
        // An earlier attempt of this very request committed it.
        if (row !== null && row.claim === claim && row.status === null) return;
        const answer = answerBefore(row, fingerprint);
        if (answer !== null) throw new AnsweredBefore(answer);
        const outcome = await reserveIdempotencyKey(tx, reservation, row);
        if (outcome === 'reserved') return;
        if (outcome === 'locked') break;
      }
      throw stillRunning();
    },
    async keep(tx, answer) {
      if (answer.body !== null && Buffer.byteLength(answer.body) > mostBytes) throw answerTooLarge(mostBytes);
      // Changes nothing when the reservation expired and another request has the row: that request's answer counts.
      await idempotencyKeys.on(tx).update({ ...answer }, { where: { id, claim } });
    },
    async find(tx) {
      const row = await awaitIdempotencyKey(tx, id);
      const isOurs = row !== null && !isExpired(row) && row.fingerprint === fingerprint;
      return isOurs ? (keptAnswer(row) ?? undefined) : undefined;
    },
    async release(tx) {
      await idempotencyKeys.on(tx).destroy({ where: { id, claim, status: null } });
    },
  };
}

function answerBefore(row: IdempotencyRow | null, fingerprint: string): KeptAnswer | null {
  if (row === null || isExpired(row)) return null;
  if (row.fingerprint !== fingerprint) throw usedOtherwise();
  const answer = keptAnswer(row);
  if (answer !== null) return answer;
  throw row.readOn - row.createdOn < longestRequestMs ? stillRunning() : outcomeUnknown();
}

function isExpired({ expiresOn, readOn }: IdempotencyRow): boolean {
  return expiresOn <= readOn;
}

function usedOtherwise(): AppError {
  return new AppError('idempotency_conflict', {
    message: 'This Idempotency-Key was used with another body (or other parameters): use a new key for a new request',
  });
}

/** Without a cause: the message of the database is not a reason to try again. */
function stillRunning(): AppError {
  return new AppError('idempotency_conflict', {
    message: 'A request with this Idempotency-Key is still being processed: repeat it later to get its answer',
    details: { retryAfter: 1 },
  });
}

/** Content and own tables were in two databases. */
function outcomeUnknown(): AppError {
  return new AppError('idempotency_conflict', {
    message:
      'The first request with this Idempotency-Key was interrupted, and it is not known whether it took effect: look for the record, and use a new key if it is not there',
  });
}

/** The change is undone: an answer that cannot be kept must not be sent. */
function answerTooLarge(most: number): AppError {
  return new AppError('payload_too_large', {
    message: `The answer is larger than the ${most} bytes that are kept for an Idempotency-Key, so nothing was changed: send less, or send no Idempotency-Key`,
  });
}
