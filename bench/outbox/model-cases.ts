/** The hand-written statements of webhooks, and their versions with models. */
import { literal, Op } from 'sequelize';
import { randomId } from '../../src/crypto/random.js';
import type { Database } from '../../src/store/base/database.js';
import { fromNow } from '../../src/store/models/database-time.js';
import { pageOfIds } from '../../src/webhooks/administration/delivery-pages.js';
import { deliveries } from '../../src/webhooks/models/deliveries.js';
import { insertSubscription, subscriptions } from '../../src/webhooks/models/subscriptions.js';
import { insertDeliveries } from '../../src/webhooks/queue/enqueue.js';
import { databaseClock } from '../../src/webhooks/rules/deciding-time.js';
import { claim } from '../../src/webhooks/worker/claim.js';
import { finishReceived } from '../../src/webhooks/worker/settled-rows.js';

const receivers = 10;
const together = 16;
const pageLength = 50;

export async function webhookCases(db: Database) {
  const receiver = { name: null, url: 'http://127.0.0.1:9/', events: ['*'], secret: 'x', active: true };
  const ids = await db.write(async (tx) => {
    await deliveries.on(tx).destroy({ where: {} });
    await subscriptions.on(tx).destroy({ where: {} });
    const made: number[] = [];
    for (let at = 0; at < receivers; at += 1)
      made.push(await insertSubscription(tx, { ...receiver, createdBy: `bench ${at}` }));
    return made;
  });
  const [first = 0] = ids;
  const event = () => ({ eventId: randomId(), event: 'resources.updated', revision: 1, body: '{}' });
  await db.write(async (tx) => {
    for (let at = 0; at < 200; at += 1) await insertDeliveries(tx, { subscriptionIds: [first], ...event() });
  });
  const again = () =>
    db.write((tx) =>
      tx.run({ sql: 'UPDATE hcd_webhook_deliveries SET status = ?, visible_at = 0', params: ['pending'] }),
    );
  const time = databaseClock(db.dialect);
  const deps = { own: db, time: databaseClock, claimedBy: 'bench', random: () => 0 };
  // Before the case that queues, all deliveries are of one receiver.
  const question = {
    shares: [{ subscriptionId: first, places: together }],
    isCrowded: false,
    ended: new Set<number>(),
  };
  return [
    {
      name: `claim ${together} deliveries`,
      model: async () => {
        await again();
        await db.write(async (tx) => {
          const due = { subscriptionId: first, status: 'pending', visibleAt: { [Op.lte]: fromNow(tx) } } as const;
          const found = await deliveries
            .on(tx)
            .findAll({ attributes: ['id'], where: due, order: ['visibleAt', 'id'], limit: together });
          const where = { id: found.map(({ id }) => id) };
          const values = { status: 'delivering', claim: randomId(), visibleAt: fromNow(tx, 30_000) } as const;
          await deliveries.on(tx).update({ ...values, attempts: literal('`attempts` + 1') }, { where });
          return deliveries.on(tx).findAll({ where });
        });
      },
      sql: async () => {
        await again();
        await claim(deps, question);
      },
    },
    {
      name: `record ${together} deliveries that arrived`,
      model: async () => {
        await again();
        const { won } = await claim(deps, question);
        await db.write(async (tx) => {
          for (const [at, { id, claim: token }] of won.entries()) {
            const values = { status: 'delivered', visibleAt: fromNow(tx), tookMs: at, claimedBy: null } as const;
            await deliveries.on(tx).update(values, { where: { id, claim: token, status: 'delivering' } });
          }
        });
      },
      sql: async () => {
        await again();
        const { won } = await claim(deps, question);
        const rows = won.map(({ id }, at) => ({ id, tookMs: at, answer: null }));
        await db.write((tx) => finishReceived(tx, { rows, claim: won[0]?.claim ?? '', lastStatus: 200, time }));
      },
    },
    {
      name: `find a page of ${pageLength} deliveries`,
      model: () =>
        deliveries.on(db.primary).findAll({
          attributes: ['id'],
          where: { status: 'pending' },
          order: [['id', 'DESC']],
          limit: pageLength,
        }),
      sql: () =>
        pageOfIds(db.primary, {
          filter: { statuses: ['pending'], subscriptionId: null },
          limit: pageLength,
          offset: 0,
        }),
    },
    {
      name: `queue an event for ${receivers} subscriptions`,
      model: () =>
        db.write(async (tx) => {
          const rows = await subscriptions.on(tx).lookUpAll({ id: ids });
          const queued = rows.map(({ id, url, signingSecrets }) => ({
            ...{ ...event(), subscriptionId: id, url, secrets: [signingSecrets] },
            ...{ visibleAt: fromNow(tx), createdOn: fromNow(tx) },
          }));
          await deliveries.on(tx).bulkCreate(queued, {
            ignoreDuplicates: true,
            conflictAttributes: ['eventId', 'subscriptionId'],
          });
        }),
      sql: () => db.write((tx) => insertDeliveries(tx, { subscriptionIds: ids, ...event() })),
    },
  ];
}
