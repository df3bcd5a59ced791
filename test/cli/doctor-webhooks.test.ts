/**
 * What `hcd doctor` finds about webhooks: secrets, receivers, a missing worker, open networks; and that it makes
 * nothing.
 */
import { beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';

interface Row {
  readonly check: string;
  readonly state: string;
  readonly detail: string;
  readonly fix: string | null;
}

const open = { clock: systemClock, env: { HCD_GATEWAY_WEBHOOK_ALLOW_PRIVATE_URLS: '1' } };

describeEachDatabase('hcd doctor about webhooks', (kind) => {
  let db: CliDatabase;
  beforeEach(async () => {
    db = await prepareCliDatabase(await kind.url());
  });

  const find = async (check: string, env: Readonly<Record<string, string>> = {}): Promise<Omit<Row, 'check'>[]> => {
    const { data } = (await db.json('doctor', { clock: systemClock, env })) as { data: Row[] };
    return data.filter((row) => row.check === check).map(({ check: _check, ...rest }) => rest);
  };

  test('finds nothing where there is nothing, and makes no root secret', async () => {
    expect(await find('webhooks')).toEqual([{ state: 'ok', detail: '0 active subscriptions', fix: null }]);
    expect(await find('webhook-worker')).toEqual([{ state: 'ok', detail: 'no delivery is overdue', fix: null }]);
    expect(await find('webhook-networks')).toEqual([
      { state: 'ok', detail: 'deliveries go to public addresses and to named networks only', fix: null },
    ]);
    expect(await db.rows("SELECT COUNT(*) FROM hcd_state WHERE `key` = 'root_secret'")).toEqual([[0]]);
  });

  test('names the subscriptions whose secret cannot be read', async () => {
    for (const host of ['a', 'b']) await db.run(`webhook add --url https://${host}.example/ --events *`);
    expect(await find('webhooks')).toEqual([{ state: 'ok', detail: '2 active subscriptions', fix: null }]);
    const problem = (detail: string, first: number) => [
      {
        state: 'error',
        detail: `${detail} stored under another root secret, and no delivery can be signed`,
        fix: `Set HCD_SECRET as it was, or give each a new secret: hcd webhook rotate-secret ${first}`,
        command: { path: 'webhook rotate-secret', arguments: [`${first}`], options: {} },
      },
    ];
    const both = problem('2 subscriptions have secrets that cannot be decrypted (1, 2): they were', 1);
    expect(await find('webhooks', { HCD_SECRET: 'another root secret of some length' })).toEqual(both);
    await db.sql("UPDATE hcd_webhook_subscriptions SET secret = 'damaged' WHERE id = 2");
    expect(await find('webhooks')).toEqual(
      problem('1 subscription has a secret that cannot be decrypted (2): it was', 2),
    );
    await db.sql("DELETE FROM hcd_state WHERE `key` = 'root_secret'");
    expect(await find('webhooks')).toEqual(both);
  });

  test('names receivers that only fail and those that were disabled, but not what a person turned off', async () => {
    const receiver = await startWebhookReceiver();
    for (let count = 0; count < 4; count += 1) await db.run(`webhook add --url ${receiver.url} --events *`, open);
    receiver.answerWith(() => 500);
    await db.run('webhook test 1', open);
    receiver.answerWith(() => 410);
    await db.run('webhook test 2', open);
    await db.run('webhook disable 3');
    expect(await find('webhooks')).toEqual([
      {
        state: 'warning',
        detail: expect.stringMatching(/^the receiver of subscription 1 has failed once, since \d{4}-\S+Z$/),
        fix: 'hcd delivery list --webhook 1 shows why; after 5 days of nothing but failures it is disabled',
        command: { path: 'delivery list', arguments: [], options: { webhook: '1' } },
      },
      {
        state: 'warning',
        detail: 'subscription 2 was disabled: The receiver answered 410 Gone',
        fix: 'When the receiver works again: hcd webhook enable 2, then hcd webhook test 2',
        command: { path: 'webhook enable', arguments: ['2'], options: {} },
      },
    ]);
  });

  test('says when no worker seems to run', async () => {
    await db.run('webhook add --url https://a.example/ --events *');
    await db.run('webhook test 1 --queue');
    expect(await find('webhook-worker')).toMatchObject([{ state: 'ok' }]);
    await db.sql('UPDATE hcd_webhook_deliveries SET visible_at = visible_at - 3600000');
    expect(await find('webhook-worker')).toEqual([
      {
        state: 'warning',
        detail: 'deliveries are 60 minutes overdue (subscriptions 1): no worker seems to run',
        fix: 'Run hcd worker as a service, or hcd worker --once from cron every minute',
      },
    ]);
  });

  test('warns of open networks on the database of an existing site', async () => {
    const env = { HCD_GATEWAY_WEBHOOK_ALLOW_PRIVATE_URLS: '1' };
    expect(await find('webhook-networks', env)).toMatchObject([
      { state: 'ok', detail: expect.stringMatching(/suits development$/) },
    ]);
    // Without these the content tables belong to another program.
    await db.sql("DELETE FROM hcd_migrations WHERE name LIKE '%-content-%'");
    expect(await find('webhook-networks', env)).toEqual([
      {
        state: 'warning',
        detail: 'gateway_webhook_allow_private_urls is on: deliveries may go to any address of the network',
        fix: 'Name what is needed in gateway_webhook_allowed_networks, and set gateway_webhook_allow_private_urls 0',
        command: { path: 'setting set', arguments: ['gateway_webhook_allow_private_urls', '0'], options: {} },
      },
    ]);
  });

  test('checks nothing before the migrations have run', async () => {
    await db.sql('DROP TABLE hcd_webhook_deliveries');
    expect(await find('webhook-worker')).toEqual([
      { state: 'ok', detail: 'there is no table hcd_webhook_deliveries yet', fix: null },
    ]);
    await db.sql('DROP TABLE hcd_webhook_subscriptions');
    expect(await find('webhooks')).toEqual([
      { state: 'ok', detail: 'there is no table hcd_webhook_subscriptions yet', fix: null },
    ]);
  });
});
