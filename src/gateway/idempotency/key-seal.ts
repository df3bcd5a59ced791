/**
 * Keeps the answer to one keyed request in the transaction of its effect: the reservation is the first statement of the
 * mutation and the answer one of the last, so a crash leaves both or neither.
 */

import type { Seal } from '../../content/mutations/run-mutation.js';
import { randomId } from '../../crypto/random.js';
import type { Tx } from '../../store/base/database.js';
import {
  awaitIdempotencyKey,
  completeIdempotencyKey,
  type IdempotencyReservation,
  type IdempotencyRow,
  type ReservationOutcome,
  readIdempotencyKey,
  releaseIdempotencyKey,
  replaceExpiredIdempotencyKey,
  reserveIdempotencyKey,
} from '../rows/idempotency.js';
import type { StoredAnswer } from './keyed-request.js';
import { answerTooLarge, outcomeUnknown, stillRunning, usedOtherwise } from './refusals.js';

/** Ends the work of a request that another process has answered meanwhile; no failure. */
export class AnsweredBefore extends Error {
  readonly answer: StoredAnswer;

  constructor(answer: StoredAnswer) {
    super('the request was answered before');
    this.answer = answer;
  }
}

/** Bytes of the body of an answer; every supported server takes a statement of this size, or can be told to. */
const mostBytes = 4_194_304;
/** No request runs for so long, so a reservation that is older was left behind. */
const longestRequestMs = 60_000;
/** Reservations of others that end or come between looking and reserving. */
const mostLooks = 3;

/** The seal of one run of a request. `begin` throws AnsweredBefore and idempotency_conflict, `keep` payload_too_large. */
export function makeKeySeal(request: Omit<IdempotencyReservation, 'claim'>): Seal<StoredAnswer> {
  const reservation = { ...request, claim: randomId() };
  const { id, claim, fingerprint } = reservation;
  return {
    async begin(tx) {
      for (let look = 0; look < mostLooks; look += 1) {
        const row = await readIdempotencyKey(tx, id);
        // An earlier attempt of this very request committed it.
        if (row !== null && row.claim === claim && row.answer === null) return;
        const answer = answerBefore(row, fingerprint);
        if (answer !== null) throw new AnsweredBefore(answer);
        const outcome = await reserve({ tx, row, reservation });
        if (outcome === 'reserved') return;
        if (outcome === 'locked') break;
      }
      throw stillRunning();
    },
    async keep(tx, answer) {
      if (answer.body !== null && Buffer.byteLength(answer.body) > mostBytes) throw answerTooLarge(mostBytes);
      await completeIdempotencyKey(tx, reservation, answer);
    },
    async find(tx) {
      const row = await awaitIdempotencyKey(tx, id);
      const isOurs = row !== null && !row.isExpired && row.fingerprint === fingerprint;
      return isOurs ? (row.answer ?? undefined) : undefined;
    },
    release: (tx) => releaseIdempotencyKey(tx, reservation),
  };
}

interface ReserveQuestion {
  readonly tx: Tx;
  /** What stands in the place now: nothing, or a row that has expired. */
  readonly row: IdempotencyRow | null;
  readonly reservation: IdempotencyReservation;
}

function reserve({ tx, row, reservation }: ReserveQuestion): Promise<ReservationOutcome> {
  return row === null ? reserveIdempotencyKey(tx, reservation) : replaceExpiredIdempotencyKey(tx, reservation);
}

/** The answer that the row holds for the request; null when the key is free. Throws idempotency_conflict. */
export function answerBefore(row: IdempotencyRow | null, fingerprint: string): StoredAnswer | null {
  if (row === null || row.isExpired) return null;
  if (row.fingerprint !== fingerprint) throw usedOtherwise();
  if (row.answer !== null) return row.answer;
  throw row.ageMs < longestRequestMs ? stillRunning() : outcomeUnknown();
}
