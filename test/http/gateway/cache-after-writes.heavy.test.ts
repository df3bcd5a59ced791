/**
 * Writes through the gateway against its cache: whatever a write changes besides its own record (addresses of descendants,
 * folders, siblings, inherited values), no answer that is served afterwards is older than it, and 304 is said exactly
 * when the bytes are those that the client has.
 */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { resources } from '../../../src/content/objects/core-objects.js';
import { type FakeClock, fakeClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { everyColumn, listQuery } from '../../support/list-queries.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { key } from './writing-site.js';

const aliases = ['about', 'news', 'team', 'jobs', 'contact'];
const anyId = fc.integer({ min: 1, max: 14 });

const someFields = fc.record(
  {
    pagetitle: fc.constantFrom('About', 'News', 'Ünïcode', '100%'),
    alias: fc.constantFrom(...aliases),
    parent: fc.nat({ max: 14 }),
    published: fc.boolean(),
    menuindex: fc.nat({ max: 3 }),
    hidemenu: fc.boolean(),
    deleted: fc.boolean(),
    template: fc.nat({ max: 1 }),
    isfolder: fc.boolean(),
    tvs: fc.record({ colour: fc.constantFrom('red', '', '@INHERIT') }),
  },
  { requiredKeys: [] },
);

interface Write {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const patch = fc.tuple(anyId, someFields).map(([id, body]) => ({ method: 'PATCH', path: `/resources/${id}`, body }));
const post = someFields.map((fields) => {
  return { method: 'POST', path: '/resources', body: { pagetitle: 'New', published: true, ...fields } };
});
const removal = fc
  .tuple(anyId, fc.constantFrom('', '?force=1'))
  .map(([id, query]) => ({ method: 'DELETE', path: `/resources/${id}${query}` }));
const someWrite: fc.Arbitrary<Write> = fc.oneof(
  { weight: 4, arbitrary: patch },
  { weight: 2, arbitrary: post },
  { weight: 1, arbitrary: removal },
);

const shapes = ['', '?include=parent', '?include=children', '?include=tvs', '?include=children.tvs,parent.children'];
const vocabulary = { texts: [...aliases, 'About', 'web'], numbers: [0, 1, 2, 3] };

const someQuestion = fc.oneof(
  listQuery(resources, vocabulary).map((query) => `/resources?${query}`),
  fc.tuple(anyId, fc.constantFrom(...shapes)).map(([id, shape]) => `/resources/${id}${shape}`),
  fc
    .tuple(fc.constantFrom('', '/about', '/about.html', '/about/team.html', '/news/'), fc.constantFrom(...shapes))
    .map((parts) => `/pages${parts.join('')}`),
);

describeEachDatabase('after a write', (database) => {
  let site: TestSite;
  let fresh: TestSite;
  let clock: FakeClock;

  beforeAll(async () => {
    clock = fakeClock();
    const databaseUrl = await database.url();
    const cached = { ...everyColumn, HCD_GATEWAY_CACHE_ENABLED: '1', HCD_GATEWAY_CACHE_TTL: '86400' };
    site = await startTestSite({ databaseUrl, clock, identities: { all: key('*') }, env: cached });
    fresh = await startTestSite({ databaseUrl, env: everyColumn });
    await site.fill({
      site_content: Array.from({ length: 12 }, (_, index) => ({
        id: index + 1,
        pagetitle: 'About',
        alias: `page-${index}`,
        uri: `page-${index}.html`,
        parent: index < 3 ? 0 : index % 3,
        template: 1,
        isfolder: index < 3 ? 1 : 0,
      })),
      site_templates: [{ id: 1, templatename: 'One' }],
      site_tmplvars: [{ id: 1, type: 'text', name: 'colour', default_text: '@INHERIT' }],
      site_tmplvar_templates: [{ tmplvarid: 1, templateid: 1 }],
    });
    await fresh.live.refresh();
  });

  it('no answer is served that the write made stale, and others stay', async () => {
    let written = 0;
    let served = 0;
    const ask = async (from: TestSite, question: string) => {
      const { status, body, headers, text } = await from.get(question);
      const { request_id: _, ...rest } = body;
      return { age: Number(headers.get('age') ?? 0), text, answer: [question, status, rest] };
    };
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(someQuestion, { minLength: 10, maxLength: 20 }),
        fc.array(someWrite, { minLength: 1, maxLength: 5 }),
        async (questions, writes) => {
          for (const { method, path, body } of writes) {
            const before = await Promise.all(questions.map((question) => site.get(question)));
            await clock.advance(2000);
            const { status } = await site.get(path, { as: 'all', method, ...(body === undefined ? {} : { body }) });
            if (status < 300) written += 1;
            await fresh.live.refresh();
            for (const [index, question] of questions.entries()) {
              const [got, expected] = await Promise.all([ask(site, question), ask(fresh, question)]);
              expect(got.answer).toEqual(expected.answer);
              const old = before[index];
              const etag = old?.headers.get('etag') ?? null;
              if (etag !== null) {
                const again = await site.get(question, { headers: { 'if-none-match': etag } });
                expect([question, again.status === 304]).toEqual([question, old?.text === expected.text]);
              }
              if (status < 300 && got.age >= 2) served += 1;
            }
          }
        },
      ),
      { numRuns: 15 },
    );
    // Most writes are accepted and leave some answers alone, or the property says little.
    expect(Math.min(written, served)).toBeGreaterThan(5);
  });
});
