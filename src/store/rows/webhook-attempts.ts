/** Rows of `hcd_webhook_attempts`: one per attempt to deliver. Times are Unix milliseconds. */
import type { RawRow, Reader, Tx } from '../database.js';

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
/** Rows of one INSERT. */
const together = 32;
const longestError = 300;
const longestAnswer = 1000;

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
        cut(one.answer, longestAnswer),
        one.startedOn,
        one.endedOn,
        one.claim,
      ]),
    });
  }
}

/** Whether the attempt that was made under this claim is there. */
export async function hasAttempt(
  reader: Reader,
  { deliveryId, claim }: Pick<AttemptRow, 'deliveryId' | 'claim'>,
): Promise<boolean> {
  const rows = await reader.select({
    sql: 'SELECT 1 FROM `hcd_webhook_attempts` WHERE `delivery_id` = ? AND `claim` = ? LIMIT 1',
    params: [deliveryId, claim],
  });
  return rows.length > 0;
}

/** The attempts of one delivery, the oldest first. */
export async function readAttempts(reader: Reader, deliveryId: number): Promise<AttemptRow[]> {
  const rows = await reader.select({
    sql: `SELECT ${columns} FROM \`hcd_webhook_attempts\` WHERE \`delivery_id\` = ? ORDER BY \`id\``,
    params: [deliveryId],
  });
  return rows.map(decodeAttempt);
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
