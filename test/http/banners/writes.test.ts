/** POST /ads, PATCH /ads/{id}, POST /ads/from-template: what is written, what is refused, and the audit entries. */
import { beforeAll, describe, expect, it } from 'vitest';
import { addPosition } from '../../../src/banners/management/positions.js';
import { addPreset } from '../../../src/banners/management/presets.js';
import { bannerFieldNames } from '../../../src/banners/rules/banner-fields.js';
import { bannerDefaults } from '../../support/banner-defaults.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { key, type ManagementSite, startManagementSite } from './management-site.js';

const counters = { clicks: 0, impressions: 0, conversions: 0 };

const everything = {
  ...{ name: 'Летняя <b>распродажа</b> 😀', url: 'https://shop.example/[[+campaign]]?from={source}' },
  ...{ image: 'banners/летo 1.png', source: 3, active: 0, description: 'Half\nprice', type: 'html' },
  ...{ html: '<a href="#">x</a>', start: '2026-11-01T00:00:00Z', end: '2027-11-01T00:00:00Z', product_id: 0 },
  ...{ category_id: 9, max_clicks: 100, max_impressions: 4_294_967_295, show_hours: { days: [1, 5], hours: [9, 18] } },
  ...{ target_resource_id: 12, target_parent_id: 0, tags: ['sale', 'summer-2026'] },
};

describeEachDatabase('writing banners', (database) => {
  let site: ManagementSite;
  let left: number;
  let right: number;

  beforeAll(async () => {
    site = await startManagementSite(await database.url());
    left = (await addPosition(site.store, { name: 'Left', context_key: '', username: 'cli' })).id;
    right = (await addPosition(site.store, { name: 'Right', context_key: 'web', username: 'cli' })).id;
  });

  const lastAudit = async () => (await site.list('/audit?limit=1'))[0];
  const auditCount = async () => Number((await site.rows('SELECT COUNT(*) FROM hcd_ad_audit'))[0]?.[0]);

  it('creates a banner from only a name', async () => {
    const before = await auditCount();
    const made = await site.api('POST', '/ads', { name: 'Plain' });
    const id = Number((made.body['data'] as Record<string, unknown>)['id']);
    const banner = { id, name: 'Plain', ...bannerDefaults, ...counters, positions: [], current_image: '', counters };
    expect([made.status, made.body]).toEqual([201, { success: true, data: banner }]);
    expect(made.headers.get('location')).toBe(`/banners/api.php?route=/ads/${id}`);
    expect((await site.api('GET', `/ads/${id}`)).body).toEqual({ success: true, data: banner });
    expect(await auditCount()).toBe(before + 1);
    expect(await lastAudit()).toEqual({
      ...{ id: expect.any(Number), entity: 'ad', entity_id: id, label: 'Plain', action: 'create' },
      ...{ created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/), username: 'rest-api' },
      payload: { before: null, after: { name: 'Plain', ...bannerDefaults, positions: [] } },
    });
  });

  it('keeps every field as it was given', async () => {
    const made = await site.api('POST', '/ads', { ...everything, positions: [right, left] });
    expect(made.status).toBe(201);
    const { id } = made.body['data'] as { id: number };
    const positions = [left, right].sort((a, b) => a - b);
    const banner = { id, ...everything, ...counters, positions, current_image: 'banners/летo 1.png', counters };
    expect(made.body['data']).toEqual(banner);
    expect((await site.api('GET', `/ads/${id}`)).body['data']).toEqual(banner);
    expect((await lastAudit())?.['payload']).toEqual({ before: null, after: { ...everything, positions } });
  });

  it('changes what is given and nothing else', async () => {
    const id = await site.make({ ...everything, positions: [left] });
    const before = await auditCount();
    const changed = await site.api('PATCH', `/ads/${id}`, { active: true, tags: null, end: null, newimage: 'new.png' });
    const now = { ...everything, active: 1, tags: [], end: null, image: 'new.png' };
    const shown = { id, ...now, ...counters, positions: [left], current_image: 'new.png', counters };
    expect([changed.status, changed.body]).toEqual([200, { success: true, data: shown }]);
    expect((await site.api('GET', `/ads/${id}`)).body['data']).toEqual(shown);
    expect(await auditCount()).toBe(before + 1);
    expect(await lastAudit()).toMatchObject({
      ...{ entity: 'ad', entity_id: id, action: 'update', username: 'rest-api' },
      payload: {
        before: { active: 0, tags: ['sale', 'summer-2026'], end: '2027-11-01T00:00:00Z', image: 'banners/летo 1.png' },
        after: { active: 1, tags: [], end: null, image: 'new.png' },
      },
    });
  });

  it('writes nothing for an empty change', async () => {
    const id = await site.make({ name: 'Same' });
    const before = await auditCount();
    expect((await site.api('PATCH', `/ads/${id}`, {})).status).toBe(200);
    expect(await auditCount()).toBe(before + 1);
    expect(await lastAudit()).toMatchObject({ action: 'update', payload: { before: {}, after: {} } });
  });

  it('positions: absent leaves them, a list replaces them, [] removes them; links that stay are the same', async () => {
    const id = await site.make({ name: 'Linked', positions: [left, right] });
    const links = () =>
      site.rows(`SELECT id, position, idx, weight FROM hcd_ad_links WHERE ad = ${id} ORDER BY position`);
    await site.own(`UPDATE hcd_ad_links SET weight = 7 WHERE ad = ${id} AND position = ${right}`);
    const [, ofRight] = await links();
    await site.api('PATCH', `/ads/${id}`, { name: 'Renamed' });
    expect((await links()).length).toBe(2);
    await site.api('PATCH', `/ads/${id}`, { positions: [right] });
    expect(await links()).toEqual([ofRight]);
    expect(await lastAudit()).toMatchObject({
      payload: { before: { positions: [left, right] }, after: { positions: [right] } },
    });
    const back = await site.api('PATCH', `/ads/${id}`, { positions: [String(left), right, right] });
    expect((back.body['data'] as Record<string, unknown>)['positions']).toEqual([left, right]);
    expect((await links())[1]).toEqual(ofRight);
    await site.api('PATCH', `/ads/${id}`, { positions: [] });
    expect(await links()).toEqual([]);
  });

  it('adds new links at the end and closes gaps of removed ones', async () => {
    const { id: place } = await addPosition(site.store, { name: 'Row', context_key: '', username: 'cli' });
    const ids = [];
    for (const name of ['a', 'b', 'c', 'd']) ids.push(await site.make({ name, positions: [place] }));
    const order = async () => (await site.list(`/positions/${place}/ads`)).map((row) => `${row['name']} ${row['idx']}`);
    expect(await order()).toEqual(['a 0', 'b 1', 'c 2', 'd 3']);
    await site.api('PATCH', `/ads/${ids[1]}`, { positions: [] });
    expect(await order()).toEqual(['a 0', 'c 1', 'd 2']);
    await site.api('PATCH', `/ads/${ids[1]}`, { positions: [place] });
    expect((await order()).at(-1)).toEqual('b 3');
  });

  it('reports every problem and writes nothing', async () => {
    const before = [await auditCount(), (await site.rows('SELECT COUNT(*) FROM hcd_ads'))[0]];
    const dates = { start: '2027-01-01T00:00:00Z', end: '2026-01-01T00:00:00Z' };
    const wrong = { url: 'javascript:alert(1)', active: 2, product_id: 1, category_id: 2, size: '300x250' };
    const answer = await site.api('POST', '/ads', { ...wrong, ...dates, positions: [left, 998, 999] });
    const errors = {
      url: [expect.stringMatching(/^must be an http or https address/)],
      active: ['must be 0 or 1'],
      size: [`is not a field of a banner; the fields are ${bannerFieldNames.join(', ')}`],
      name: ['is required'],
      product_id: ['excludes category_id: set one of them to 0'],
      category_id: ['excludes product_id: set one of them to 0'],
      end: ['must not be before start'],
      positions: ['there are no positions 998, 999'],
    };
    expect([answer.status, answer.body]).toEqual([422, { success: false, message: 'validation failed', errors }]);
    expect([await auditCount(), (await site.rows('SELECT COUNT(*) FROM hcd_ads'))[0]]).toEqual(before);
  });

  it('checks a change together with stored values', async () => {
    const id = await site.make({ name: 'Pair', product_id: 3, start: 1_800_000_000 });
    const answer = await site.api('PATCH', `/ads/${id}`, { category_id: 4, end: 1_700_000_000, positions: [997] });
    expect(answer.status).toBe(422);
    expect(answer.body['errors']).toEqual({
      ...{ category_id: ['excludes product_id: set one of them to 0'], end: ['must not be before start'] },
      positions: ['there is no position 997'],
    });
    expect((await site.api('PATCH', `/ads/${id}`, { category_id: 4, product_id: null })).status).toBe(200);
  });

  it('answers 404 for an unknown banner with any body', async () => {
    for (const id of ['999999', '4294967295']) {
      const answer = await site.api('PATCH', `/ads/${id}`, { nonsense: 1 });
      expect([answer.status, answer.body]).toEqual([404, { success: false, message: 'not found' }]);
    }
  });

  it('creates a banner from a template', async () => {
    const defaults = { tags: ['sidebar'], max_clicks: 50, active: 0, end: '2027-01-01T00:00:00Z', type: 'html' };
    const given = { name: 'Sidebar 300×250', type: 'image', tpl: 'sidebar', defaults, username: 'cli' } as const;
    const preset = await addPreset(site.store, given);
    const before = await auditCount();
    const made = await site.api('POST', '/ads/from-template', { template_id: preset.id, positions: [right] });
    const { id } = made.body['data'] as { id: number };
    const values = { ...bannerDefaults, name: preset.name, ...defaults };
    const banner = { id, ...values, ...counters, positions: [right], current_image: '', counters };
    expect([made.status, made.body]).toEqual([201, { success: true, data: banner }]);
    expect(await auditCount()).toBe(before + 1);
    expect(await lastAudit()).toMatchObject({
      ...{ entity: 'ad', entity_id: id, label: preset.name, action: 'create_from_template', username: 'rest-api' },
      payload: { before: null, after: { ...values, positions: [right] } },
    });
    const without = await site.api('POST', '/ads/from-template', { template_id: String(preset.id) });
    expect((without.body['data'] as Record<string, unknown>)['positions']).toEqual([]);
  });

  const none = { template_id: ['there is no template 12345'] };

  it.each<[name: string, body: Record<string, unknown>, errors: Record<string, string[]>]>([
    ['nothing', {}, { template_id: ['is required'] }],
    ['null', { template_id: null }, { template_id: ['must be the id of a template'] }],
    ['a text', { template_id: 'x' }, { template_id: ['must be the id of a template'] }],
    ['a template that is not there', { template_id: 12_345 }, none],
    [
      'a position that is not there',
      { template_id: 12_345, positions: [996] },
      { ...none, positions: ['there is no position 996'] },
    ],
    [
      'a name',
      { template_id: 12_345, name: 'x' },
      { ...none, name: ['is not accepted here; the fields are template_id, positions'] },
    ],
    [
      'positions that are no list',
      { template_id: 12_345, positions: 1 },
      { ...none, positions: ['must be a list of at most 1000 ids of positions'] },
    ],
  ])('refuses to make one from %s', async (_name, body, errors) => {
    const answer = await site.api('POST', '/ads/from-template', body);
    expect([answer.status, answer.body]).toEqual([422, { success: false, message: 'validation failed', errors }]);
  });

  it('fifty writers at once lose nothing, and each leaves its entry', async () => {
    const { id: place } = await addPosition(site.store, { name: 'Crowd', context_key: '', username: 'cli' });
    const shared = await site.make({ name: 'Shared' });
    const before = await auditCount();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => {
        if (at % 5 === 0) return site.api('PATCH', `/ads/${shared}`, { max_clicks: at + 1, positions: [place] });
        if (at % 5 === 1) return site.api('PATCH', `/ads/${shared}`, { description: `by ${at}` });
        return site.api('POST', '/ads', { name: `Writer ${at}`, positions: [place] });
      }),
    );
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 201)).toEqual([]);
    expect(await auditCount()).toBe(before + 50);
    const rows = await site.list(`/positions/${place}/ads?limit=500`);
    expect(rows.map((row) => row['idx'])).toEqual(Array.from({ length: 31 }, (_, idx) => idx));
    expect(new Set(rows.map((row) => row['name'])).size).toBe(31);
    // The last change of each field is what its entry says, and every entry goes on from the one before.
    const entries = (await site.list(`/audit?action=update&limit=500&dir=asc`)).filter(
      (entry) => entry['entity_id'] === shared,
    );
    const { data } = (await site.api('GET', `/ads/${shared}`)).body as { data: Record<string, unknown> };
    for (const field of ['max_clicks', 'description']) {
      const steps = entries
        .map((entry) => entry['payload'] as Record<string, Record<string, unknown>>)
        .filter(({ after }) => after !== undefined && field in after);
      expect(steps.map(({ before: was }) => was?.[field]).slice(1)).toEqual(
        steps.map(({ after }) => after?.[field]).slice(0, -1),
      );
      expect(data[field]).toBe(steps.at(-1)?.['after']?.[field]);
    }
  });
});

const writes = [
  ['POST', '/ads'],
  ['POST', '/ads/from-template'],
  ['PATCH', '/ads/1'],
  ['POST', '/conversions'],
] as const;

describe('the way to a write', () => {
  let site: ManagementSite;

  beforeAll(async () => {
    site = await startManagementSite(await freshSqliteUrl());
  });

  it('what is no JSON object is invalid json on every route', async () => {
    for (const body of ['{name: "x"}', '[]', 'null', '{"name": "x", "__proto__": {}}'])
      for (const [method, route] of writes) {
        const answer = await site.api(method, route, body);
        expect([answer.status, answer.text], body).toEqual([400, '{"success":false,"message":"invalid json"}']);
      }
  });

  it('a field named body is a field like others', async () => {
    const answer = await site.api('POST', '/ads', { name: 'x', body: 1 });
    expect([answer.status, Object.keys(answer.body['errors'] as object)]).toEqual([422, ['body']]);
  });

  it('another type of body is 415, a body without an end 413', async () => {
    const form = await site.api('POST', '/ads', 'name=x', { 'content-type': 'application/x-www-form-urlencoded' });
    expect([form.status, form.body]).toEqual([415, { success: false, message: 'Send the body as application/json' }]);
    const large = await site.api('POST', '/ads', { name: 'x', html: 'x'.repeat(1_100_000) });
    const message = 'The body is larger than 1048576 bytes';
    expect([large.status, large.body]).toEqual([413, { success: false, message }]);
  });

  it('checks the switch for writes before body and record', async () => {
    const off = await startManagementSite(await freshSqliteUrl(), { env: { HCD_BANNERS_API_WRITE_ENABLED: '0' } });
    const refusal = [403, '{"success":false,"message":"write disabled"}'];
    for (const [method, route] of writes) {
      const answer = await off.api(method, route, 'no json');
      expect([answer.status, answer.text]).toEqual(refusal);
    }
    expect((await off.api('POST', '/nowhere', '{}')).status).toBe(404);
    expect((await off.api('PUT', '/ads', '{}')).status).toBe(405);
    expect((await off.api('POST', '/ads', '{}', { 'x-api-key': `${key}0` })).status).toBe(401);
    expect((await off.api('GET', '/ads')).status).toBe(200);
  });

  it.each([
    ...['/ads/0', '/ads/x', '/ads/1.5', '/ads/-1', '/ads/4294967296', '/ads/1/', '/ads/1/nothing', '/ADS'],
    '/positions/x/ads',
  ])('%s is no route', async (route) => {
    const answer = await site.api('GET', route);
    expect([answer.status, answer.body]).toEqual([404, { success: false, message: 'not found' }]);
  });
});
