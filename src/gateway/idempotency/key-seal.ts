/**
 * Keeps the answer to one keyed request in the transaction of its effect: the reservation is the first statement of the
 * mutation and the answer one of the last, so a crash leaves both or neither.
 */
import type { Seal } from '../../content/mutations/run-mutation.js';
import { randomId } from '../../crypto/random.js';
import { AppError } from '../../errors/app-error.js';
import {
  awaitIdempotencyKey,
  type IdempotencyReservation,
  type IdempotencyRow,
  idempotencyKeys,
  type KeptAnswer,
  keptAnswer,
  reserveIdempotencyKey,
} from '../models/idempotency.js';

/** Ends the work of a request that another process has answered meanwhile; no failure. */
export class AnsweredBefore extends Error {
  readonly answer: KeptAnswer;

  constructor(answer: KeptAnswer) {
    super('the request was answered before');
    this.answer = answer;
  }
}

/** Bytes of the body of an answer; every supported server takes a statement of this size, or can be configured to. */
const mostBytes = 4_194_304;
/** No request runs for so long, so a reservation that is older was left behind. */
const longestRequestMs = 60_000;
/** Reservations of others that end or come between looking and reserving. */
const mostLooks = 3;

/** The seal of one run of a request. `begin` throws AnsweredBefore and idempotency_conflict, `keep` payload_too_large. */
export function makeKeySeal(request: Omit<IdempotencyReservation, 'claim'>): Seal<KeptAnswer> {
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

/** The answer that the row holds for the request; null when the key is free. Throws idempotency_conflict. */
export function answerBefore(row: IdempotencyRow | null, fingerprint: string): KeptAnswer | null {
  if (row === null || isExpired(row)) return null;
  if (row.fingerprint !== fingerprint) throw usedOtherwise();
  const answer = keptAnswer(row);
  if (answer !== null) return answer;
  throw row.readOn - row.createdOn < longestRequestMs ? stillRunning() : outcomeUnknown();
}

function isExpired({ expiresOn, readOn }: IdempotencyRow): boolean {
  return expiresOn <= readOn;
}

/** The key belongs to a request that differs from this one. */
function usedOtherwise(): AppError {
  return new AppError('idempotency_conflict', {
    message: 'This Idempotency-Key was used with another body (or other parameters): use a new key for a new request',
  });
}

/** The first request has not been answered yet. Carries no cause: the message of the database is not a reason to try again. */
export function stillRunning(): AppError {
  return new AppError('idempotency_conflict', {
    message: 'A request with this Idempotency-Key is still being processed: repeat it later to get its answer',
    details: { retryAfter: 1 },
  });
}

/** The first request was cut off where content and own tables lie in two databases. */
function outcomeUnknown(): AppError {
  return new AppError('idempotency_conflict', {
    message:
      'The first request with this Idempotency-Key was interrupted, and it is not known whether it took effect: look for the record, and use a new key if it is not there',
  });
}

/** The change is undone: an answer that cannot be kept must not be given. */
function answerTooLarge(most: number): AppError {
  return new AppError('payload_too_large', {
    message: `The answer is larger than the ${most} bytes that are kept for an Idempotency-Key, so nothing was changed: send less, or send no Idempotency-Key`,
  });
}
