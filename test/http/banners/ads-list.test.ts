/** GET /ads: every parameter, good and bad; pages with their headers; the order of rows; what is shown of a banner. */
import { beforeAll, describe, expect, it } from 'vitest';
import { addPosition } from '../../../src/banners/management/positions.js';
import { whyOff } from '../../../src/banners/rules/targeting.js';
import { fakeClock } from '../../support/clock.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { key, type ManagementSite, startManagementSite } from './management-site.js';

const names = async (site: ManagementSite, query: string) =>
  (await site.list(`/ads${query === '' ? '' : `?${query}`}`)).map((row) => row['name']);

describeEachDatabase('filters and orders of banners', (database) => {
  let site: ManagementSite;
  let top: number;
  let side: number;

  beforeAll(async () => {
    // A Saturday in Berlin already, at half past midnight; still Friday in UTC.
    const clock = fakeClock(Date.parse('2026-11-20T23:30:00Z'));
    site = await startManagementSite(await database.url(), { clock, env: { HCD_BANNERS_TIMEZONE: 'Europe/Berlin' } });
    top = (await addPosition(site.store, { name: 'Top', context_key: '', username: 'cli' })).id;
    side = (await addPosition(site.store, { name: 'Side', context_key: '', username: 'cli' })).id;
    await site.make({ name: 'alpha', description: 'ÄRGER 100% _ok_', tags: ['sale', 'a_b'], positions: [top, side] });
    await site.make({ name: 'Beta', type: 'html', html: 'x', active: 0, product_id: 5, positions: [top] });
    await site.make({ name: 'ΓΑΜΜΑ ΟΔΟΣ', start: '2026-11-20T23:30:00Z', category_id: 7, tags: ['axb', 'sale-2'] });
    await site.make({ name: 'delta', end: '2026-11-20T23:29:59Z', show_hours: { days: [6] }, positions: [side] });
    await site.make({ name: 'Epsilon!', show_hours: { days: [6], hours: [0] }, description: 'x\\y' });
    await site.make({ name: 'zeta', show_hours: { days: [5] }, start: '2026-01-01T00:00:00Z' });
  });

  const every = ['alpha', 'Beta', 'ΓΑΜΜΑ ΟΔΟΣ', 'delta', 'Epsilon!', 'zeta'];

  it.each<[query: string, found: string[]]>([
    ['', every],
    ['query=', every],
    ['query=ETA', ['Beta', 'zeta']],
    ['query=ärger', ['alpha']],
    ['query=arger', []],
    ['query=γαμμα', ['ΓΑΜΜΑ ΟΔΟΣ']],
    ['query=%25', ['alpha']],
    ['query=_', ['alpha']],
    ['query=!', ['Epsilon!']],
    ['query=%5C', ['Epsilon!']],
    ['query=%25%25', []],
    ["query=' OR 1=1 --", []],
    ['active=1', ['alpha', 'ΓΑΜΜΑ ΟΔΟΣ', 'delta', 'Epsilon!', 'zeta']],
    ['active=0', ['Beta']],
    ['type=html', ['Beta']],
    ['type=image&query=eta', ['zeta']],
    ['product_id=5', ['Beta']],
    ['product_id=0', ['alpha', 'ΓΑΜΜΑ ΟΔΟΣ', 'delta', 'Epsilon!', 'zeta']],
    ['product_id=6', []],
    ['category_id=7', ['ΓΑΜΜΑ ΟΔΟΣ']],
    ['tag=sale', ['alpha']],
    ['tag=sale-2', ['ΓΑΜΜΑ ΟΔΟΣ']],
    ['tag=a_b', ['alpha']],
    ['tag=sal', []],
    ['position=TOP', ['alpha', 'Beta']],
    ['position=SIDE', ['alpha', 'delta']],
    ['position=TOP,SIDE', ['alpha', 'Beta', 'delta']],
    ['position=TOP&mode=include', ['alpha', 'Beta']],
    ['position=TOP&mode=exclude', ['ΓΑΜΜΑ ΟΔΟΣ', 'delta', 'Epsilon!', 'zeta']],
    ['position=TOP,SIDE&mode=exclude', ['ΓΑΜΜΑ ΟΔΟΣ', 'Epsilon!', 'zeta']],
    ['position=', []],
    ['position=0', []],
    ['position=4000000000', []],
    ['mode=include', []],
    ['position=&mode=include', []],
    ['position=&mode=exclude', every],
    ['mode=exclude', every],
    ['on_schedule=1', ['alpha', 'Beta', 'ΓΑΜΜΑ ΟΔΟΣ', 'Epsilon!']],
    ['on_schedule=1&active=1&query=l', ['alpha', 'Epsilon!']],
    ['on_schedule=0', every],
    ['sort=id&dir=desc', ['zeta', 'Epsilon!', 'delta', 'ΓΑΜΜΑ ΟΔΟΣ', 'Beta', 'alpha']],
    ['sort=name', ['Beta', 'Epsilon!', 'alpha', 'delta', 'zeta', 'ΓΑΜΜΑ ΟΔΟΣ']],
    ['sort=name&dir=DESC', ['ΓΑΜΜΑ ΟΔΟΣ', 'zeta', 'delta', 'alpha', 'Epsilon!', 'Beta']],
    ['sort=active', ['Beta', 'alpha', 'ΓΑΜΜΑ ΟΔΟΣ', 'delta', 'Epsilon!', 'zeta']],
    ['sort=start', ['alpha', 'Beta', 'delta', 'Epsilon!', 'zeta', 'ΓΑΜΜΑ ΟΔΟΣ']],
    ['sort=start&dir=desc', ['ΓΑΜΜΑ ΟΔΟΣ', 'zeta', 'alpha', 'Beta', 'delta', 'Epsilon!']],
    ['sort=end&dir=desc&limit=1', ['delta']],
    ['limit=2', ['alpha', 'Beta']],
    ['limit=2&offset=4', ['Epsilon!', 'zeta']],
    ['limit=2&start=4', ['Epsilon!', 'zeta']],
    ['offset=100', []],
    ['limit=501', every],
    ['nobody_knows_this=1', every],
  ])('%s', async (query, found) => {
    expect(await names(site, query.replace('TOP', String(top)).replace('SIDE', String(side)))).toEqual(found);
  });

  it('finds the same banners on schedule as the rule', async () => {
    const now = Date.parse('2026-11-20T23:30:00Z');
    const moments = [null, ...[-1, 0, 1].map((seconds) => now / 1000 + seconds)];
    const on = (days: number[], ...hours: number[]) => ({ days, hours });
    const hours = [null, on([5]), on([6, 7]), on([], 23), on([], 0, 12), on([6], 1, 0), on([6], 1)];
    const made = moments
      .flatMap((start) => moments.flatMap((end) => hours.map((show_hours) => ({ start, end, show_hours }))))
      .filter(({ start, end }) => start === null || end === null || start <= end)
      .map((dates, at) => ({ name: `Combined ${at}`, ...dates }));
    for (const banner of made) await site.make(banner);
    const expected = made.filter(
      (banner) => whyOff({ ...banner, active: 1 }, { ms: now, zone: 'Europe/Berlin' }) === null,
    );
    expect(await names(site, 'on_schedule=1&query=Combined&limit=500')).toEqual(expected.map(({ name }) => name));
    expect([expected.length, made.length]).toEqual([36, 91]);
  });

  it('rows have counters and positions', async () => {
    const [row] = await site.list('/ads?query=alpha');
    const id = row?.['id'];
    await site.own(
      `INSERT INTO hcd_ad_days (day, ad, position, clicks, impressions, conversions) VALUES (20260101, ${id}, ${top}, 3, 10, 1), (20260102, ${id}, ${side}, 4, 20, 0)`,
    );
    const [counted] = await site.list('/ads?query=alpha&fields=clicks,positions,impressions,conversions');
    expect(counted).toEqual({ clicks: 7, impressions: 30, conversions: 1, positions: [top, side] });
    const { body } = await site.api('GET', `/ads/${id}?fields=counters,name`);
    expect(body['data']).toEqual({ name: 'alpha', counters: { clicks: 7, impressions: 30, conversions: 1 } });
  });
});

describe('parameters of banners', () => {
  let site: ManagementSite;

  beforeAll(async () => {
    site = await startManagementSite(await freshSqliteUrl());
    for (let at = 1; at <= 45; at += 1) await site.make({ name: `Banner ${at}` });
  });

  const members =
    'id, name, url, image, source, active, description, type, html, start, end, product_id, category_id, max_clicks, max_impressions, show_hours, target_resource_id, target_parent_id, tags, clicks, impressions, conversions, positions, current_image';

  const integer = 'must be an integer from 0 to 4294967295';

  it.each<[message: string, ...queries: string[]]>([
    ['active must be one of: 0, 1', 'active=2', 'active=true'],
    ['type must be one of: image, html', 'type=video', 'type=HTML'],
    [`product_id ${integer}`, 'product_id=x', 'product_id=-1', 'product_id=4294967296'],
    [`category_id ${integer}`, 'category_id=1.5'],
    ['tag must be a tag: 1 to 64 characters of a-z, 0-9, _ and -', 'tag=A', 'tag="'],
    ['position must be a comma list of integers from 0 to 4294967295', 'position=x', 'position=1,'],
    ['mode must be one of: include, exclude', 'mode=only'],
    ['on_schedule must be one of: 0, 1', 'on_schedule=yes'],
    ['sort must be one of: id, name, active, start, end', 'sort=price', 'sort=id,name'],
    ['dir must be one of: asc, desc', 'dir=up'],
    ['limit must be a whole number, 1 or more', 'limit=0', 'limit=-1', 'limit=x'],
    ['offset must be a whole number, 0 or more', 'offset=-1', 'offset=1e3'],
    ['start must be a whole number, 0 or more', 'start=x'],
    ['offset and start are the same; give one of them', 'offset=1&start=2'],
    [`fields must be a comma list of: ${members}`, 'fields=id,price', 'fields=,', 'fields=__proto__'],
    ['limit is given more than once; give it once', 'limit=1&limit=2'],
    ['query is given more than once; give it once', 'query=a&query=b'],
  ])('400: %s', async (message, ...queries) => {
    for (const query of queries) {
      const answer = await site.api('GET', `/ads?${query}`);
      expect([answer.status, answer.body], query).toEqual([400, { success: false, message }]);
    }
  });

  it('links to neighbours of a page with the other parameters', async () => {
    const page = async (query: string) => {
      const { status, body, headers } = await site.api('GET', `/ads?${query}`);
      const rows = body['data'] as readonly unknown[];
      return [status, rows.length, body['total'], headers.get('x-total-count'), headers.get('link')];
    };
    const link = (rel: string, query: string): string => `</banners/api.php?route=%2Fads&${query}>; rel="${rel}"`;
    expect(await page('')).toEqual([200, 20, 45, '45', link('next', 'offset=20&limit=20')]);
    const both = `${link('prev', 'sort=name&dir=desc&fields=id&offset=0&limit=20')}, ${link('next', 'sort=name&dir=desc&fields=id&offset=40&limit=20')}`;
    expect(await page('sort=name&dir=desc&offset=20&fields=id&api_key=x')).toEqual([200, 20, 45, '45', both]);
    expect(await page('start=40')).toEqual([200, 5, 45, '45', link('prev', 'offset=20&limit=20')]);
    expect(await page('limit=500')).toEqual([200, 45, 45, '45', null]);
    expect(await page('offset=4000000000&limit=10')).toEqual([200, 0, 45, '45', link('prev', 'offset=35&limit=10')]);
    expect(await page('query=nothing-like-it&offset=5')).toEqual([200, 0, 0, '0', null]);
  });

  it('the address of a neighbour leads there', async () => {
    const first = await site.api('GET', '/ads?query=Banner&limit=30');
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1];
    const response = await fetch(`${site.url}${next}`, { headers: { 'x-api-key': key } });
    const body = (await response.json()) as { data: readonly { name: string }[] };
    expect(body.data.map(({ name }) => name)).toEqual(Array.from({ length: 15 }, (_, at) => `Banner ${at + 31}`));
  });
});
