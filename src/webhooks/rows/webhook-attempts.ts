/**
 * Attempts to deliver. The one that succeeded is kept in its row of `hcd_webhook_deliveries`, because most deliveries have
 * no other; each of the others has a row in `hcd_webhook_attempts`. Times are Unix milliseconds.
 */
import type { RawRow, Reader, Tx } from '../../store/base/database.js';
import { byIds } from './webhook-id-list.js';

export interface AttemptRow {
  readonly deliveryId: number;
  /** The first attempt is 1; a delivery that is queued again counts from 1 again. */
  readonly number: number;
  /** Class of the outcome. */
  readonly outcome: string;
  readonly status: number | null;
  readonly error: string | null;
  /** Start of the answer's body. */
  readonly answer: string | null;
  readonly startedOn: number;
  readonly endedOn: number;
  readonly claim: string;
}

const columns = '`delivery_id`, `number`, `outcome`, `status`, `error`, `answer`, `started_on`, `ended_on`, `claim`';
/** The same of a row of `hcd_webhook_deliveries` that was delivered. */
const ofDelivered =
  "`id`, `attempts`, 'delivered', `last_status`, NULL, `answer`, `visible_at` - `took_ms`, `visible_at`, `claim`";
/** Rows of one INSERT. */
const together = 32;
const longestError = 300;
const longestAnswer = 1000;

/** All attempts as one table, for people and proofs; no statement of a worker reads it. */
export const everyAttempt = `(SELECT ${columns} FROM \`hcd_webhook_attempts\`
  UNION ALL SELECT ${ofDelivered} FROM \`hcd_webhook_deliveries\` WHERE \`status\` = 'delivered') AS \`every_attempt\``;

/** Adds the attempts; texts that are too long are cut. */
export async function insertAttempts(tx: Tx, attempts: readonly AttemptRow[]): Promise<void> {
  const left = [...attempts];
  while (left.length > 0) {
    const part = left.splice(0, together);
    const marks = part.map(() => '(?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ');
    await tx.run({
      sql: `INSERT INTO \`hcd_webhook_attempts\` (${columns}) VALUES ${marks}`,
      params: part.flatMap((one) => [
        one.deliveryId,
        one.number,
        one.outcome,
        one.status,
        cut(one.error, longestError),
        cutAnswer(one.answer),
        one.startedOn,
        one.endedOn,
        one.claim,
      ]),
    });
  }
}

/** Gives the attempts that succeeded rows of their own, before their deliveries are queued anew. */
export async function keepSuccesses(tx: Tx, deliveryIds: readonly number[]): Promise<void> {
  await tx.run({
    // Locked, so that of two who queue the same delivery one finds it queued.
    sql: `INSERT INTO \`hcd_webhook_attempts\` (${columns}) SELECT ${ofDelivered} FROM \`hcd_webhook_deliveries\`${byIds(tx.dialect)}
      WHERE \`id\` IN (${deliveryIds.map(() => '?').join(', ')}) AND \`status\` = 'delivered'
        AND \`subscription_id\` IN (SELECT \`id\` FROM \`hcd_webhook_subscriptions\` WHERE \`active\` = 1)
      ORDER BY \`id\`${tx.dialect === 'mariadb' ? ' FOR UPDATE' : ''}`,
    params: [...deliveryIds],
  });
}

/** Whether the attempt that was made under this claim is there. */
export async function hasAttempt(
  reader: Reader,
  { deliveryId, claim }: Pick<AttemptRow, 'deliveryId' | 'claim'>,
): Promise<boolean> {
  const rows = await reader.select({
    sql: `SELECT 1 FROM \`hcd_webhook_attempts\` WHERE \`delivery_id\` = ? AND \`claim\` = ?
      UNION ALL SELECT 1 FROM \`hcd_webhook_deliveries\` WHERE \`id\` = ? AND \`claim\` = ? AND \`status\` = 'delivered'`,
    params: [deliveryId, claim, deliveryId, claim],
  });
  return rows.length > 0;
}

/** The attempts of one delivery, the oldest first. */
export async function readAttempts(reader: Reader, deliveryId: number): Promise<AttemptRow[]> {
  const others = await reader.select({
    sql: `SELECT ${columns} FROM \`hcd_webhook_attempts\` WHERE \`delivery_id\` = ? ORDER BY \`id\``,
    params: [deliveryId],
  });
  const last = await reader.select({
    sql: `SELECT ${ofDelivered} FROM \`hcd_webhook_deliveries\` WHERE \`id\` = ? AND \`status\` = 'delivered'`,
    params: [deliveryId],
  });
  return [...others, ...last].map(decodeAttempt);
}

/** The last attempt for a subscription that did not succeed; null when none is kept. */
export async function readLastFailure(reader: Reader, subscriptionId: number): Promise<AttemptRow | null> {
  const names = columns
    .split(', ')
    .map((name) => `\`a\`.${name}`)
    .join(', ');
  const rows = await reader.select({
    sql: `SELECT ${names} FROM \`hcd_webhook_attempts\` \`a\`
      JOIN \`hcd_webhook_deliveries\` \`d\` ON \`d\`.\`id\` = \`a\`.\`delivery_id\`
      WHERE \`d\`.\`subscription_id\` = ? AND \`a\`.\`outcome\` <> 'delivered' ORDER BY \`a\`.\`id\` DESC LIMIT 1`,
    params: [subscriptionId],
    heavy: true,
  });
  return rows[0] === undefined ? null : decodeAttempt(rows[0]);
}

/** As much of the start of an answer as is kept. */
export function cutAnswer(answer: string | null): string | null {
  return answer === '' ? null : cut(answer, longestAnswer);
}

/** By characters, never through the middle of one. */
export function cut(text: string | null, longest: number): string | null {
  if (text === null || text.length <= longest) return text;
  return [...text].slice(0, longest).join('');
}

function decodeAttempt(row: RawRow): AttemptRow {
  const [deliveryId, number, outcome, status, error, answer, startedOn, endedOn, claim] = row;
  return {
    deliveryId: Number(deliveryId),
    number: Number(number),
    outcome: String(outcome),
    status: status === null || status === undefined ? null : Number(status),
    error: error === null || error === undefined ? null : String(error),
    answer: answer === null || answer === undefined ? null : String(answer),
    startedOn: Number(startedOn),
    endedOn: Number(endedOn),
    claim: String(claim),
  };
}
