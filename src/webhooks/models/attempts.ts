/**
 * Attempts to deliver that did not succeed. The one that succeeded is kept in the row of its delivery, because most
 * deliveries have no other.
 */
import { belongsTo } from '../../store/models/associations.js';
import { id, integer, orNull, text, time } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';
import { type DeliveryRow, deliveries } from './deliveries.js';

export type AttemptRow = Omit<RowOf<typeof attempts>, 'id'>;

const longestError = 300;
const longestAnswer = 1000;

export const attempts = defineModel('hcd_webhook_attempts', {
  id: id(),
  deliveryId: integer(),
  /** The first attempt is 1; a delivery that is queued again counts from 1 again. */
  number: integer(),
  /** Class of the outcome. */
  outcome: text(20),
  status: orNull(integer()),
  error: orNull(text(longestError)),
  /** Start of the answer's body. */
  answer: orNull(text(longestAnswer)),
  startedOn: time(),
  endedOn: time(),
  claim: text(32),
});

/** The delivery of an attempt. */
export const attemptDelivery = belongsTo(attempts, deliveries, {
  as: 'delivery',
  foreignKey: 'deliveryId',
  targetKey: 'id',
});

/** The attempt that succeeded, of a row that was delivered. */
export function successOf(
  row: Pick<DeliveryRow, 'id' | 'attempts' | 'lastStatus' | 'answer' | 'visibleAt' | 'tookMs' | 'claim'>,
): AttemptRow {
  const { id, attempts: number, lastStatus, answer, visibleAt, tookMs, claim } = row;
  const times = { startedOn: visibleAt - tookMs, endedOn: visibleAt };
  return { deliveryId: id, number, outcome: 'delivered', status: lastStatus, error: null, answer, ...times, claim };
}

/** As much of the start of an answer as is kept. */
export function cutAnswer(answer: string | null): string | null {
  return answer === '' ? null : cut(answer, longestAnswer);
}

/** As much of an error as is kept. */
export function cutError(error: string | null): string | null {
  return cut(error, longestError);
}

/** By characters, never through the middle of one. */
function cut(text: string | null, longest: number): string | null {
  if (text === null || text.length <= longest) return text;
  return [...text].slice(0, longest).join('');
}
