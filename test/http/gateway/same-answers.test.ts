/** The same content answers the same on SQLite and on MariaDB: whole bodies, byte for byte, for generated queries. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildRegistry } from '../../../src/content/objects/core-objects.js';
import { loadSample } from '../../../src/operations/sample/load-sample.js';
import { describeWithMariadb, freshMariadbUrl, freshSqliteUrl } from '../../support/databases.js';
import { everyColumn, listQuery, type Vocabulary } from '../../support/list-queries.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { key } from './writing-site.js';

const runs = Number(process.env['HCD_TEST_QUERIES'] ?? 40);

async function startSample(databaseUrl: string): Promise<TestSite> {
  const site = await startTestSite({ databaseUrl, identities: { all: key('*') }, env: everyColumn });
  await loadSample(site.store, { env: {}, apis: ['gateway'], onProgress: () => undefined });
  await site.live.refresh();
  return site;
}

/** What an answer says, apart from the request's own id. */
async function ask(site: TestSite, path: string, as?: string): Promise<string> {
  const { status, text, headers } = await site.get(path, {
    ...(as === undefined ? {} : { as }),
    headers: { 'x-request-id': 'the-same-for-both' },
  });
  return [status, headers.get('etag'), headers.get('cache-tag'), text].join(' ');
}

/** The surroundings of the first place where two answers differ: whole ones would fill pages. */
function firstDifference(left: string, right: string): { readonly left: string; readonly right: string } | null {
  if (left === right) return null;
  let at = 0;
  while (left[at] === right[at]) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - 80), at + 200);
  return { left: around(left), right: around(right) };
}

/** Values of the rows that the stores hold, as filters would name them. */
async function vocabularyOf(site: TestSite, object: string): Promise<Vocabulary> {
  const got = await site.get(`/objects/${object}?limit=100`, { as: 'all' });
  const values = (got.body['data'] as Record<string, unknown>[]).flatMap((record) => Object.values(record));
  const texts = values.filter((value) => typeof value === 'string' && value.length < 60) as string[];
  const numbers = values.filter((value) => typeof value === 'number');
  return { texts: [...new Set(['x', ...texts])].slice(0, 80), numbers: [...new Set([1, ...numbers])].slice(0, 80) };
}

describeWithMariadb('both stores', () => {
  let onSqlite: TestSite;
  let onMariadb: TestSite;

  beforeAll(async () => {
    onSqlite = await startSample(await freshSqliteUrl());
    onMariadb = await startSample(await freshMariadbUrl());
  });

  describe.each([...buildRegistry([]).objects.values()])('lists of $name', (definition) => {
    it('are the same', async () => {
      const known = await vocabularyOf(onSqlite, definition.name);
      const numRuns = definition.name === 'resources' ? runs * 4 : Math.ceil(runs / 2);
      await fc.assert(
        fc.asyncProperty(
          listQuery(definition, known),
          fc.constantFrom('', '&preview=1', '&include_deleted=1', '&context=journal', 'anonymous'),
          async (query, extra) => {
            const anonymous = extra === 'anonymous' && definition.name === 'resources';
            const path = `/${anonymous ? '' : 'objects/'}${definition.name}?${query}${extra.startsWith('&') ? extra : ''}`;
            const as = anonymous ? undefined : 'all';
            const [left, right] = await Promise.all([ask(onSqlite, path, as), ask(onMariadb, path, as)]);
            expect(firstDifference(left, right)).toBeNull();
            expect(left).toMatch(/^200 /);
          },
        ),
        { numRuns },
      );
    });
  });

  it('follow cursors through the same rows', async () => {
    const sorts = ['pagetitle', '-pagetitle', 'editedon,-menuindex', '-publishedon,pagetitle', 'menuindex'];
    for (const sort of sorts) {
      let next: string | undefined = `/resources?fields=id,${sort.replace(/-/g, '')}&sort=${sort}&limit=40`;
      const seen: number[] = [];
      while (next !== undefined) {
        const [left, right]: [TestAnswer, TestAnswer] = await Promise.all([
          page(onSqlite, next),
          page(onMariadb, next),
        ]);
        expect(left).toEqual(right);
        seen.push(...left.ids);
        next =
          left.cursor === undefined ? undefined : `/resources?fields=id&sort=${sort}&limit=40&cursor=${left.cursor}`;
      }
      const { body } = await onSqlite.get('/resources?limit=1');
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.length).toBe((body['meta'] as { total: number }).total);
    }
  });
});

interface TestAnswer {
  readonly ids: readonly number[];
  readonly cursor: string | undefined;
}

async function page(site: TestSite, path: string): Promise<TestAnswer> {
  const { body } = await site.get(path);
  const meta = body['meta'] as { next_cursor?: string };
  return { ids: (body['data'] as { id: number }[]).map(({ id }) => id), cursor: meta.next_cursor };
}
