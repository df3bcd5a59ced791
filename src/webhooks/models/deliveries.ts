/**
 * Deliveries: each has copies of the address, the secrets and the exact body, taken when its event was queued. Attempts
 * that did not succeed have rows; the one that succeeded is kept in its delivery, because most have no other.
 */
import { Op } from 'sequelize';
import type { DialectName, Reader, Tx } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { type Column, id, integer, optional, orNull, text, time } from '../../store/models/columns.js';
import { belongsTo, defineModel, type RowOf } from '../../store/models/model.js';
import { subscriptions } from './subscriptions.js';

/**
 * The states of a delivery. Each begins a part of the index, so that a statement about several states names each of
 * them. A delivery can be claimed in the open ones: while it waits, and when the lease on it has ended.
 */
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
  /** Begun ones, since it was queued last. */
  attempts: optional(integer()),
  claim: optional(text()),
  claimedBy: emptyIs('', text()),
  lastStatus: emptyIs(0, integer()),
  /** Milliseconds and answer of the attempt that succeeded. */
  tookMs: optional(integer()),
  answer: orNull(text(1000)),
  lastError: orNull(text(300)),
  createdOn: time(),
  /** The trace that it continues; null where its event was raised without tracing. */
  traceparent: orNull(text(55)),
});

/** The subscription of a delivery; it may have been removed. */
export const receiver = belongsTo(deliveries, subscriptions, {
  as: 'receiver',
  foreignKey: 'subscriptionId',
  targetKey: 'id',
});

/** Columns of a fixed length, which MariaDB changes in place, are never NULL: `empty` means null. */
function emptyIs<T extends string | number>(empty: T, of: Column<T>): Column<T | null, true> {
  return {
    ...optional(of),
    decode: (stored) => (stored === empty ? null : of.decode(stored)),
    encode: (value) => value ?? empty,
  };
}

/** The program writes no other text; a text of another program shows as `failed`. */
function statusOf(stored: unknown): DeliveryStatus {
  return deliveryStatuses.find((status) => status === stored) ?? 'failed';
}

/** Of a row, for hand-written statements. */
export const isOpen = `\`status\` IN (${openStatuses.map((status) => `'${status}'`).join(', ')})`;

/**
 * The rows with these ids, which no other transaction changes until this one ends. Found by their ids alone: with other
 * conditions SQLite would walk along all open deliveries, which may be a million.
 */
export function lockDeliveries(tx: Tx, ids: readonly number[]) {
  const attributes = ['id', 'subscriptionId', 'status', 'visibleAt', 'attempts', 'lastStatus', 'lastError'] as const;
  const kept = [...attributes, 'answer', 'tookMs', 'claim'] as const;
  return deliveries.on(tx).lookUpAll({ id: ids }, { attributes: kept, order: ['id'], lock: true });
}

/** Subscriptions, also removed ones, that have deliveries in this state: from one to the next along the index. */
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

/** Placeholders for `IN (…)` and their values. */
interface IdList {
  readonly marks: string;
  readonly params: readonly number[];
}

/**
 * The ids and, up to the next power of two, the last one again: lists of few different lengths make few texts to keep
 * prepared, and a list says the same however often it names a row.
 */
export function idList(ids: readonly number[]): IdList {
  const last = ids.at(-1);
  if (last === undefined) throw new TypeError('a list of ids must not be empty');
  const params = [...ids, ...Array.from({ length: paddedLength(ids.length) - ids.length }, () => last)];
  return { marks: params.map(() => '?').join(', '), params };
}

/** The next power of two. */
export function paddedLength(length: number): number {
  return 2 ** Math.ceil(Math.log2(length));
}

/**
 * Text behind the name of the table in SELECT and UPDATE. From eleven ids on SQLite would rather walk along all that
 * are open; MariaDB may walk along a small table, so that workers wait for each other's rows.
 */
export function byIds(dialect: DialectName): string {
  return dialect === 'sqlite' ? ' NOT INDEXED' : dialectOf(dialect).orderHint('PRIMARY');
}

/** The same for statements that name states: by way of the index that begins with them, whatever statistics say. */
export function byStatus(dialect: DialectName): string {
  return dialect === 'sqlite' ? ' INDEXED BY `hcd_webhook_deliveries_due`' : dialectOf(dialect).orderHint('due');
}

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
