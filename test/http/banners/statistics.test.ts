/** The statistics routes: documented example figures, every body in full, what is refused, and the CSV files. */
import { beforeAll, expect, test } from 'vitest';
import { localDay } from '../../../src/banners/rules/local-time.js';
import { exportTypes } from '../../../src/banners/statistics/export.js';
import { recordClicks, recordImpressions } from '../../../src/banners/tracking/record-events.js';
import { fakeClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { startTestSite, type TestSite } from '../../support/site.js';

const key = '0123456789abcdef0123456789abcdef';
const entry = '/banners/api.php';
const zone = 'Europe/Berlin';

/** Local days of the events; the clock stands at 2026-11-21 10:30 in Berlin, a Saturday. */
const at = (text: string) => Date.parse(`${text}+01:00`);

interface Events {
  readonly ad: number;
  readonly position: number;
  readonly at: number;
  readonly clicks: number;
  readonly impressions: number;
  readonly referrers?: readonly string[];
  readonly orders?: readonly string[];
}

const events: readonly Events[] = [
  // The documented example: 22 clicks of 38 impressions are 57.89 %.
  { ad: 1, position: 1, at: at('2026-11-21T09:00:00'), clicks: 22, impressions: 38, orders: ['A-1', 'A-2'] },
  {
    ...{ ad: 2, position: 2, at: at('2026-11-16T00:00:00'), clicks: 4, impressions: 3 },
    referrers: ['https://a.example/', '=cmd()'],
  },
  // The last second of the week before.
  { ad: 3, position: 2, at: at('2026-11-15T23:59:59'), clicks: 0, impressions: 10 },
  {
    ...{ ad: 3, position: 1, at: at('2026-10-30T12:00:00'), clicks: 1, impressions: 0 },
    referrers: ['https://b.example/?q="x",y'],
  },
];

interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

describeEachDatabase('statistics routes', (kind) => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startTestSite({
      databaseUrl: await kind.url(),
      clock: fakeClock(),
      env: { HCD_BANNERS_API_ENABLED: '1', HCD_BANNERS_API_KEY: key, HCD_BANNERS_TIMEZONE: zone },
    });
    const { own } = site.store;
    await own.write(async (tx) => {
      const run = (sql: string) => tx.run({ sql, params: [] });
      await run(
        "INSERT INTO hcd_ads (id, name, created_on, edited_on) VALUES (1, 'Sale, now', 0, 0), (2, '+Plus', 0, 0)",
      );
      await run("INSERT INTO hcd_ad_positions (id, name, created_on, edited_on) VALUES (1, 'Top', 0, 0)");
      const audit = 'INSERT INTO hcd_ad_audit (entity, entity_id, label, action, created_on, username, payload) VALUES';
      await run(`${audit} ('ad', 3, 'Former', 'update', 0, 'cli', '{}'), ('ad', 3, 'Gone', 'delete', 0, 'cli', '{}')`);
    });
    let visitor = 0;
    for (const { clicks, impressions, referrers = [], orders = [], ...where } of events) {
      const visitorNow = () => String(++visitor).padStart(16, '0');
      const row = () => ({ ...where, day: localDay(where.at, zone), visitor: visitorNow(), ip: '203.0.113.0' });
      const more = (index: number) => ({ referrer: referrers[index] ?? '', orderId: orders[index] ?? null });
      await recordClicks(
        own,
        Array.from({ length: clicks }, (_, index) => ({ ...row(), ...more(index) })),
      );
      await recordImpressions(own, Array.from({ length: impressions }, row));
    }
  });

  const ask = (query: string, method = 'GET') =>
    fetch(`${site.url}${entry}?${query}`, { method, headers: { 'X-API-Key': key } });

  async function get(route: string, query: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Got> {
    const answer = await ask(String(new URLSearchParams({ route, ...query })), method);
    const { status, headers } = answer;
    const text = await answer.text();
    const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
    return { status, headers, text, body: isJson && text !== '' ? JSON.parse(text) : null };
  }

  const zeros = { clicks: 0, impressions: 0, conversions: 0, ctr: null, cvr: null };
  const saturday = { clicks: 22, impressions: 38, conversions: 2, ctr: 57.89, cvr: 9.09 };
  const monday = { clicks: 4, impressions: 3, conversions: 0, ctr: 133.33, cvr: 0 };
  const week = { clicks: 26, impressions: 41, conversions: 2, ctr: 63.41, cvr: 7.69 };
  const friday = { clicks: 1, impressions: 0, conversions: 0, ctr: null, cvr: 0 };
  const sunday = { clicks: 0, impressions: 10, conversions: 0, ctr: 0, cvr: null };

  /** Days of November without events. */
  const quiet = (days: readonly number[]) =>
    days.map((day) => ({ date: `2026-11-${String(day).padStart(2, '0')}`, ...zeros }));

  const thisWeek = {
    summary: { period: 'this_week', from: '2026-11-16', to: '2026-11-21', ...week },
    by_day: [{ date: '2026-11-16', ...monday }, ...quiet([17, 18, 19, 20]), { date: '2026-11-21', ...saturday }],
  };

  test('GET /stats of a week', async () => {
    const { status, body } = await get('/stats', { period: 'thisweek' });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        ...thisWeek,
        top_ads: [
          { id: 1, name: 'Sale, now', ...saturday },
          { id: 2, name: '+Plus', ...monday },
        ],
      },
    });
  });

  test('GET /stats of everything lists the days with events, and removed banners with their last name', async () => {
    const { body } = await get('/stats');
    expect(body).toEqual({
      success: true,
      data: {
        summary: {
          ...{ period: 'all', from: null, to: null },
          ...{ clicks: 27, impressions: 51, conversions: 2, ctr: 52.94, cvr: 7.41 },
        },
        by_day: [
          { date: '2026-10-30', ...friday },
          { date: '2026-11-15', ...sunday },
          { date: '2026-11-16', ...monday },
          { date: '2026-11-21', ...saturday },
        ],
        top_ads: [
          { id: 1, name: 'Sale, now', ...saturday },
          { id: 3, name: 'Gone', clicks: 1, impressions: 10, conversions: 0, ctr: 10, cvr: 0 },
          { id: 2, name: '+Plus', ...monday },
        ],
      },
    });
  });

  test('GET /stats/summary of a position', async () => {
    expect((await get('/stats/summary', { position: '2' })).body).toEqual({
      success: true,
      data: { period: 'all', from: null, to: null, clicks: 4, impressions: 13, conversions: 0, ctr: 30.77, cvr: 0 },
    });
    const all = await get('/stats/summary');
    expect((await get('/stats/summary', { position: '0' })).text).toBe(all.text);
    expect((await get('/stats/summary', { position: '99' })).body).toMatchObject({ data: zeros });
  });

  test('each route of a banner, also at a position, has its events only', async () => {
    const asked = async (route: string, query: Readonly<Record<string, string>>) => (await get(route, query)).body;
    const summary = { clicks: 4, impressions: 3, conversions: 0 };
    expect(await asked('/stats/summary', { banner: '2' })).toMatchObject({ data: summary });
    expect(await asked('/stats/summary', { banner: '3', position: '1' })).toMatchObject({ data: { clicks: 1 } });
    expect(await asked('/stats/summary', { banner: '2', position: '1' })).toMatchObject({ data: zeros });
    expect(await asked('/stats/summary', { banner: '99' })).toMatchObject({ data: zeros });
    expect(await asked('/stats', { banner: '2' })).toMatchObject({
      data: { summary, by_day: [{ date: '2026-11-16', ...summary }], top_ads: [{ id: 2, ...summary }] },
    });
    expect(await asked('/stats/by-day', { banner: '2' })).toMatchObject({ total: 1, data: [summary] });
    expect(await asked('/stats/top-ads', { banner: '2' })).toMatchObject({ total: 1, data: [{ id: 2 }] });
    expect(await asked('/stats/compare', { banner: '2' })).toMatchObject({ data: { base: { summary } } });
    const referrers = [
      { referrer: '', clicks: 2 },
      { referrer: '=cmd()', clicks: 1 },
      { referrer: 'https://a.example/', clicks: 1 },
    ];
    expect(await asked('/stats/referrers', { banner: '2' })).toMatchObject({ total: 3, data: referrers });
    const range = { from: '2026-11-16 00:00', to: '2026-11-16 12:00' };
    expect(await asked('/stats/referrers', { banner: '2', ...range })).toMatchObject({ total: 3, data: referrers });
    expect(await asked('/stats/referrers', { banner: '1', ...range })).toMatchObject({ total: 0, data: [] });
    const csv = async (type: string) => (await get('/stats/export', { type, banner: '2' })).text.trim().split('\r\n');
    expect((await csv('clicks')).slice(1).map((line) => line.split(',')[1])).toEqual(['2', '2', '2', '2']);
    expect((await csv('impressions')).length).toBe(4);
    expect((await csv('report')).length).toBe(2);
    expect(await csv('referrers')).toEqual(['referrer,clicks', ',2', "'=cmd(),1", 'https://a.example/,1']);
  });

  test('GET /stats/summary of hours of a day', async () => {
    const range = { from: '2026-11-15 23:59:59', to: '2026-11-16T00:00' };
    expect((await get('/stats/summary', range)).body).toEqual({
      success: true,
      data: {
        ...{ period: 'custom', from: '2026-11-15 23:59:59', to: '2026-11-16 00:00:00' },
        ...{ clicks: 4, impressions: 13, conversions: 0, ctr: 30.77, cvr: 0 },
      },
    });
  });

  test('GET /stats/by-day of today without events is one day of zeros', async () => {
    const { body, headers } = await get('/stats/by-day', { period: 'today', position: '2' });
    expect(body).toEqual({ success: true, data: [{ date: '2026-11-21', ...zeros }], total: 1 });
    expect(headers.get('x-total-count')).toBe('1');
  });

  test('GET /stats/by-day of last week has all seven days', async () => {
    const { body } = await get('/stats/by-day', { period: 'last_week' });
    expect(body).toMatchObject({
      total: 7,
      data: [{ date: '2026-11-09', ...zeros }, {}, {}, {}, {}, {}, { date: '2026-11-15', ...sunday }],
    });
  });

  test('GET /stats/top-ads: most impressions, then most clicks, so many at most', async () => {
    const { body } = await get('/stats/top-ads', { limit: '1' });
    expect(body).toEqual({ success: true, data: [{ id: 1, name: 'Sale, now', ...saturday }], total: 3 });
    const all = (await get('/stats/top-ads', { fields: 'id' })).body as { data: readonly unknown[] };
    const next = await get('/stats/top-ads', { limit: '1', offset: '1', fields: 'id' });
    expect(next.body).toEqual({ success: true, data: all.data.slice(1, 2), total: 3 });
    expect(all.data[1]).toEqual({ id: expect.any(Number) });
    const link = (offset: number) => `<${entry}?route=%2Fstats%2Ftop-ads&fields=id&offset=${offset}&limit=1>`;
    expect(next.headers.get('link')).toBe(`${link(0)}; rel="prev", ${link(2)}; rel="next"`);
    expect((await get('/stats/top-ads', { limit: '100000' })).body).toMatchObject({ total: 3 });
  });

  test('GET /stats/referrers: most clicks first, the unknown one among them, page by page', async () => {
    const first = await get('/stats/referrers', { limit: '2' });
    const most = [
      { referrer: '', clicks: 24 },
      { referrer: '=cmd()', clicks: 1 },
    ];
    expect(first.body).toEqual({ success: true, data: most, total: 4 });
    expect(first.headers.get('x-total-count')).toBe('4');
    expect(first.headers.get('link')).toBe(`<${entry}?route=%2Fstats%2Freferrers&offset=2&limit=2>; rel="next"`);
    const next = await ask('route=%2Fstats%2Freferrers&offset=2&limit=2');
    const rest = [
      { referrer: 'https://a.example/', clicks: 1 },
      { referrer: 'https://b.example/?q="x",y', clicks: 1 },
    ];
    expect(await next.json()).toEqual({ success: true, data: rest, total: 4 });
    expect(next.headers.get('link')).toBe(`<${entry}?route=%2Fstats%2Freferrers&offset=0&limit=2>; rel="prev"`);
    expect((await get('/stats/referrers', { start: '9' })).body).toEqual({ success: true, data: [], total: 4 });
    const none = await get('/stats/referrers', { period: 'last_week' });
    expect(none.body).toEqual({ success: true, data: [], total: 0 });
  });

  test('GET /stats/compare of this week with the one before', async () => {
    const { body } = await get('/stats/compare');
    expect(body).toEqual({
      success: true,
      data: {
        base: thisWeek,
        compare: {
          summary: { period: 'last_week', from: '2026-11-09', to: '2026-11-15', ...sunday },
          by_day: [...quiet([9, 10, 11, 12, 13, 14]), { date: '2026-11-15', ...sunday }],
        },
        delta: { clicks: null, impressions: 310, conversions: null, ctr: null, cvr: null },
      },
    });
  });

  test('GET /stats/compare of periods by their other names', async () => {
    const { body } = await get('/stats/compare', { base: 'month', compare: 'lastmonth', position: '1' });
    expect(body).toMatchObject({
      data: {
        base: { summary: { period: 'this_month', ...saturday } },
        compare: { summary: { period: 'last_month', ...friday } },
        delta: { clicks: 2100, impressions: null, conversions: null, ctr: null, cvr: null },
      },
    });
  });

  test.each<[name: string, route: string, query: Record<string, string>, message: string]>([
    ['period', '/stats', { period: 'yesterday' }, 'period must be one of all, '],
    ['from', '/stats/summary', { from: '2026-02-30' }, 'from must be a date '],
    ['to', '/stats/by-day', { to: 'tomorrow' }, 'to must be a date '],
    ['from later than to', '/stats/export', { from: '2026-11-02', to: '2026-11-01' }, 'from must not be later than to'],
    ['position', '/stats', { position: '-1' }, 'position must be a whole number, 0 to 4294967295'],
    ['position of letters', '/stats/compare', { position: 'x' }, 'position must be a whole number, 0 to 4294967295'],
    ['banner', '/stats/summary', { banner: '-1' }, 'banner must be a whole number, 0 to 4294967295'],
    ['banner of letters', '/stats/export', { banner: 'Sale' }, 'banner must be a whole number, 0 to 4294967295'],
    ['limit', '/stats/top-ads', { limit: '0' }, 'limit must be a whole number, 1 or more'],
    ['offset', '/stats/referrers', { offset: '1.5' }, 'offset must be a whole number, 0 or more'],
    ['base', '/stats/compare', { base: 'never' }, 'base must be one of all, '],
    ['compare', '/stats/compare', { compare: 'never' }, 'compare must be one of all, '],
    ['fields of days', '/stats/by-day', { fields: 'day' }, 'fields must be a comma list of: date, clicks, '],
    ['fields of banners', '/stats/top-ads', { fields: 'url' }, 'fields must be a comma list of: id, name, clicks, '],
    ['fields of referrers', '/stats/referrers', { fields: 'x' }, 'fields must be a comma list of: referrer, clicks'],
    ['bom', '/stats/export', { bom: 'true' }, 'bom must be one of: 0, 1'],
    ['type', '/stats/export', { type: 'json' }, 'type must be one of clicks, impressions, referrers, report, summary'],
  ])('400 names %s', async (_name, route, query, message) => {
    const { status, body } = await get(route, query);
    expect([status, body]).toEqual([400, { success: false, message: expect.stringContaining(message) }]);
  });

  test.each([
    ...['/stats', '/stats/summary', '/stats/by-day', '/stats/top-ads', '/stats/referrers', '/stats/compare'],
    '/stats/export',
  ])('%s is never kept', async (route) => {
    const read = await get(route);
    expect([read.status, read.headers.get('cache-control'), read.headers.get('etag')]).toEqual([200, 'no-store', null]);
  });

  /** Ids are counted by the database, so they are left out of the lines. */
  const withoutIds = (text: string) => text.split('\r\n').map((line) => line.replace(/^\d+,/, ''));

  test('clicks as CSV: quoted, without formulas, in the order of time', async () => {
    const { headers, text } = await get('/stats/export', { type: 'clicks', to: '2026-11-16' });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="banner-clicks-2026-11-16.csv"');
    expect(withoutIds(text)).toEqual([
      'id,ad_id,ad_name,position_id,position_name,clicked_at,referrer,ip,order_id',
      '3,Gone,1,Top,2026-10-30T11:00:00Z,"https://b.example/?q=""x"",y",203.0.113.0,',
      "2,'+Plus,2,,2026-11-15T23:00:00Z,https://a.example/,203.0.113.0,",
      "2,'+Plus,2,,2026-11-15T23:00:00Z,'=cmd(),203.0.113.0,",
      "2,'+Plus,2,,2026-11-15T23:00:00Z,,203.0.113.0,",
      "2,'+Plus,2,,2026-11-15T23:00:00Z,,203.0.113.0,",
      '',
    ]);
  });

  test('impressions as CSV', async () => {
    const { text } = await get('/stats/export', { type: 'impressions', period: 'today' });
    const lines = withoutIds(text);
    expect(lines).toHaveLength(40);
    expect(lines.slice(0, 2)).toEqual([
      'id,ad_id,ad_name,position_id,position_name,shown_at,ip',
      '1,"Sale, now",1,Top,2026-11-21T08:00:00Z,203.0.113.0',
    ]);
  });

  test.each(exportTypes)('marks %s as UTF-8 for spreadsheets where bom=1 asks for it', async (type) => {
    const bytesOf = async (query: Record<string, string>) => {
      const response = await ask(String(new URLSearchParams({ route: '/stats/export', type, ...query })));
      return Buffer.from(await response.arrayBuffer());
    };
    const plain = await bytesOf({});
    expect(await bytesOf({ bom: '0' })).toEqual(plain);
    expect(await bytesOf({ bom: '1' })).toEqual(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), plain]));
  });

  test('referrers as CSV', async () => {
    const { text, headers } = await get('/stats/export', { type: 'referrers' });
    expect(headers.get('content-disposition')).toBe('attachment; filename="banner-referrers-all.csv"');
    expect(text).toBe(
      `referrer,clicks\r\n,24\r\n'=cmd(),1\r\nhttps://a.example/,1\r\n"https://b.example/?q=""x"",y",1\r\n`,
    );
  });

  test('the report as CSV is the summary, and what is exported when no type is named', async () => {
    const report = await get('/stats/export', { type: 'report', period: 'this_week' });
    expect(report.text).toBe(
      [
        'date,impressions,clicks,conversions,ctr,cvr',
        '2026-11-16,3,4,0,133.33,0',
        ...['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'].map((date) => `${date},0,0,0,,`),
        '2026-11-21,38,22,2,57.89,9.09',
        '',
      ].join('\r\n'),
    );
    expect((await get('/stats/export', { type: 'summary', period: 'this_week' })).text).toBe(report.text);
    expect((await get('/stats/export', { period: 'this_week' })).text).toBe(report.text);
  });
});
