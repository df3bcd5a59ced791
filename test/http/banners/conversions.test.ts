/** POST /conversions: an order belongs to a click, counts once, and a visitor cannot name another visitor's click. */
import { beforeAll, expect, test } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { entry, key, startTrackingSite, type TrackingSite } from './tracking-site.js';

describeEachDatabase('conversions', (kind) => {
  let site: TrackingSite;
  let ad = 0;
  let position = 0;
  let link = 0;
  let visitor = 0;

  beforeAll(async () => {
    site = await startTrackingSite(await kind.url());
    position = await site.addPosition('top');
    ad = await site.addBanner({}, [{ position }]);
    link = await site.link(ad, position);
    await site.seen(link);
  });

  const submit = async (body: unknown, headers: Record<string, string> = { 'x-api-key': key }) => {
    const answer = await site.ask(`${entry}/conversions`, { method: 'POST', body, headers });
    return { status: answer.status, body: JSON.parse(answer.text) };
  };
  /** Clicks as a new visitor and gives the value of the cookie. */
  const click = async (): Promise<string> => {
    visitor += 1;
    const { headers } = await site.ask(`/bannerclick/${link}`, { from: `192.0.2.${visitor}` });
    return /^banners_click_id=([^;]+)/.exec(headers['set-cookie']?.[0] ?? '')?.[1] ?? '';
  };
  const orders = () => site.rows('SELECT id, order_id FROM hcd_ad_clicks WHERE order_id IS NOT NULL ORDER BY id');
  const conversions = async () => (await site.rows('SELECT SUM(conversions) FROM hcd_ad_days'))[0]?.[0] ?? 0;

  test('the cookie names the click at once, the last order wins, and the click counts once', async () => {
    const cookie = await click();
    const first = await submit({ click_id: cookie, order_id: 'A-1' });
    const data = { click_id: expect.any(Number), order_id: 'A-1', ad_id: ad, position_id: position };
    expect(first).toEqual({ status: 201, body: { success: true, data } });
    const id = first.body.data.click_id;
    expect([await orders(), Number(await conversions())]).toEqual([[[id, 'A-1']], 1]);
    expect((await submit({ click_id: id, order_id: 77 })).status).toBe(200);
    const second = await submit({ click_id: cookie, order_id: 'A-2' });
    expect(second.body.data).toMatchObject({ click_id: id, order_id: 'A-2' });
    expect([await orders(), Number(await conversions())]).toEqual([[[id, 'A-2']], 1]);
  });

  test('each leaves one entry in the audit log, and a refused one none', async () => {
    const entries = async () => {
      const { text } = await site.ask(`${entry}/audit?entity=click&dir=asc`, { headers: { 'x-api-key': key } });
      return JSON.parse(text).data.map((row: Record<string, unknown>) => ({ ...row, id: 0, created_at: '' }));
    };
    const before = (await entries()).length;
    const first = await submit({ click_id: await click(), order_id: 'B-1' });
    const id = first.body.data.click_id;
    await submit({ click_id: id, order_id: 'B-2' });
    await submit({ click_id: id, order_id: 'B-2' });
    await submit({ click_id: 4_000_000_000, order_id: 'B-3' });
    await submit({ click_id: id });
    const row = {
      ...{ id: 0, entity: 'click', entity_id: id, label: 'A banner', action: 'conversion', created_at: '' },
      username: 'rest-api',
    };
    expect((await entries()).slice(before)).toEqual([
      { ...row, payload: { before: { order_id: null }, after: { order_id: 'B-1' } } },
      { ...row, payload: { before: { order_id: 'B-1' }, after: { order_id: 'B-2' } } },
      { ...row, payload: { before: {}, after: {} } },
    ]);
  });

  test('of several at once for a click one is the first', async () => {
    const before = Number(await conversions());
    const cookie = await click();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => submit({ click_id: cookie, order_id: `order ${at}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201]);
    expect(Number(await conversions())).toBe(before + 1);
  });

  test('a repeated click of the visitor names the same click', async () => {
    const { headers } = await site.ask(`/bannerclick/${link}`, { from: '198.51.100.200' });
    const again = await site.ask(`/bannerclick/${link}`, { from: '198.51.100.200' });
    expect(again.headers['set-cookie']).toEqual(headers['set-cookie']);
  });

  test.each([
    ['a wrong signature', (cookie: string) => cookie.slice(0, -1) + (cookie.endsWith('0') ? '1' : '0')],
    ['another visitor', (cookie: string) => cookie.replace(/\.[0-9a-f]{16}\./, '.0123456789abcdef.')],
    ['another banner', (cookie: string) => cookie.replace(/^(\d{8})\.\d+\./, '$1.9.')],
    ['a text with a dot', () => 'a.b'],
    ['a number of no click', () => 4_000_000_000],
  ])('%s is 404', async (_name, change) => {
    const answer = await submit({ click_id: change(await click()), order_id: 'X' });
    expect(answer).toEqual({ status: 404, body: { success: false, message: 'not found' } });
  });

  test.each([
    ['the id as text, as a visitor may write it into the cookie', { click_id: '1', order_id: 'X' }, ['click_id']],
    ['no click', { order_id: 'X' }, ['click_id']],
    ['no order', { click_id: 1 }, ['order_id']],
    ['an empty order', { click_id: 1, order_id: ' ' }, ['order_id']],
    ['a long order', { click_id: 1, order_id: 'x'.repeat(65) }, ['order_id']],
    ['an order with a line break', { click_id: 1, order_id: 'a\nb' }, ['order_id']],
    ['other fields', { click_id: 1, order_id: 'X', total: 5 }, ['total']],
    ['everything wrong', { click_id: 0, order_id: true, a: 1 }, ['a', 'click_id', 'order_id']],
  ])('refuses %s', async (_name, body, fields) => {
    const answer = await submit(body);
    expect([answer.status, answer.body.success, Object.keys(answer.body.errors).sort()]).toEqual([422, false, fields]);
  });

  test('refuses a list as a body, as every route of this API does', async () => {
    expect(await submit([1])).toEqual({ status: 400, body: { success: false, message: 'invalid json' } });
  });
});
