/**
 * Writing into `hcd_webhook_deliveries` when an event happens. The copies of address and secret are made inside the
 * database, so that however many subscriptions there are, a change costs the same few statements.
 */

import type { Tx } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/state/ledger.js';
import { parseJson } from '../../values/json.js';

interface EventList {
  readonly id: number;
  readonly events: readonly string[];
}

interface NewDeliveries {
  readonly subscriptionIds: readonly number[];
  readonly eventId: string;
  readonly event: string;
  readonly revision: number;
  readonly body: string;
}

/** Subscriptions of one INSERT: few enough texts of the statement for the memory of prepared ones. */
const together = 100;

/** What the active subscriptions want, the oldest first, and the time of the database. */
export async function readActiveEventLists(tx: Tx): Promise<{ lists: EventList[]; now: number }> {
  const rows = await tx.select({
    sql: `SELECT \`id\`, \`events\`, ${nowMilliseconds(tx.dialect)} FROM \`hcd_webhook_subscriptions\` WHERE \`active\` = 1 ORDER BY \`id\``,
    params: [],
  });
  return {
    lists: rows.map(([id, events]) => ({ id: Number(id), events: decodeEvents(String(events)) })),
    now: Number(rows[0]?.[2] ?? 0),
  };
}

/** Queues the event for each subscription; one that has it already keeps what it has. */
export async function insertDeliveries(tx: Tx, queued: NewDeliveries): Promise<void> {
  const { eventId, event, revision, body } = queued;
  const now = nowMilliseconds(tx.dialect);
  const left = [...queued.subscriptionIds];
  while (left.length > 0) {
    const ids = left.splice(0, together);
    const sql = `INSERT INTO \`hcd_webhook_deliveries\`
      (\`subscription_id\`, \`event_id\`, \`event\`, \`revision\`, \`body\`, \`url\`, \`secrets\`, \`visible_at\`, \`created_on\`)
      SELECT \`s\`.\`id\`, ?, ?, ?, ?, \`s\`.\`url\`, ${currentSecrets(tx.dialect, 's')}, ${now}, ${now}
      FROM \`hcd_webhook_subscriptions\` \`s\`
      WHERE \`s\`.\`id\` IN (${ids.map(() => '?').join(', ')}) ORDER BY \`s\`.\`id\` ${onceOnly(tx)}`;
    await tx.run({ sql, params: [eventId, event, revision, body, ...ids] });
  }
}

/** The sealed secrets that sign what is queued now: during a rotation the old one too, after a space. */
export function currentSecrets(dialect: Tx['dialect'], alias: string): string {
  const column = (name: string) => `\`${alias}\`.\`${name}\``;
  const [secret, previous] = [column('secret'), column('previous_secret')];
  const both = dialect === 'mariadb' ? `CONCAT(${secret}, ' ', ${previous})` : `${secret} || ' ' || ${previous}`;
  const isOverlap = `${previous} IS NOT NULL AND ${column('previous_ends_on')} > ${nowMilliseconds(dialect)}`;
  return `CASE WHEN ${isOverlap} THEN ${both} ELSE ${secret} END`;
}

/** Text that is no list of texts wants nothing: a damaged row must not stop every change of content. */
export function decodeEvents(text: string): readonly string[] {
  const value = parseJson(text);
  return Array.isArray(value) ? value.filter((event) => typeof event === 'string') : [];
}

function onceOnly({ dialect }: Tx): string {
  const id = '`hcd_webhook_deliveries`.`id`';
  return dialect === 'mariadb'
    ? `ON DUPLICATE KEY UPDATE ${id} = ${id}`
    : 'ON CONFLICT (`event_id`, `subscription_id`) DO NOTHING';
}
