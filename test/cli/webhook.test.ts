/** `hcd webhook`: arguments, what is shown in each form, every refusal, and that a receiver gets what is promised. */
import { hostname } from 'node:os';
import { Webhook } from 'standardwebhooks';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { webhookSecretProblem } from '../../src/crypto/webhook-secret.js';
import { noteListener } from '../../src/webhooks/models/listeners.js';
import type { CliOptions } from '../support/cli.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';
import { printed, refused } from './outcomes.js';
import { expectTranscript, steady } from './transcript.js';

interface Added {
  readonly id: number;
  readonly secret: string;
}

const shownOnce = 'Copy the secret now: it is not shown again.\n';
const byLibrary =
  'To verify deliveries, use a Standard Webhooks library (webhook-signature) or see docs/webhooks.md.\n';
const open: CliOptions = { clock: systemClock, env: { HCD_GATEWAY_WEBHOOK_ALLOW_PRIVATE_URLS: '1' } };
const terminal = { columns: 160 };

describeEachDatabase('hcd webhook', (database) => {
  let db: CliDatabase;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await startWebhookReceiver();
  });
  beforeEach(async () => {
    receiver.answerWith(() => 204);
    db = await prepareCliDatabase(await database.url());
  });

  const add = async (flags = '', options: CliOptions = open): Promise<Added> =>
    ((await db.json(`webhook add --url ${receiver.url} --events * ${flags}`, options)) as { data: Added }).data;
  const show = async (id: number) => ((await db.json(`webhook show ${id}`)) as { data: Record<string, unknown> }).data;
  const last = () => receiver.received.at(-1);
  const expectShown = (name: string, lines: readonly string[], options: CliOptions = {}) => {
    const steadily = (text: string) =>
      steady(text.replaceAll(receiver.url, 'RECEIVER')).replace(/("duration_ms": ?|after )\d+/g, '$1<ms>');
    return expectTranscript(db, name, lines, { ...options, steady: steadily });
  };

  describe('add', () => {
    test('prints the secret once, as lines of name and value, with notes', async () => {
      const line =
        'webhook add --url https://hooks.example.com/cms --events resources.updated,resources.deleted --name "Site builder"';
      const { code, stdout, stderr } = await db.run(line);
      const [, secret = ''] =
        /^id\t1\nname\tSite builder\nurl\thttps:\/\/hooks.example.com\/cms\nevents\tresources.updated,resources.deleted\nsecret\t(\S+)\nactive\ttrue\n$/.exec(
          stdout,
        ) ?? [];
      expect(secret).toMatch(/^whsec_/);
      expect(webhookSecretProblem(secret)).toBeNull();
      expect([code, stderr]).toEqual([
        0,
        `${shownOnce}${byLibrary}To test it: hcd webhook test 1. Deliveries need a running hcd worker.\n`,
      ]);
    });

    test('prints one JSON object with exactly the members of the contract; create is the same word', async () => {
      const words = ['webhook', 'create', '--url', 'https://a.example/', '--events', '*', '--inactive'];
      expect(await db.json([...words, '--secret', 'my own secret of 32 characters!!'])).toEqual({
        data: {
          id: 1,
          name: null,
          url: 'https://a.example/',
          events: ['*'],
          secret: 'my own secret of 32 characters!!',
          active: false,
        },
      });
      const { stderr } = await db.run([...words, '--secret', 'my own secret of 32 characters!!']);
      expect(stderr).toContain('or webhook-signature with the bytes of the secret');
      expect(stderr).toContain('The subscription is inactive. Turn it on: hcd webhook enable 2\n');
      expect((await db.run([...words, '--quiet'])).stderr).toBe('');
    });
  });

  describe('looking at subscriptions', () => {
    test('show has every member; a failing receiver says since when, why, and when it is disabled', async () => {
      const { id } = await add('--name site');
      await expectShown('webhook-show', [`webhook show ${id} --json`]);
      receiver.answerWith(() => 500);
      await db.run(`webhook test ${id}`, open);
      await expectShown('webhook-show-failing', [`webhook show ${id} --json`]);
      const failing = await show(id);
      const days =
        (Date.parse(String(failing['disables_on'])) - Date.parse(String(failing['first_failure_on']))) / 86_400_000;
      expect(days).toBe(5);
      const never = { env: { HCD_GATEWAY_WEBHOOK_DISABLE_AFTER_DAYS: '0' } };
      expect(await db.json(`webhook show ${id}`, never)).toMatchObject({ data: { disables_on: null } });
    });
  });

  test('update changes what is given and says what keeps the old address', async () => {
    const { id } = await add('--name site');
    await db.run(`webhook test ${id} --queue`);
    const { code, stderr, stdout } = await db.run(`webhook update ${id} --url https://new.example/ --json`);
    expect([code, stderr]).toEqual([0, '1 queued delivery keeps the old address.\n']);
    expect(JSON.parse(stdout)).toMatchObject({ data: { url: 'https://new.example/', name: 'site', events: ['*'] } });
    expect(await db.json(['webhook', 'update', String(id), '--name', ''])).toMatchObject({ data: { name: null } });
    expect(await db.json(`webhook update ${id} --events resources.created`)).toMatchObject({
      data: { events: ['resources.created'], url: 'https://new.example/' },
    });
    expect((await db.run(`webhook update ${id} --url http://10.0.0.1/`)).code).toBe(1);
    expect(await db.run(`webhook update ${id}`)).toEqual(
      refused('hcd: --url is required when neither --events nor --name is given\nSee hcd webhook update --help.\n', 2),
    );
  });

  test('disable cancels what waits, enable brings it not back and says what does', async () => {
    const { id } = await add('--name site');
    await db.run(`webhook test ${id} --queue`);
    const title = `subscription ${id} "site" (${receiver.url})`;
    expect((await db.run(`webhook disable ${id}`)).stdout).toBe(`Turned off ${title}. Cancelled deliveries: 1.\n`);
    expect(await show(id)).toMatchObject({
      state: 'inactive',
      open: 0,
      disabled_reason: 'The subscription was disabled by hand',
    });
    expect((await db.run(`webhook disable ${id}`)).stdout).toBe(`Already off: ${title}. Cancelled deliveries: 0.\n`);
    expect((await db.run(`webhook enable ${id}`)).stdout).toBe(
      `Turned on ${title}. To send cancelled deliveries: hcd delivery replay --since TIME --webhook ${id}\n`,
    );
    expect((await db.run(`webhook enable ${id}`)).stdout).toBe(`Already on: ${title}. Nothing to do.\n`);
    expect(await db.json(`webhook disable ${id}`)).toMatchObject({ data: { id, active: false, cancelled: 0 } });
    expect(await db.json('delivery list')).toMatchObject({ data: [{ status: 'cancelled' }] });
  });

  test('disable and remove ask on a terminal, and not with --yes', async () => {
    const { id } = await add();
    const no = await db.run(`webhook disable ${id}`, { terminal, stdin: 'n\r' });
    expect([no.code, no.stdout]).toEqual([1, '']);
    expect(no.stderr).toContain(`Turn off subscription ${id} (${receiver.url}) and cancel 0 open deliveries?`);
    expect(await show(id)).toMatchObject({ active: true });
    expect((await db.run(`webhook disable ${id}`, { terminal, stdin: 'y\r' })).code).toBe(0);

    const kept = await db.run(`webhook remove ${id}`, { terminal, stdin: 'n\r' });
    expect([kept.code, kept.stderr.includes('Nothing was changed')]).toEqual([1, true]);
    expect(await db.run(`webhook remove ${id} --yes`, { terminal })).toEqual(
      printed(`Removed subscription ${id} (${receiver.url}). Cancelled deliveries: 0.\n`),
    );
    expect(await db.json('webhook list')).toEqual({ data: [], meta: { total: 0 } });
    const other = await add();
    expect(await db.json(`webhook remove ${other.id} --yes`)).toEqual({
      data: { id: other.id, removed: true, cancelled: 0 },
    });
  });

  test('rotate-secret prints a record like add, and a delivery of the overlap verifies with both secrets', async () => {
    const old = await add('--name site');
    await db.run(`webhook test ${old.id} --queue`);
    const rotated = await db.run(`webhook rotate-secret ${old.id} --overlap 7d --json`);
    const { data } = JSON.parse(rotated.stdout) as { data: Added };
    expect(data).toEqual({ ...old, secret: expect.stringMatching(/^whsec_/) });
    expect(data.secret).not.toBe(old.secret);
    expect(rotated.stderr).toMatch(
      /New deliveries are signed with both secrets until \d{4}-.*Z\.\n1 queued delivery keeps the old secret/,
    );
    await db.run(`webhook test ${old.id}`, open);
    const both = verifiedBy(last(), [data.secret, old.secret, `whsec_${Buffer.alloc(32).toString('base64')}`]);
    expect(both).toEqual([true, true, false]);

    const second = await db.run(`webhook rotate-secret ${old.id} --overlap 1d`);
    expect([second.code, second.stdout]).toEqual([1, '']);
    expect(second.stderr).toContain('has an old secret that still signs');
    const own = 'another secret in words';
    const now = await db.run(['webhook', 'rotate-secret', String(old.id), '--secret', own, '--yes']);
    expect(now.stderr).toContain('New deliveries are signed with the new secret only.\n');
    await db.run(`webhook test ${old.id}`, open);
    expect(verifiedBy(last(), [data.secret, old.secret])).toEqual([false, false]);
    expect((await db.run(`webhook rotate-secret ${old.id} --secret short --yes`)).code).toBe(1);
  });

  describe('test', () => {
    test('sends a signed event at once and says what came of it', async () => {
      const { id, secret } = await add();
      const { code, stdout, stderr } = await db.run(`webhook test ${id}`, open);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(new RegExp(`^Delivered the test event to ${receiver.url}: HTTP 204 after \\d+ ms\\.\n$`));
      expect(verifiedBy(last(), [secret])).toEqual([true]);
      expect(JSON.parse(last()?.body ?? '')).toMatchObject({
        type: 'webhook.test',
        data: { object: 'webhook', action: 'test', id: String(id) },
      });
      await expectShown('webhook-test', [`webhook test ${id} --json`], open);
    });

    test('fails with 1 when the receiver does not take it, and repeats nothing', async () => {
      const { id } = await add();
      const keeping = { ...open, env: { ...open.env, HCD_GATEWAY_WEBHOOK_KEEP_ANSWERS: '1' } };
      receiver.answerWith(() => 500);
      await expectShown('webhook-test-failed', [`webhook test ${id}`, `webhook test ${id} --json`], keeping);
    });

    test('obeys the policy for addresses as it is now', async () => {
      const { id } = await add();
      const before = receiver.received.length;
      const { code, stdout } = await db.run(`webhook test ${id}`, { clock: systemClock });
      expect(code).toBe(1);
      expect(stdout).toMatch(
        /: The address is not allowed by policy after \d+ ms\. Private addresses require gateway_webhook_allowed_networks/,
      );
      expect(receiver.received.length).toBe(before);
    });

    test('never goes to a server of this store, wherever that one has started', async () => {
      const { id } = await add();
      const addresses = ['127.0.0.1'];
      const listener = { machine: hostname(), host: '127.0.0.1', port: receiver.port, addresses };
      await db.change((store) => noteListener(store.own, 'one', listener));
      const before = receiver.received.length;
      expect((await db.run(`webhook test ${id}`, open)).code).toBe(1);
      await db.run(`webhook test ${id} --queue`);
      await db.run('worker --once', open);
      expect(receiver.received.length).toBe(before);
      const message = `hcd: --url ${receiver.url}: The URL must not be an address of this server itself\n`;
      for (const line of [
        `webhook add --url ${receiver.url} --events *`,
        `webhook update ${id} --url ${receiver.url}`,
      ]) {
        expect(await db.run(line, open)).toMatchObject({ code: 1, stderr: message });
      }
      const elsewhere = { ...listener, machine: 'another', port: receiver.port };
      await db.change((store) => noteListener(store.own, 'one', elsewhere));
      expect((await db.run(`webhook test ${id}`, open)).code).toBe(0);
    });

    test('--queue leaves it to a worker', async () => {
      const { id } = await add();
      const before = receiver.received.length;
      expect(await db.run(`webhook test ${id} --queue`)).toEqual(
        printed('Queued the test event as delivery 1. Send it now: hcd worker --once\n'),
      );
      expect(receiver.received.length).toBe(before);
      expect(await db.json('delivery list')).toMatchObject({ data: [{ id: 1, status: 'pending', attempts: 0 }] });
    });
  });
});

describeEachDatabase('hcd webhook, without a subscription', (database) => {
  let db: CliDatabase;
  beforeAll(async () => {
    db = await prepareCliDatabase(await database.url());
  });

  describe('add', () => {
    test('refuses wrong usage with the accepted values', async () => {
      await expectTranscript(db, 'refused/webhook-add-usage', [
        'webhook add --events *',
        'webhook add --url https://a.example/',
        'webhook add --url https://a.example/ --events ""',
      ]);
    });

    test('refuses unknown events, and URLs and secrets that are not allowed', async () => {
      await expectTranscript(db, 'refused/webhook-add', [
        'webhook add --url https://a.example/ --events resource.updated',
        'webhook add --url https://a.example/ --events resources.*',
        'webhook add --url ftp://a.example/ --events *',
        'webhook add --url https://u:p@a.example/ --events *',
        'webhook add --url https://a.example/ --events * --secret short',
        'webhook add --url https://a.example:25/ --events *',
      ]);
    });

    test('refuses private addresses and says what would let them through', async () => {
      for (const url of ['http://127.0.0.1:9400/', 'http://192.168.1.5/', 'http://localhost/', 'http://cms.local/']) {
        const { code, stderr } = await db.run(['webhook', 'add', '--url', url, '--events', '*']);
        expect([url, code]).toEqual([url, 1]);
        expect(stderr).toContain('hcd setting set gateway_webhook_allow_private_urls 1');
      }
      // Nothing but naming the network lets these through.
      const metadata = await db.run('webhook add --url http://169.254.169.254/ --events *');
      expect([metadata.code, metadata.stderr.includes('allow_private_urls')]).toEqual([1, false]);
    });
  });

  test.each(['show', 'enable', 'disable', 'remove --yes', 'rotate-secret --yes', 'test', 'update --name x'])(
    '%s rejects an unknown id and an invalid id',
    async (line) => {
      const [verb = '', ...flags] = line.split(' ');
      expect(await db.run(['webhook', verb, '7', ...flags])).toEqual(
        refused('hcd: There is no webhook subscription 7; hcd webhook list shows every subscription\n'),
      );
      const bad = await db.run(['webhook', verb, 'x', ...flags]);
      expect([bad.code, bad.stderr.startsWith('hcd: ID must be an integer from 1 to ')]).toEqual([2, true]);
    },
  );

  describe('events', () => {
    test('lists every event that something raises, with its payload', async () => {
      const { data, meta } = (await db.json('webhook events')) as { data: Record<string, unknown>[]; meta: unknown };
      expect(meta).toEqual({ total: data.length });
      const objects = [
        'resources',
        'contexts',
        'chunks',
        'templates',
        'snippets',
        'tvs',
        'categories',
        'content_types',
      ];
      expect(data.map(({ event }) => String(event)).toSorted()).toEqual(
        [
          ...[...objects, 'media_sources', 'media'].flatMap((name) => [
            `${name}.created`,
            `${name}.updated`,
            `${name}.deleted`,
          ]),
          ...['content.changed', 'pages.published', 'pages.withdrawn', 'webhook.test'],
        ].toSorted(),
      );
      expect(data.find(({ event }) => event === 'chunks.updated')).toMatchObject({
        when: 'a record of chunks was changed by hcd element update with --events',
        payload: { type: 'chunks.updated', data: { object: 'chunks', action: 'updated', id: '42' } },
      });
      const table = await db.run('webhook events', { terminal });
      expect(table.stdout.split('\n')[0]).toMatch(/^EVENT +WHEN +PAYLOAD$/);
    });

    test('prints one payload in full, with the tags of a real one', async () => {
      const lines = ['resources.deleted', 'webhook.test', 'resources.update'];
      await expectTranscript(
        db,
        'webhook-events',
        lines.map((event) => `webhook events ${event}`).concat('webhook events webhook.test --json'),
        { steady },
      );
    });

    test('every event that is listed may be subscribed to, but for the test', async () => {
      const { data } = (await db.json('webhook events')) as { data: { event: string }[] };
      const names = data.map(({ event }) => event).filter((event) => event !== 'webhook.test');
      expect((await db.run(['webhook', 'add', '--url', 'https://a.example/', '--events', names.join(',')])).code).toBe(
        0,
      );
      expect((await db.run('webhook add --url https://a.example/ --events webhook.test')).code).toBe(1);
    });
  });
});

/** For each secret, whether the public library accepts what came with it. */
function verifiedBy(
  post: { headers: Record<string, unknown>; body: string } | undefined,
  secrets: readonly string[],
): boolean[] {
  return secrets.map((secret) => {
    try {
      new Webhook(secret).verify(post?.body ?? '', post?.headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  });
}
