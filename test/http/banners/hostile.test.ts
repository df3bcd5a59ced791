/** Whatever is sent to the management routes, they answer in their own shape, and never with a fault of the server. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { addPosition } from '../../../src/banners/management/positions.js';
import { bannerFieldNames } from '../../../src/banners/rules/banner-fields.js';
import { describeEachDatabase } from '../../support/databases.js';
import { type ManagementSite, startManagementSite } from './management-site.js';

const hostile = [
  ...[
    "'; DROP TABLE hcd_ads; --",
    '" OR ""="',
    '%_!\\',
    '\u202e\u0000',
    '😀'.repeat(100),
    '١٢٣',
    '1e309',
    '-1',
    '0x10',
  ],
  ...['9007199254740993', '[[+a]]', '../../etc/passwd', '<script>alert(1)</script>', '__proto__', 'constructor'],
];
const text = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'binary', maxLength: 30 }));

describeEachDatabase('hostile requests', (database) => {
  let site: ManagementSite;
  let banner: number;

  beforeAll(async () => {
    site = await startManagementSite(await database.url());
    const { id } = await addPosition(site.store, { name: 'Place', context_key: '', username: 'cli' });
    banner = await site.make({ name: 'Target', positions: [id] });
  });

  it('parameters', async () => {
    const routes = ['/ads', '/ads/1', '/ads/1/clicks', '/positions', '/positions/1/ads', '/audit', '/templates'];
    const names = [
      ...['query', 'active', 'type', 'product_id', 'category_id', 'tag', 'position', 'mode', 'on_schedule'],
      ...['sort', 'dir', 'limit', 'offset', 'start', 'fields', 'entity', 'action'],
    ];
    const pairs = fc.array(fc.tuple(fc.constantFrom(...names), text), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...routes), pairs, async (route, query) => {
        const { status, body } = await site.api('GET', `${route}?${new URLSearchParams(query)}`);
        expect([200, 400, 404]).toContain(status);
        expect(body['success']).toBe(status === 200);
        if (status !== 200) expect(Object.keys(body)).toEqual(['success', 'message']);
      }),
      { numRuns: 150 },
    );
  });

  it('bodies', async () => {
    const scalar = fc.oneof(fc.integer(), fc.double(), fc.boolean(), fc.constant(null));
    const value = fc.oneof(text, scalar, fc.jsonValue({ maxDepth: 2 }));
    const name = fc.oneof(fc.constantFrom(...bannerFieldNames, 'template_id'), text);
    const members = fc.dictionary(name, value, { maxKeys: 6 });
    const fine = members.map((rest) => ({ name: 'Fine', ...rest }));
    const body = fc.oneof(members, fine, fc.jsonValue());
    const targets = ['POST /ads', 'POST /ads/from-template', 'PATCH /ads/ID'] as const;
    const before = Number((await site.rows('SELECT COUNT(*) FROM hcd_ad_audit'))[0]?.[0]);
    let written = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...targets), body, async (target, sent) => {
        const [method = '', route = ''] = target.replace('ID', String(banner)).split(' ');
        const answer = await site.api(method, route, JSON.stringify(sent));
        expect([200, 201, 400, 422]).toContain(answer.status);
        if (answer.status < 300) written += 1;
        if (answer.status === 422) expect(Object.keys(answer.body['errors'] as object).length).toBeGreaterThan(0);
      }),
      { numRuns: 200 },
    );
    expect(Number((await site.rows('SELECT COUNT(*) FROM hcd_ad_audit'))[0]?.[0])).toBe(before + written);
  });

  it('bodies that would be larger than they are sent', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000, ' ')).toString('latin1');
    for (const coding of ['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip']) {
      const answers = [
        await site.api('POST', '/ads', bomb, { 'Content-Encoding': coding }),
        await site.api('PATCH', `/ads/${banner}`, bomb, { 'Content-Encoding': coding }),
      ];
      for (const { status, body } of answers) expect([status, body['success']], coding).toEqual([415, false]);
    }
  });

  it('names come back as they were sent, and are found', async () => {
    for (const name of hostile.filter((one) => !one.includes('\0'))) {
      const id = await site.make({ name, description: name, html: name, image: name });
      const { body } = await site.api('GET', `/ads/${id}`);
      expect(body['data']).toMatchObject({ id, name, description: name, html: name, image: name });
      const found = await site.list(`/ads?query=${encodeURIComponent(name)}&limit=500`);
      expect(found.map((row) => row['id'])).toContain(id);
    }
    expect((await site.rows('SELECT COUNT(*) FROM hcd_ads'))[0]).toBeDefined();
  });
});
