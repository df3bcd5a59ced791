/** Messages of clicks and impressions: what receivers of the settings are sent, through the outbox, and how it is signed. */
import { expect, test } from 'vitest';
import { hmacSha256Hex } from '../../../src/crypto/primitives.js';
import { makeOutboundPolicy } from '../../../src/webhooks/addresses/outbound-policy.js';
import { openWebhookSealer, webhookSealer } from '../../../src/webhooks/administration/secrets.js';
import type { OutboundRequest } from '../../../src/webhooks/client/outbound.js';
import { runWorker } from '../../../src/webhooks/worker/worker.js';
import { fakeClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { eventually } from '../../support/eventually.js';
import { answer, settings } from '../../webhooks/outbox-store.js';
import { startTrackingSite, type TrackingSite } from './tracking-site.js';

const rootSecret = 'a root secret for tests, long enough';
const secret = 'a-secret-of-the-receiver';

/** Runs a worker once and gives what it sent. */
async function deliver({ store }: TrackingSite): Promise<readonly OutboundRequest[]> {
  const sent: OutboundRequest[] = [];
  const clock = fakeClock(Date.now() + 5000);
  await runWorker({
    own: store.own,
    clock,
    log: () => undefined,
    sealer: await openWebhookSealer(store, rootSecret),
    send: async (request) => {
      sent.push(request);
      return answer(204);
    },
    policy: () => makeOutboundPolicy({ allowPrivate: true }),
    settings: () => settings,
    random: () => 0.5,
    name: 'test worker',
    signals: { stop: new AbortController().signal, end: new AbortController().signal },
    once: true,
    limit: null,
    intervalMs: 1000,
    time: () => String(clock.now()),
  });
  return sent;
}

const subscriptions = (site: TrackingSite) =>
  site.rows('SELECT name, url, events, active, created_by FROM hcd_webhook_subscriptions ORDER BY id');

describeEachDatabase('messages of banners', (kind) => {
  const started = async (env: Record<string, string>) => {
    const site = await startTrackingSite(await kind.url(), {
      secret: rootSecret,
      env: { HCD_BANNERS_TRACK_IMPRESSIONS: '1', ...env },
    });
    const position = await site.addPosition('top');
    const ad = await site.addBanner({ url: 'https://shop.example/x' }, [{ position }]);
    const link = await site.link(ad, position);
    await site.seen(link);
    return { site, position, ad, link };
  };
  const queued = (site: TrackingSite, count: number) =>
    eventually(async () => expect(await site.rows('SELECT COUNT(*) FROM hcd_webhook_deliveries')).toEqual([[count]]));

  test('tell new and repeated clicks and impressions in one signed body each', async () => {
    const { site, ad, position, link } = await started({
      HCD_BANNERS_WEBHOOK_URL: 'https://hooks.example/click',
      HCD_BANNERS_WEBHOOK_IMPRESSION_URL: 'https://hooks.example/seen',
      HCD_BANNERS_WEBHOOK_SECRET: secret,
    });
    const from = '203.0.113.9';
    await site.ask(`/bannerclick/${link}`, { from, headers: { referer: 'https://news.example/' } });
    await site.ask(`/bannerimpression/${link}`, { from });
    await queued(site, 2);
    await site.ask(`/bannerclick/${link}`, { from });
    await queued(site, 3);
    const sent = await deliver(site);
    const bodies = sent.map(({ body }) => JSON.parse(String(body)));
    const [[clickId] = []] = await site.rows('SELECT id FROM hcd_ad_clicks');
    const common = { ad_id: ad, position_id: position, adposition: link, ip: '203.0.113.0' };
    const click = { event: 'click', ...common, click_id: clickId, redirect_url: 'https://shop.example/x' };
    const timestamp = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
    expect(bodies).toHaveLength(3);
    const first = { timestamp, recorded: true, duplicate: false };
    expect(bodies).toContainEqual({ ...click, ...first, referrer: 'https://news.example/' });
    expect(bodies).toContainEqual({ ...click, referrer: '', timestamp, recorded: false, duplicate: true });
    expect(bodies).toContainEqual({ event: 'impression', ...common, ...first });
    for (const { url, headers, body } of sent) {
      expect(url).toBe(String(body).includes('"click"') ? 'https://hooks.example/click' : 'https://hooks.example/seen');
      expect(headers['x-banners-signature']).toBe(`sha256=${hmacSha256Hex(secret, String(body))}`);
    }
    const own = (key: string, end: string, event: string) => [
      ...[key, `https://hooks.example/${end}`, `["banner.${event}"]`, 1, `setting ${key}`],
    ];
    expect(await subscriptions(site)).toEqual([
      own('banners_webhook_url', 'click', 'click'),
      own('banners_webhook_impression_url', 'seen', 'impression'),
    ]);
  });

  test('are not signed without a secret, and follow the settings to another address', async () => {
    const { site, link } = await started({});
    const set = (key: string, value: string) =>
      site.change([
        `DELETE FROM modx_system_settings WHERE \`key\` = '${key}'`,
        `INSERT INTO modx_system_settings (\`key\`, \`value\`, xtype, namespace, area) VALUES ('${key}', '${value}', 'textfield', 'hcd_banners', '')`,
      ]);
    await site.ask(`/bannerclick/${link}`, { from: '192.0.2.1' });
    await eventually(async () => expect(await site.rows('SELECT COUNT(*) FROM hcd_ad_clicks')).toEqual([[1]]));
    await set('banners_webhook_url', 'https://one.example/');
    await site.ask(`/bannerclick/${link}`, { from: '192.0.2.2' });
    await queued(site, 1);
    await set('banners_webhook_url', 'https://two.example/');
    await set('banners_webhook_secret', secret);
    await site.ask(`/bannerclick/${link}`, { from: '192.0.2.3' });
    await queued(site, 2);
    const sent = await deliver(site);
    const isSigned = ({ headers }: OutboundRequest) =>
      ['x-banners-signature', 'webhook-signature'].map((name) => headers[name] !== undefined);
    expect(sent.map((request) => [request.url, ...isSigned(request)])).toEqual([
      ['https://one.example/', false, false],
      ['https://two.example/', true, true],
    ]);
    expect((await subscriptions(site)).map(([, url]) => url)).toEqual(['https://two.example/']);
  });

  test('are signed with a secret that the settings hold encrypted', async () => {
    const sealed = webhookSealer(rootSecret).seal(secret);
    const { site, link } = await started({
      HCD_BANNERS_WEBHOOK_URL: 'https://hooks.example/click',
      HCD_BANNERS_WEBHOOK_SECRET: sealed,
    });
    await site.ask(`/bannerclick/${link}`, { from: '192.0.2.1' });
    await queued(site, 1);
    const [sent] = await deliver(site);
    expect(sent?.headers['x-banners-signature']).toBe(`sha256=${hmacSha256Hex(secret, String(sent?.body))}`);
  });

  test('do not reach subscriptions to every event, nor a receiver that was disabled', async () => {
    const { site, link } = await started({ HCD_BANNERS_WEBHOOK_URL: 'https://hooks.example/click' });
    await site.store.own.write((tx) =>
      tx.run({
        sql: "INSERT INTO hcd_webhook_subscriptions (name, url, events, secret, active, created_by, created_on, updated_on) VALUES ('all', 'https://all.example/', '[\"*\"]', 'x', 1, 'cli', 1, 1)",
        params: [],
      }),
    );
    await site.ask(`/bannerclick/${link}`, { from: '192.0.2.1' });
    await queued(site, 1);
    expect(await site.rows('SELECT url FROM hcd_webhook_deliveries')).toEqual([['https://hooks.example/click']]);
    await site.change([]);
    await site.store.own.write((tx) => tx.run({ sql: 'UPDATE hcd_webhook_subscriptions SET active = 0', params: [] }));
    await site.ask(`/bannerclick/${link}`, { from: '192.0.2.2' });
    await eventually(async () => expect(await site.rows('SELECT COUNT(*) FROM hcd_ad_clicks')).toEqual([[2]]));
    await queued(site, 1);
  });
});
