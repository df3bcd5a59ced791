/** What writing refuses, and in which order: rights before words, records before bodies, and never a fault of ours. */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import type { Got, TestSite } from '../../support/site.js';
import { dataOf, startWritingSite } from './writing-site.js';

const json = { 'content-type': 'application/json' };

describeEachDatabase('a write is refused', (database) => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startWritingSite(database, { env: { HCD_GATEWAY_MAX_BODY_BYTES: '20000' } });
  });

  const post = (body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Got> =>
    site.get('/resources', { as: 'all', method: 'POST', body, headers });

  test.each(['9999', '0', '-3', '03', '3.0', 'x', '99999999999999999999', '%C3%A4', 'null'])(
    'for the record %s that is not there',
    async (id) => {
      for (const object of ['/resources', '/objects/goods', '/objects/notes']) {
        const asking = { as: 'all', headers: json };
        const path = `${object}/${id}`;
        expect((await site.get(path, { ...asking, method: 'PATCH', body: '{}' })).status).toBe(404);
        expect((await site.get(path, { ...asking, method: 'PUT', body: '{"nothing":1}' })).status).toBe(404);
        expect((await site.get(path, { as: 'all', method: 'DELETE' })).status).toBe(404);
      }
    },
  );

  test.each([
    ['a form', 'pagetitle=x', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['plain text', '{"pagetitle":"x"}', { 'content-type': 'text/plain' }, 415],
    ['a compressed body', '{"pagetitle":"x"}', { ...json, 'content-encoding': 'gzip' }, 415],
    ['a body that is too large', JSON.stringify({ pagetitle: 'x', content: 'x'.repeat(20_000) }), json, 413],
    ['half of a body', '{"pagetitle":', json, 422],
    ['two names of one kind', '{"pagetitle":"a","pagetitle":"b"}', json, 422],
    ['a name of prototypes', '{"pagetitle":"a","__proto__":{"published":true}}', json, 422],
    ['a nest of lists', `{"pagetitle":"a","tvs":${'['.repeat(40)}${']'.repeat(40)}}`, json, 422],
    ['a byte order mark', '\ufeff{"pagetitle":"a"}', json, 422],
  ])('for %s', async (_name, body, headers, status) => {
    expect((await post(body, headers)).status).toBe(status);
  });

  test.each(['[]', 'null', '1', '"pagetitle"', 'true'])('for a body that is not an object: %s', async (body) => {
    const refused = await post(body, json);
    const detail = 'Invalid JSON body: The body must be a JSON object of fields';
    expect(refused.body).toMatchObject({ status: 422, code: 'validation_failed', detail, errors: {} });
  });

  test('for more members than any record has', async () => {
    const body = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`f${index}`, 0]));
    const detail = 'The JSON has an object with more than 1000 members';
    expect((await post(body)).body).toMatchObject({ status: 422, detail });
    expect((await post({ pagetitle: 'x', tvs: body })).body).toMatchObject({ status: 422, detail });
  });

  test('for template variables that are none of the template', async () => {
    const shape = ['must be one value: the variable is of the type text'];
    const absent = ['is not a template variable of the template'];
    for (const [tvs, errors] of [
      [
        { mood: {}, nothing: 'x', other: 'y' },
        { 'tvs.mood': shape, 'tvs.nothing': absent, 'tvs.other': absent },
      ],
      [
        { mood: ['x'], nothing: 'x' },
        { 'tvs.mood': shape, 'tvs.nothing': absent },
      ],
      [
        { nothing: 'x', other: 'y' },
        { 'tvs.nothing': absent, 'tvs.other': absent },
      ],
      [['mood'], { tvs: ['must be an object of values by name'] }],
    ] as const) {
      const { status, body } = await post({ pagetitle: 'x', template: 1, tvs });
      expect([status, body['errors']]).toEqual([422, errors]);
    }
  });

  test.each(['', '.', '..'])('for the key "%s", which no path can name', async (code) => {
    const body = { code, title: `Nameless ${code}` };
    const refused = await site.get('/objects/makers', { as: 'all', method: 'POST', body });
    const problem = 'must not be empty, "." or "..": no path could name the record';
    expect(refused.body).toMatchObject({ status: 422, errors: { code: [problem] } });
  });

  const known =
    'id pagetitle alias parent template content_type class_key context_key uri published uri_override pub_date ' +
    'publishedon publishedby deleted menuindex content_dispo introtext title price stock maker added sold data shelf ' +
    'place code founded rating tvs properties constructor toString';
  const names = fc.constantFrom(...known.split(' '), '', ' ');
  const odd = fc.constantFrom<unknown>(
    ...[0, -0, -1, 1e21, 1e308, -2147483649, 4294967296, 2 ** 53 + 2, 1.5, '', ' ', '0', '-1', '1e3'],
    ...[null, true, false, [], {}, 'x'.repeat(70_000 / 5), '\u{1F600}'.repeat(30)],
    ...['2026-01-01T00:00:00Z', '9999-12-31T23:59:59Z', "'; DROP TABLE x; --"],
  );
  const value = fc.oneof({ weight: 3, arbitrary: odd }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) });

  test('rather than broken, whatever JSON comes', async () => {
    const made = await site.get('/objects/goods', { as: 'all', method: 'POST', body: { title: 'Target' } });
    const targets = [
      ['POST', '/resources'],
      ['PATCH', '/resources/3'],
      ['PUT', '/resources/2'],
      ['POST', '/objects/goods'],
      ['PATCH', `/objects/goods/${dataOf(made)['id']}`],
      ['POST', '/objects/makers'],
      ['POST', '/objects/notes'],
    ] as const;
    const request = fc.tuple(fc.constantFrom(...targets), fc.dictionary(names, value, { maxKeys: 6 }));
    await fc.assert(
      fc.asyncProperty(request, async ([[method, path], body]) => {
        const full = method === 'PATCH' ? body : { pagetitle: 'Any', title: 'Any', ...body };
        const text = JSON.stringify(path.startsWith('/objects') ? without(full, 'pagetitle') : without(full, 'title'));
        const answer = await site.get(path, { as: 'all', method, body: text, headers: json });
        expect([200, 201, 409, 413, 422]).toContain(answer.status);
        expect(answer.headers.get('content-type')).toMatch(/json; charset=utf-8$/);
      }),
      { numRuns: 150 },
    );
    expect(site.log.filter((fact) => fact.kind === 'request_finished' && fact.status >= 500)).toEqual([]);
  });

  test.each([
    ['a//b', 'has an empty segment, "." or ".."'],
    ['//a//', 'has an empty segment, "." or ".."'],
    ['a/../b', 'has an empty segment, "." or ".."'],
    ['a?b', 'has ? or #, which end the path of an address'],
    ['a#b', 'has ? or #, which end the path of an address'],
    ['https://x.example/', 'begins with a scheme'],
    ['javascript:x', 'begins with a scheme'],
    ['é'.repeat(1025), 'is longer than 2048 bytes'],
  ])('with the URI %s, which no request reaches', async (uri, problem) => {
    const errors = { uri: [`must be a path such as about/team.html: it ${problem}`] };
    const body = { uri, uri_override: true };
    expect(await post({ pagetitle: 'New', alias: 'new', ...body })).toMatchObject({ status: 422, body: { errors } });
    const changed = await site.get('/resources/3', { as: 'all', method: 'PATCH', body });
    expect(changed).toMatchObject({ status: 422, body: { errors } });
  });

  test('not for slashes before a URI, which go, nor for a URI that stays', async () => {
    const made = await post({ pagetitle: 'Slashes', uri: '//docs/a.b/', uri_override: true, published: true });
    expect(dataOf(made)).toMatchObject({ uri: 'docs/a.b/' });
    expect((await site.get('/pages/docs/a.b/?fields=id')).status).toBe(200);
    const path = `/resources/${dataOf(made)['id']}`;
    await site.change([`UPDATE modx_site_content SET uri = '/old' WHERE id = ${dataOf(made)['id']}`]);
    const same = await site.get(path, { as: 'all', method: 'PATCH', body: { uri: '/old', introtext: 'x' } });
    expect([same.status, dataOf(same)['uri']]).toEqual([200, '/old']);
  });

  test('not for a slash in a title, which ends a word of the alias', async () => {
    const aliases: unknown[] = [];
    for (const pagetitle of ['A/B test', 'On / off', '/rooted/'])
      aliases.push(dataOf(await post({ pagetitle }))['alias']);
    expect(aliases).toEqual(['a-b-test', 'on-off', 'rooted']);
  });
});

function without(body: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([member]) => member !== name));
}
