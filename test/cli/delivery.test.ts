/** `hcd delivery`: what is shown in each form, sending again, removing, and every refusal. */
import { beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';
import { printed, refused } from './outcomes.js';
import { expectTranscript, steady } from './transcript.js';

const open = {
  clock: systemClock,
  env: { HCD_GATEWAY_WEBHOOK_ALLOW_PRIVATE_URLS: '1', HCD_GATEWAY_WEBHOOK_KEEP_ANSWERS: '1' },
};
const terminal = { columns: 160 };

interface Listed {
  readonly data: readonly Record<string, unknown>[];
  readonly meta: { readonly total: number };
}

describeEachDatabase('hcd delivery', (database) => {
  let db: CliDatabase;
  let receiver: WebhookReceiver;

  /** Deliveries 1 delivered, 2 failed, 3 cancelled (of subscription 2, which is inactive), 4 pending. */
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    db = await prepareCliDatabase(await database.url());
    for (const name of ['site', 'other']) {
      await db.run(`webhook add --url ${receiver.url} --events * --name ${name}`, open);
    }
    await db.run('webhook test 1', open);
    receiver.answerWith(() => 503);
    await db.run('webhook test 1', open);
    receiver.answerWith(() => 204);
    await db.run('webhook test 2 --queue');
    await db.run('webhook disable 2');
    await db.run('webhook test 1 --queue');
  });

  const list = async (flags = '') => (await db.json(`delivery list ${flags}`)) as Listed;
  const ids = async (flags: string) => (await list(flags)).data.map(({ id }) => id);
  const statusOf = async (id: number) =>
    ((await db.json(`delivery show ${id}`)) as { data: { status: string } }).data.status;

  describe('looking', () => {
    test('list shows the newest first, as a table or separated by tabs', async () => {
      await expectTranscript(db, 'delivery-list-terminal', ['delivery list'], { terminal, steady });
      await expectTranscript(db, 'delivery-list', ['delivery list --status delivered'], { steady });
    });

    test.each([
      ['--status pending', [4]],
      ['--webhook 1', [4, 2, 1]],
      ['--webhook 1 --status failed', [2]],
      ['--event webhook.test', [4, 3, 2, 1]],
      ['--event resources.updated', []],
      ['--webhook 9', []],
      ['--limit 2', [4, 3]],
      ['--limit 2 --offset 2', [2, 1]],
    ])('list %s', async (flags, expected) => {
      expect(await ids(flags)).toEqual(expected);
    });

    test('list counts all that fit, and says so on a terminal', async () => {
      expect((await list('--limit 1 --webhook 1')).meta).toEqual({ total: 3 });
      expect((await db.run('delivery list --limit 1 --webhook 1', { terminal })).stderr).toBe('1 of 3 shown.\n');
      expect((await db.run('delivery list --webhook 9', { terminal })).stderr).toBe('No matching deliveries.\n');
    });

    test('show has the attempts and the exact body', async () => {
      const [, attempt] = receiver.received;
      const { data } = (await db.json('delivery show 2')) as { data: Record<string, unknown> };
      expect([data['event_id'], data['body']]).toEqual([attempt?.headers['webhook-id'], attempt?.body]);
      const steadily = (text: string) =>
        steady(text.replaceAll(receiver.url, 'RECEIVER').replaceAll('+00:00', 'Z')).replace(
          /("duration_ms": ?|<time> )\d+/g,
          '$1<ms>',
        );
      const lines = ['delivery show 2', 'delivery show 2 --json'];
      await expectTranscript(db, 'delivery-show', lines, { steady: steadily });
    });

    test.each(['show', 'retry'])('%s refuses an unknown id and an invalid one', async (verb) => {
      expect(await db.run(`delivery ${verb} 99`)).toEqual(
        refused('hcd: There is no delivery 99; hcd delivery list shows the latest\n'),
      );
      expect((await db.run(`delivery ${verb} 0`)).code).toBe(2);
    });

    test('refuses wrong usage with the accepted values', async () => {
      await expectTranscript(db, 'refused/delivery-usage', [
        'delivery list --status sent',
        'delivery list --limit 0',
        'delivery replay',
        'delivery prune --days -1',
      ]);
    });
  });

  describe('sending again', () => {
    test('retry queues a finished delivery again, with the current URL', async () => {
      await db.run(`webhook update 1 --url ${receiver.url}/new`, open);
      expect(await db.run('delivery retry 2')).toEqual(
        printed(`Queued delivery 2 (webhook.test) for ${receiver.url}/new. Send it now: hcd worker --once\n`),
      );
      expect(await db.json('delivery retry 1')).toMatchObject({ data: { id: 1, status: 'pending', attempts: 0 } });
      const before = receiver.received.length;
      await db.run('worker --once', open);
      const again = receiver.received.slice(before);
      // Deliveries that are queued again go to the new address; the one that waited keeps its old address.
      expect(again.map(({ path }) => path).sort()).toEqual(['/hook', '/hook/new', '/hook/new']);
      const sent = again.find(({ headers }) => headers['x-gateway-delivery-id'] === '2');
      expect(sent?.headers['webhook-id']).toBe(receiver.received[1]?.headers['webhook-id']);
      expect(await ids('--status delivered')).toEqual([4, 2, 1]);
    });

    test('retry refuses a delivery of an inactive subscription', async () => {
      expect(await db.run('delivery retry 3')).toEqual(
        refused('hcd: The subscription 2 is inactive; turn it on: hcd webhook enable 2\n'),
      );
    });

    test('replay queues what was given up or cancelled, of active subscriptions', async () => {
      const message = (count: number) =>
        `Queued deliveries: ${count}.${count === 0 ? '' : ' Send them now: hcd worker --once'}\n`;
      expect((await db.run('delivery replay --since 2020-01-01')).stdout).toBe(message(0));
      await db.run('webhook enable 2');
      expect((await db.run('delivery replay --since 2037-01-01')).stdout).toBe(message(0));
      expect((await db.run('delivery replay --since 2020-01-01 --webhook 1')).stdout).toBe(message(0));
      expect((await db.run('delivery replay --since 2020-01-01')).stdout).toBe(message(1));
      expect(await statusOf(3)).toBe('pending');
      expect(await db.json('delivery replay --since 2020-01-01 --webhook 1 --with-delivered')).toEqual({
        data: { queued: 3 },
      });
      const unknown = await db.run('delivery replay --since 2020-01-01 --webhook 9');
      expect([unknown.code, unknown.stderr]).toEqual([
        1,
        'hcd: There is no webhook subscription 9; hcd webhook list shows every subscription\n',
      ]);
      await db.run('worker --once', open);
    });

    test('replay asks on a terminal how many, and not with --yes', async () => {
      const no = await db.run('delivery replay --since 2020-01-01 --with-delivered', { terminal, stdin: 'n\r' });
      expect([no.code, no.stdout]).toEqual([1, '']);
      expect(no.stderr).toContain('Send 4 deliveries again that were created since 2020-01-01T00:00:00Z?');
      expect(no.stderr).toContain('Nothing was changed');
      expect(await ids('--status pending')).toEqual([]);
      const nothing = await db.run('delivery replay --since 2020-01-01', { terminal });
      expect([nothing.code, nothing.stderr]).toEqual([0, '']);
      await db.run('delivery replay --since 2020-01-01 --with-delivered --yes', { terminal });
      expect(await ids('--status pending')).toEqual([4, 3, 2, 1]);
      await db.run('worker --once', open);
    });
  });

  describe('removing', () => {
    test('prune removes nothing before its time, asks on a terminal, and never takes what waits', async () => {
      await db.run('webhook test 1 --queue');
      expect(await db.run('delivery prune --yes')).toEqual(
        printed('Removed deliveries that finished more than 30 days ago: 0.\n'),
      );
      await db.sql(
        "UPDATE hcd_webhook_deliveries SET visible_at = visible_at - 86400000 * 10 WHERE status <> 'pending' AND id < 3",
      );
      const no = await db.run('delivery prune --days 9', { terminal, stdin: 'n\r' });
      expect([no.code, no.stderr.includes('Remove 2 deliveries that finished more than 9 days ago?')]).toEqual([
        1,
        true,
      ]);
      expect(await db.json('delivery prune --yes', { env: { HCD_GATEWAY_WEBHOOK_RETENTION_DAYS: '9' } })).toEqual({
        data: { removed: 2, days: 9 },
      });
      // Finished in an earlier millisecond.
      expect(await db.json('delivery prune --days 0 --yes')).toEqual({ data: { removed: 2, days: 0 } });
      expect((await list()).data).toMatchObject([{ id: 5, status: 'pending' }]);
      expect(await db.rows('SELECT COUNT(*) FROM hcd_webhook_attempts')).toEqual([[0]]);
    });
  });
});
