/** Deliveries with copies of address, secrets and body. A failed attempt has a row; a success is in its delivery. */
import { Op } from 'sequelize';
import type { DialectName, Reader, Tx } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { type Column, id, integer, optional, orNull, text, time } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';
import { padded } from '../../values/batches.js';

/** A delivery can be claimed while it waits, and when the lease on it has ended. */
export const openStatuses = ['pending', 'delivering'] as const;
/** Final, until the delivery is queued again. */
export const doneStatuses = ['delivered', 'failed', 'cancelled'] as const;
export const deliveryStatuses = [...openStatuses, ...doneStatuses] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export type DeliveryRow = RowOf<typeof deliveries>;

export const deliveries = defineModel('hcd_webhook_deliveries', {
  id: id(),
  subscriptionId: integer(),
  eventId: text(32),
  event: text(128),
  revision: integer(),
  body: text(),
  url: text(2048),
  /** Sealed, the newest first. */
  secrets: {
    ...text(),
    decode: (stored): string[] => String(stored).split(' '),
    encode: (all: string[]) => all.join(' '),
  },
  status: optional({ ...text(), decode: statusOf }),
  /** When it is due, or its lease ends; of a finished one, when it was finished. */
  visibleAt: time(),
  /** Started attempts since it was queued last. */
  attempts: optional(integer()),
  claim: optional(text()),
  claimedBy: emptyIs('', text()),
  lastStatus: emptyIs(0, integer()),
  /** Milliseconds and answer of the attempt that succeeded. */
  tookMs: optional(integer()),
  answer: orNull(text(1000)),
  lastError: orNull(text(300)),
  createdOn: time(),
  traceparent: orNull(text(55)),
});

/** Columns of a fixed length, which MariaDB changes in place, are never NULL: `empty` means null. */
function emptyIs<T extends string | number>(empty: T, of: Column<T>): Column<T | null, true> {
  return {
    ...optional(of),
    decode: (stored) => (stored === empty ? null : of.decode(stored)),
    encode: (value) => value ?? empty,
  };
}

/** A text of another program shows as `failed`. */
function statusOf(stored: unknown): DeliveryStatus {
  return deliveryStatuses.find((status) => status === stored) ?? 'failed';
}

/** For hand-written statements. */
export const isOpen = `\`status\` IN (${openStatuses.map((status) => `'${status}'`).join(', ')})`;

/** Found by ids alone: with other conditions SQLite would walk along all open deliveries, perhaps a million. */
export async function lockDeliveries(tx: Tx, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const attributes = ['id', 'subscriptionId', 'status', 'visibleAt', 'attempts', 'lastStatus', 'lastError'] as const;
  const kept = [...attributes, 'answer', 'tookMs', 'claim'] as const;
  const params = padded(ids);
  const sql = `SELECT ${deliveries.selectList(tx, undefined, kept)} FROM \`hcd_webhook_deliveries\`${byIds(tx.dialect)}
    WHERE \`id\` IN (${params.map(() => '?').join(', ')}) ORDER BY \`id\`${tx.dialect === 'mariadb' ? ' FOR UPDATE' : ''}`;
  return (await tx.select({ sql, params })).map((row) => deliveries.decode(row, kept));
}

/** Also removed subscriptions; from one to the next along the index. */
export async function* receiversWith(reader: Reader, status: DeliveryStatus): AsyncGenerator<number> {
  for (let after = -1; ; ) {
    const next = await deliveries.on(reader).findOne({
      attributes: ['subscriptionId'],
      where: { status, subscriptionId: { [Op.gt]: after } },
      order: ['subscriptionId'],
    });
    if (next === null) return;
    after = next.subscriptionId;
    yield after;
  }
}

/** From eleven ids on SQLite would walk along all open rows; MariaDB may walk along a small table and lock its rows. */
export function byIds(dialect: DialectName): string {
  return dialect === 'sqlite' ? ' NOT INDEXED' : dialectOf(dialect).orderHint('PRIMARY');
}

export type AttemptRow = Omit<RowOf<typeof attempts>, 'id'>;

const longestError = 300;
const longestAnswer = 1000;

export const attempts = defineModel('hcd_webhook_attempts', {
  id: id(),
  deliveryId: integer(),
  /** The first attempt is 1; a delivery that is queued again counts from 1 again. */
  number: integer(),
  outcome: text(20),
  status: orNull(integer()),
  error: orNull(text(longestError)),
  answer: orNull(text(longestAnswer)),
  startedOn: time(),
  endedOn: time(),
  claim: text(32),
});

export function successOf(
  row: Pick<DeliveryRow, 'id' | 'attempts' | 'lastStatus' | 'answer' | 'visibleAt' | 'tookMs' | 'claim'>,
): AttemptRow {
  const { id, attempts: number, lastStatus, answer, visibleAt, tookMs, claim } = row;
  const times = { startedOn: visibleAt - tookMs, endedOn: visibleAt };
  return { deliveryId: id, number, outcome: 'delivered', status: lastStatus, error: null, answer, ...times, claim };
}

export function cutAnswer(answer: string | null): string | null {
  return answer === '' ? null : cut(answer, longestAnswer);
}

export function cutError(error: string | null): string | null {
  return cut(error, longestError);
}

/** By characters, never through the middle of one. */
function cut(text: string | null, longest: number): string | null {
  if (text === null || text.length <= longest) return text;
  return [...text].slice(0, longest).join('');
}
