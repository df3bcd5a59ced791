/** Queues an event in the transaction of its change, so that the two are kept or lost together. */
import { randomId } from '../../crypto/primitives.js';
import type { Sealer } from '../../crypto/seal.js';
import { type Database, repeatable, type Tx } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/base/dialect.js';
import { bumpContentGeneration, createStateIfAbsent } from '../../store/state/state.js';
import { batchesOf } from '../../values/batches.js';
import type { DeliveryRow } from '../models/deliveries.js';
import {
  changeSubscription,
  insertSubscription,
  noFailures,
  signingSecrets,
  subscriptions,
} from '../models/subscriptions.js';
import { type EventFacts, eventBody, eventName, wantsEvent } from '../rules/events.js';

interface EnqueueOptions {
  /** An event with the same id is queued once for each subscription. Default: a new id. */
  readonly eventId?: string;
  /** For tests of a subscription; ignores its list of events. */
  readonly onlyFor?: number;
  /** Generation of the content that the event announces. Default: the next one. */
  readonly revision?: () => Promise<number>;
}

interface QueuedEvent {
  readonly eventId: string;
  readonly subscriptionIds: readonly number[];
}

/** Raising the generation locks until the commit, so numbers grow in the order in which changes take effect. */
export async function enqueue(tx: Tx, facts: EventFacts, options: EnqueueOptions = {}): Promise<QueuedEvent | null> {
  return (await enqueueAll(tx, [facts], options))[0] ?? null;
}

export async function enqueueAll(
  tx: Tx,
  all: readonly EventFacts[],
  options: EnqueueOptions = {},
): Promise<readonly QueuedEvent[]> {
  const active = await subscriptions
    .on(tx)
    .lookUpAll({ active: true }, { attributes: ['id', 'events', 'readOn'], order: ['id'] });
  const queued: QueuedEvent[] = [];
  for (const facts of all) {
    const name = eventName(facts);
    const wanting = active.filter(({ id, events }) =>
      options.onlyFor === undefined ? wantsEvent(events, name) : id === options.onlyFor,
    );
    const [first] = wanting;
    if (first === undefined) continue;
    const eventId = options.eventId ?? randomId();
    const revision = await (options.revision?.() ?? bumpContentGeneration(tx));
    const body = eventBody(facts, { id: eventId, createdOn: first.readOn, revision });
    const subscriptionIds = wanting.map(({ id }) => id);
    await insertDeliveries(tx, { subscriptionIds, eventId, event: name, revision, body });
    queued.push({ eventId, subscriptionIds });
  }
  return queued;
}

type NewDeliveries = Pick<DeliveryRow, 'eventId' | 'event' | 'revision' | 'body'> & {
  readonly subscriptionIds: readonly number[];
};

/** Few enough texts of the statement for the memory of prepared ones. */
const batchSize = 100;

/** Copies are made inside the database, by the same few statements for any number of subscriptions. */
export async function insertDeliveries(tx: Tx, queued: NewDeliveries): Promise<void> {
  const { eventId, event, revision, body } = queued;
  const now = nowMilliseconds(tx.dialect);
  for (const ids of batchesOf(queued.subscriptionIds, batchSize)) {
    const sql = `INSERT INTO \`hcd_webhook_deliveries\`
      (\`subscription_id\`, \`event_id\`, \`event\`, \`revision\`, \`body\`, \`traceparent\`, \`url\`, \`secrets\`, \`visible_at\`, \`created_on\`)
      SELECT \`s\`.\`id\`, ?, ?, ?, ?, ?, \`s\`.\`url\`, ${signingSecrets(tx.dialect)}, ${now}, ${now}
      FROM \`hcd_webhook_subscriptions\` \`s\`
      WHERE \`s\`.\`id\` IN (${ids.map(() => '?').join(', ')}) ORDER BY \`s\`.\`id\` ${onceOnly(tx)}`;
    await tx.run({ sql, params: [eventId, event, revision, body, tx.traceparent ?? null, ...ids] });
  }
}

function onceOnly({ dialect }: Tx): string {
  const id = '`hcd_webhook_deliveries`.`id`';
  return dialect === 'mariadb'
    ? `ON DUPLICATE KEY UPDATE ${id} = ${id}`
    : 'ON CONFLICT (`event_id`, `subscription_id`) DO NOTHING';
}

export interface SettingReceiver {
  readonly setting: string;
  readonly event: string;
  readonly url: string;
  /** Empty: messages are not signed. */
  readonly secret: string;
}

/** Null while the subscription is disabled. */
export async function prepareReceiver(
  own: Database,
  receiver: SettingReceiver,
  sealer: Sealer,
): Promise<number | null> {
  const { setting, event, url, secret } = receiver;
  const createdBy = `setting ${setting}`;
  const [row] = await subscriptions.on(own.primary).lookUpAll({ createdBy }, { order: ['id'], limit: 1 });
  if (row === undefined) {
    const made = { name: setting, url, events: [event], secret: sealer.seal(secret), active: true, createdBy };
    await own.write(async (tx) => {
      // The row is held until the end of the transaction, so only one process creates the subscription.
      await createStateIfAbsent(tx, `receiver of ${setting}`, 'made');
      if ((await subscriptions.on(tx).count({ where: { createdBy } })) === 0) await insertSubscription(tx, made);
    }, repeatable);
    return prepareReceiver(own, receiver, sealer);
  }
  const opened = sealer.unseal(row.secret);
  const isSameSecret = opened.kind === 'opened' && opened.text === secret;
  if (row.url !== url || !isSameSecret) {
    const moved = row.url === url ? {} : { url, ...noFailures };
    const sealed = { secret: sealer.seal(secret), previousSecret: null, previousEndsOn: null };
    const changes = { ...moved, ...(isSameSecret ? {} : sealed) };
    await own.write((tx) => changeSubscription(tx, row.id, changes), repeatable);
  }
  return row.active ? row.id : null;
}
