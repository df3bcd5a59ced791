/** Claims: several workers never send the same delivery, a lost lease changes nothing, the index is used. */
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { randomId } from '../../src/crypto/primitives.js';
import type { Database, Reader, Statement, Tx } from '../../src/store/base/database.js';
import { openStore } from '../../src/store/open/open.js';
import { databaseClock } from '../../src/webhooks/rules/deciding-time.js';
import { type ClaimedDelivery, claim, dueStatement, leaseMs, lookAhead } from '../../src/webhooks/worker/claim.js';
import type { Attempt } from '../../src/webhooks/worker/deliver.js';
import { type SettleDeps, settle } from '../../src/webhooks/worker/settle.js';
import { runWorker } from '../../src/webhooks/worker/worker.js';
import { describeEachDatabase } from '../support/databases.js';
import { answer, type Outbox, openOutbox, settings } from './outbox-store.js';

const delivered: Attempt = {
  outcome: 'delivered',
  status: 200,
  error: null,
  answer: null,
  retryAfter: null,
  durationMs: 1,
};
const refused: Attempt = { ...delivered, outcome: 'server_error', status: 500, error: 'HTTP 500' };

function claimsOf({ store, clock }: Outbox) {
  return { own: store.own, time: () => String(clock.now()), claimedBy: 'test', random: () => 0.5 };
}

function settleDeps({ store, clock }: Outbox): SettleDeps {
  const { gateway_webhook_max_attempts: max, gateway_webhook_disable_after_days: days } = settings;
  const numbers = { maxAttempts: () => max, disableAfterDays: () => days, random: () => 0.5 };
  return { own: store.own, time: () => String(clock.now()), ...numbers };
}

async function claimOne(outbox: Outbox, subscriptionId: number): Promise<ClaimedDelivery> {
  const shares = [{ subscriptionId, places: 1 }];
  const { won } = await claim(claimsOf(outbox), { shares, isCrowded: false, ended: new Set([subscriptionId]) });
  const [first] = won;
  if (first === undefined) throw new Error('nothing was claimed');
  return first;
}

describeEachDatabase('claims', (database) => {
  test('of four workers over 2,000 deliveries never meet: each is sent once', async () => {
    const outbox = await openOutbox(database);
    const ids = [await outbox.subscribe(), await outbox.subscribe({ events: ['resources.updated'] })];
    for (let part = 0; part < 10; part += 1) await outbox.raise(100);
    const sent = new Map<string, number>();
    const stores = await Promise.all(
      [0, 1, 2, 3].map(() => openStore({ databaseUrl: outbox.databaseUrl, prefix: 'modx_' })),
    );
    const send = async (request: { headers: Readonly<Record<string, string>> }) => {
      const id = request.headers['x-gateway-delivery-id'] ?? '';
      sent.set(id, (sent.get(id) ?? 0) + 1);
      await new Promise((resolve) => setImmediate(resolve));
      return answer(200);
    };
    const reports = await Promise.all(
      stores.map((store, at) =>
        runWorker(
          outbox.options(send, {
            own: store.own,
            name: `worker ${at}`,
            random: Math.random,
            clock: systemClock,
            time: databaseClock,
          }),
        ),
      ),
    );
    await Promise.all(stores.map((store) => store.close()));
    expect(ids.length).toBe(2);
    expect([sent.size, [...sent.values()].every((times) => times === 1)]).toEqual([2000, true]);
    const total = (name: 'claimed' | 'delivered' | 'lost') => reports.reduce((sum, report) => sum + report[name], 0);
    expect([total('claimed'), total('delivered'), total('lost')]).toEqual([2000, 2000, 0]);
    const left = (await outbox.deliveries('status, attempts')).filter(
      ({ status, attempts }) => status !== 'delivered' || attempts !== 1,
    );
    expect(left).toEqual([]);
    expect(await outbox.attempts('delivery_id')).toHaveLength(2000);
  });

  test('last for the lease, are taken over after it, and the first worker then changes nothing', async () => {
    const outbox = await openOutbox(database);
    const id = await outbox.subscribe();
    await outbox.raise();
    const first = await claimOne(outbox, id);
    expect(await outbox.deliveries('status, attempts, claimed_by')).toEqual([
      { status: 'delivering', attempts: 1, claimed_by: 'test' },
    ]);
    await outbox.clock.advance(leaseMs - 1);
    expect((await lookAhead(claimsOf(outbox))).due).toEqual([]);
    await outbox.clock.advance(1);
    expect((await lookAhead(claimsOf(outbox))).due).toEqual([{ subscriptionId: id, dueOn: outbox.clock.now() }]);
    const second = await claimOne(outbox, id);
    expect([second.id, second.attempts, second.body === first.body, second.claim === first.claim]).toEqual([
      first.id,
      2,
      true,
      false,
    ]);
    const late = await settle(settleDeps(outbox), [{ delivery: first, attempt: refused }]);
    expect(late.settled.map(({ as }) => as)).toEqual(['lost']);
    expect(await outbox.deliveries('status, attempts, claim')).toEqual([
      { status: 'delivering', attempts: 2, claim: second.claim },
    ]);
    await settle(settleDeps(outbox), [{ delivery: second, attempt: delivered }]);
    const again = await settle(settleDeps(outbox), [{ delivery: first, attempt: refused }]);
    expect(again.settled.map(({ as }) => as)).toEqual(['lost']);
    expect(await outbox.deliveries('status, attempts, last_error, visible_at')).toEqual([
      { status: 'delivered', attempts: 2, last_error: null, visible_at: outbox.clock.now() },
    ]);
    expect(await outbox.attempts('number, outcome, claim')).toEqual([
      { number: 1, outcome: 'server_error', claim: first.claim },
      { number: 1, outcome: 'server_error', claim: first.claim },
      { number: 2, outcome: 'delivered', claim: second.claim },
    ]);
  });

  test('of two workers that settle the same delivery at once count once', async () => {
    const outbox = await openOutbox(database);
    const id = await outbox.subscribe();
    await outbox.raise();
    const first = await claimOne(outbox, id);
    const ends = await Promise.all([
      settle(settleDeps(outbox), [{ delivery: first, attempt: delivered }]),
      settle(settleDeps(outbox), [{ delivery: first, attempt: refused }]),
    ]);
    expect(ends.flatMap(({ settled }) => settled.map(({ as }) => as)).filter((as) => as === 'lost')).toHaveLength(1);
  });

  test('are recorded once when COMMIT succeeded and its answer was lost', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise(2);
    const ended = [
      { delivery: await claimOne(outbox, 1), attempt: delivered },
      { delivery: await claimOne(outbox, 1), attempt: refused },
    ];
    const { own } = outbox.store;
    const unanswered: Database = Object.create(own, { primary: { value: own.primary } });
    unanswered.write = async (work, options) => {
      await own.write(work);
      const known = await own.write(async (tx) => options?.outcome?.(tx));
      return known === undefined ? own.write(work) : known;
    };
    const { settled } = await settle({ ...settleDeps(outbox), own: unanswered }, ended);
    expect(settled.map(({ as }) => as)).toEqual(['delivered', 'retry']);
    expect(await outbox.attempts('delivery_id, outcome')).toEqual([
      { delivery_id: 1, outcome: 'delivered' },
      { delivery_id: 2, outcome: 'server_error' },
    ]);
    expect(await outbox.rows('hcd_webhook_subscriptions', 'failures')).toEqual([{ failures: 1 }]);
  });

  test('take the share of each receiver, the oldest first, and no delivery of an inactive one', async () => {
    const outbox = await openOutbox(database);
    const [one, two] = [await outbox.subscribe(), await outbox.subscribe()];
    await outbox.raise(5);
    await outbox.run(`UPDATE \`hcd_webhook_subscriptions\` SET \`active\` = 0 WHERE \`id\` = ${two}`);
    const shares = [one, two].map((subscriptionId) => ({ subscriptionId, places: 3 }));
    const { won, missed } = await claim(claimsOf(outbox), { shares, isCrowded: false, ended: new Set() });
    expect([won.map(({ subscriptionId, attempts }) => [subscriptionId, attempts]), missed]).toEqual([
      [
        [one, 1],
        [one, 1],
        [one, 1],
      ],
      0,
    ]);
    const claimed = (await outbox.deliveries('id, subscription_id, status')).filter(
      ({ status }) => status === 'delivering',
    );
    expect(claimed.map(({ id }) => id)).toEqual(won.map(({ id }) => id));
    expect(won.map(({ id }) => id)).toEqual([...won.map(({ id }) => id)].sort((a, b) => a - b));
  });

  test('with an answer cut to what its columns hold keep the settlement', async () => {
    const outbox = await openOutbox(database);
    const id = await outbox.subscribe();
    await outbox.raise();
    const delivery = await claimOne(outbox, id);
    const attempt: Attempt = { ...refused, error: '€'.repeat(400), answer: '😀'.repeat(4000) };
    await settle(settleDeps(outbox), [{ delivery, attempt }]);
    const [row] = await outbox.deliveries('last_error, last_status');
    expect(row).toEqual({ last_error: '€'.repeat(300), last_status: 500 });
    const [kept] = await outbox.attempts('answer');
    expect([...String(kept?.['answer'])].length).toBe(1000);
  });
});

describeEachDatabase('what is done to claimed deliveries', (database) => {
  test('finds them by their ids, however many others wait', async () => {
    const outbox = await openOutbox(database);
    const subscriptionId = await outbox.subscribe();
    await outbox.raise(60);
    const { own, statements } = noteStatements(outbox.store.own);
    const shares = [{ subscriptionId, places: 40 }];
    const { won } = await claim({ ...claimsOf(outbox), own }, { shares, isCrowded: false, ended: new Set() });
    const ended = won.slice(0, 16).map((delivery) => ({ delivery, attempt: delivered }));
    await settle({ ...settleDeps(outbox), own }, ended);
    await settle(
      { ...settleDeps(outbox), own },
      won.slice(16).map((delivery) => ({ delivery, attempt: refused })),
    );
    // A claim changes and reads, and each settlement locks.
    const byIds = statements.filter(({ sql }) => /hcd_webhook_deliveries[\s\S]*`id` IN/.test(sql));
    expect(byIds).toHaveLength(4);
    for (const statement of byIds) {
      const plan = await outbox.store.own.write((tx) => explain(tx, statement));
      expect(plan).toMatch(database.name === 'mariadb' ? /\bPRIMARY\b/ : /USING INTEGER PRIMARY KEY/);
      expect(plan).not.toMatch(database.name === 'mariadb' ? /range due|ref due/ : /USING INDEX/);
    }
  });
});

describeEachDatabase('with 100,000 finished deliveries', (database) => {
  test('looking ahead and claiming walk the index of what is due and read no finished row', async () => {
    const outbox = await openOutbox(database);
    const subscriptionId = await outbox.subscribe();
    // In parts: a slow machine does not insert all of them within the time that one statement may take.
    for (let part = 0; part < 20; part += 1) await outbox.run(finishedRows({ subscriptionId, part }));
    await outbox.raise(20);
    const analyze = `ANALYZE ${database.name === 'mariadb' ? 'TABLE ' : ''}hcd_webhook_deliveries`;
    if (database.name === 'mariadb') await outbox.store.own.primary.select({ sql: analyze, params: [] });
    else await outbox.run(analyze);
    const due = dueStatement(outbox.store.own.dialect, {
      wanted: [{ subscriptionId, places: 4, withEnded: true }],
      time: String(outbox.clock.now()),
      spread: 1,
    });
    const plan = await explain(outbox.store.own.primary, { sql: due.sql, params: due.params });
    expect(plan).toMatch(database.name === 'mariadb' ? /\bdue\b/ : /hcd_webhook_deliveries_due/);
    expect(plan).not.toMatch(/filesort|TEMP B-TREE FOR ORDER|SCAN d\b/);
    const { own, statements } = noteStatements(outbox.store.own);
    const deps = { ...claimsOf(outbox), own };
    expect((await lookAhead(deps)).due).toHaveLength(1);
    const shares = [{ subscriptionId, places: 1 }];
    const { won } = await claim(deps, { shares, isCrowded: false, ended: new Set([subscriptionId]) });
    expect(won).toHaveLength(1);
    // What is due, twice; then what was chosen is changed and read.
    const onDeliveries = statements.filter(({ sql }) => sql.includes('hcd_webhook_deliveries'));
    expect(onDeliveries).toHaveLength(4);
    for (const statement of onDeliveries) {
      const found = await outbox.store.own.write((tx) => explain(tx, statement));
      expect(found).toMatch(
        database.name === 'mariadb' ? /\b(due|PRIMARY)\b/ : /hcd_webhook_deliveries_due|PRIMARY KEY/,
      );
      expect(found).not.toMatch(/filesort|TEMP B-TREE FOR ORDER|(SCAN (d|hcd_\w+)|\b(d|hcd_\w+) (ALL|index))\b/);
    }
  });
});

/** The same database, and every statement that it is given in transactions and on its primary. */
function noteStatements(own: Database): { readonly own: Database; readonly statements: readonly Statement[] } {
  const statements: Statement[] = [];
  const noted = <T>(ask: (statement: Statement) => T): ((statement: Statement) => T) => {
    return (statement) => {
      statements.push(statement);
      return ask(statement);
    };
  };
  const { primary } = own;
  const reader: Reader = {
    dialect: primary.dialect,
    select: noted((statement) => primary.select(statement)),
    query: (table, work) => primary.query(table, work),
  };
  const noting = Object.create(own, { primary: { value: reader } }) as Database;
  noting.write = (work, options) =>
    own.write((tx) => {
      const select: Tx['select'] = noted((statement) => tx.select(statement));
      return work({
        dialect: tx.dialect,
        select,
        run: noted((statement) => tx.run(statement)),
        query: (table, model) => tx.query(table, model),
      });
    }, options);
  return { own: noting, statements };
}

/** Inserts 5,000 rows. */
function finishedRows({ subscriptionId, part }: { readonly subscriptionId: number; readonly part: number }): string {
  const digits = `WITH d(n) AS (SELECT 0 ${[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `UNION ALL SELECT ${n}`).join(' ')}),
    s(n) AS (SELECT ${part * 5000} + d1.n + 10 * d2.n + 100 * d3.n + 1000 * d4.n FROM d d1, d d2, d d3, d d4 WHERE d4.n < 5)`;
  return `INSERT INTO hcd_webhook_deliveries
    (subscription_id, event_id, event, revision, body, url, secrets, status, visible_at, created_on)
    ${digits} SELECT ${subscriptionId}, CONCAT('${randomId().slice(0, 20)}', n), 'resources.updated', n, '{}', 'http://x/', 's', 'delivered', n, n FROM s`;
}

async function explain(
  reader: Reader,
  statement: { sql: string; params: readonly (string | number | bigint | null | Buffer)[] },
): Promise<string> {
  const word = reader.dialect === 'mariadb' ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN';
  const rows = await reader.select({ sql: `${word} ${statement.sql}`, params: statement.params });
  return rows.map((row) => row.join(' ')).join('\n');
}
