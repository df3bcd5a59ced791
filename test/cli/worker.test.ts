/** `hcd worker`: from a change to a receiver that verifies it, exit codes, limits, and two at once. */
import { Webhook } from 'standardwebhooks';
import { beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { seed } from '../support/seed.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';
import { noChores } from '../webhooks/outbox-store.js';

const env = { HCD_GATEWAY_WEBHOOK_ALLOW_PRIVATE_URLS: '1' };
const open = { clock: systemClock, env };

describeEachDatabase('hcd worker', (database) => {
  let db: CliDatabase;
  let receiver: WebhookReceiver;
  let secret: string;

  beforeEach(async () => {
    receiver = await startWebhookReceiver();
    db = await prepareCliDatabase(await database.url(), (store) =>
      seed(store, { site_content: [{ id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' }] }),
    );
    const added = (await db.json(`webhook add --url ${receiver.url} --events resources.updated`, open)) as {
      data: { secret: string };
    };
    secret = added.data.secret;
  });

  const change = (title: string, flags = '--events') => db.run(`resource update 1 --pagetitle ${title} ${flags}`);
  const statuses = async () => {
    const { data } = (await db.json('delivery list')) as { data: { status: string }[] };
    return data.map(({ status }) => status).reverse();
  };

  test('--once delivers a change to a receiver that verifies it', async () => {
    await change('Changed');
    const { code, stdout } = await db.run('worker --once', open);
    expect([code, stdout]).toEqual([0, 'Delivered 1 of 1.\n']);
    const [post] = receiver.received;
    const payload = new Webhook(secret).verify(post?.body ?? '', post?.headers as Record<string, string>);
    expect(payload).toMatchObject({
      type: 'resources.updated',
      data: { object: 'resources', action: 'updated', id: '1', context: 'web', uri: 'index.html' },
      meta: {
        revalidate: ['gateway:resources', 'gateway:context:web', 'gateway:resources:1', 'gateway:uri:index.html'],
      },
    });
    expect(post?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'hcd-Webhook/1.0',
      'x-gateway-event': 'resources.updated',
      'x-gateway-delivery-id': '1',
    });
  });

  test('--once does nothing for changes without events and events without subscriptions', async () => {
    await change('Quiet', '');
    await db.run('resource create --pagetitle New --events');
    expect((await db.run('worker --once', open)).stdout).toBe('No deliveries were due.\n');
    expect(receiver.received).toEqual([]);
  });

  test('--once ends with 0 when receivers fail, says what becomes of it, and prints JSON with --json', async () => {
    receiver.answerWith(() => 500);
    await change('One');
    expect(await db.run('worker --once', open)).toMatchObject({
      code: 0,
      stdout: 'Delivered 0 of 1: 1 to retry.\n',
    });
    expect(await statuses()).toEqual(['pending']);
    expect((await db.run('worker --once', open)).stdout).toBe('No deliveries were due.\n');
    await db.run('delivery retry 1');
    const last = await db.run('worker --once', { ...open, env: { ...env, HCD_GATEWAY_WEBHOOK_MAX_ATTEMPTS: '2' } });
    expect(last.stdout).toBe('Delivered 0 of 1: 1 failed.\n');
    receiver.answerWith(() => 204);
    await db.run('delivery retry 1');
    expect(await db.json('worker --once', open)).toEqual({
      data: { claimed: 1, delivered: 1, retried: 0, failed: 0, lost: 0, ...noChores },
    });
  });

  test('--once ends with 3 when its own work failed, and says so', async () => {
    await db.sql('DROP TABLE hcd_audit');
    const { code, stdout, stderr } = await db.run('worker --once', open);
    expect([code, stdout]).toEqual([3, 'No deliveries were due. 1 piece of work failed: see the log.\n']);
    expect(stderr).toMatch(/hcd_audit|hcd migrate/);
    expect(stderr).not.toContain('does not answer');
    expect((await db.run('worker --once --json', open)).stdout).toContain('"errors":1');
  });

  test('reports a root secret that is not the one of the store, until it is accepted', async () => {
    const work = async (secret: string | undefined) =>
      db.run('worker --once', { ...open, env: { ...env, ...(secret === undefined ? {} : { HCD_SECRET: secret }) } });
    const [first, second] = ['the first root secret of the store', 'another root secret of the store'];
    expect((await work(first)).stderr).not.toContain('secret_differs');
    expect((await work(first)).stderr).not.toContain('secret_differs');
    expect((await work(second)).stderr).toContain('"event":"secret_differs"');
    expect((await work(undefined)).stderr).toContain('"event":"secret_differs"');
    const doctor = await db.run('doctor', { ...open, env: { HCD_SECRET: second } });
    expect([doctor.code, doctor.stdout]).toEqual([
      1,
      expect.stringContaining('secrets\terror\tHCD_SECRET is not the one with which this store was first served'),
    ]);
    const repair = await db.run('db check --repair', { ...open, env: { HCD_SECRET: second } });
    expect(repair.stdout).toContain('root-secret\terror\thcd_state\tsecret_fingerprint');
    expect((await work(second)).stderr).not.toContain('secret_differs');
  });

  test('--once says what it published, withdrew and removed, and does nothing of it twice', async () => {
    const planned = (id: number, dates: Record<string, number>) => ({
      id,
      pagetitle: `Page ${id}`,
      alias: `page-${id}`,
      uri: `page-${id}.html`,
      ...dates,
    });
    await db.change((store) =>
      seed(store, {
        site_content: [
          planned(2, { published: 0, pub_date: 1_700_000_000 }),
          planned(3, { published: 0, pub_date: 1_700_000_000 }),
          planned(4, { published: 1, unpub_date: 1_700_000_000 }),
        ],
      }),
    );
    const once = async () => (await db.run('worker --once', open)).stdout;
    expect(await once()).toBe('No deliveries were due. On schedule: published 2, unpublished 1.\n');
    // Each of them was a change with a subscription.
    expect(await once()).toBe('Delivered 3 of 3.\n');
    const longAgo = { sql: 'UPDATE `hcd_webhook_deliveries` SET `visible_at` = 1', params: [] };
    await db.change(async (store) => void (await store.own.write((tx) => tx.run(longAgo))));
    expect(await once()).toBe('No deliveries were due. Removed 3 old rows.\n');
    expect(await db.json('worker --once', open)).toEqual({
      data: { claimed: 0, delivered: 0, retried: 0, failed: 0, lost: 0, ...noChores },
    });
  });

  test('--limit bounds one pass', async () => {
    for (const title of ['One', 'Two', 'Three']) await change(title);
    expect((await db.run('worker --once --limit 2', open)).stdout).toBe('Delivered 2 of 2.\n');
    expect(await statuses()).toEqual(['delivered', 'delivered', 'pending']);
    expect((await db.run('worker --once --limit 0', open)).code).toBe(2);
  });

  test('runs until it is stopped and takes up what comes meanwhile', async () => {
    const stop = new AbortController();
    const running = db.run('worker', { ...open, stop: stop.signal });
    await change('One');
    await receiver.waitFor(1);
    await change('Two');
    await receiver.waitFor(2);
    stop.abort();
    expect(await running).toMatchObject({ code: 0, stdout: '' });
    expect(await statuses()).toEqual(['delivered', 'delivered']);
  });
});
