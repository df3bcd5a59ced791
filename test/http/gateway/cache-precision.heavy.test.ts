/**
 * The server's own cache under changes: it drops every answer that a change makes stale and keeps those that the change
 * does not concern (docs/operations.md#answers-in-memory). Random questions, random changes; a second site without a
 * cache is the yardstick.
 */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { sourceOf } from '../../../src/content/indexing/keep-indexes.js';
import { noteSeen } from '../../../src/content/indexing/known.js';
import { type FieldValues, type Mutation, type RowChange, revalidateTags } from '../../../src/content/live/mutation.js';
import {
  announceChanges,
  joinListeners,
  type MutationListeners,
  runMutation,
} from '../../../src/content/mutations/run-mutation.js';
import { resources } from '../../../src/content/objects/core-objects.js';
import type { JsonValue } from '../../../src/content/objects/values.js';
import type { Reader, Tx } from '../../../src/store/base/database.js';
import { type FakeClock, fakeClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { everyColumn, listQuery } from '../../support/list-queries.js';
import type { Row } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';

const aliases = ['index', 'about', 'News', 'news', 'straße', 'a-b', '100%'];
const titles = ['Home', 'home', 'About us', 'ÄÖÜ', 'äöü', '100%', 'x_y', ''];

const pages: Row[] = Array.from({ length: 24 }, (_, index) => {
  const id = index + 1;
  const alias = aliases[index % aliases.length] ?? '';
  return {
    ...{ id, alias, uri: id === 1 ? 'index.html' : `${alias}-${id}`, parent: id < 4 ? 0 : (index % 3) + 1 },
    ...{
      pagetitle: titles[index % titles.length] ?? '',
      menuindex: index % 4,
      template: index % 2,
      hidemenu: index % 2,
    },
    ...{
      published: index % 5 === 4 ? 0 : 1,
      deleted: index % 11 === 10 ? 1 : 0,
      context_key: index % 8 === 7 ? 'other' : 'web',
    },
  };
});

const columns = Object.keys(resources.fields).filter((name) => name !== 'content' && name !== 'properties');

/** The row by field name, as the writing services give it; null when there is none. */
async function readRow(reader: Reader, id: number): Promise<FieldValues | null> {
  const names = columns.map((name) => `\`${name}\``).join(', ');
  const [row] = await reader.select({ sql: `SELECT ${names} FROM modx_site_content WHERE id = ?`, params: [id] });
  if (row === undefined) return null;
  return Object.fromEntries(
    columns.map((name, index): [string, JsonValue] => {
      const { type } = resources.fields[name] ?? { type: 'string' };
      const raw = row[index] ?? null;
      if (type === 'boolean') return [name, Number(raw) === 1];
      if (type === 'datetime') return [name, Number(raw) === 0 ? null : Number(raw)];
      return [name, typeof raw === 'number' || raw === null ? raw : String(raw)];
    }),
  );
}

type Change =
  | { readonly kind: 'update'; readonly ids: readonly number[]; readonly values: Row }
  | { readonly kind: 'create'; readonly values: Row }
  | { readonly kind: 'delete'; readonly id: number }
  | { readonly kind: 'tv'; readonly id: number; readonly value: string };

const anyId = fc.integer({ min: 1, max: 26 });
const someIds = fc.uniqueArray(anyId, { minLength: 1, maxLength: 3 });
const tvValue = fc.constantFrom('', 'red', '@INHERIT', '@INHERIT blue');

const someValues: fc.Arbitrary<Row> = fc.record(
  {
    pagetitle: fc.constantFrom(...titles),
    alias: fc.constantFrom(...aliases),
    uri: fc.constantFrom('index.html', 'about', 'about/', 'about-2', 'news'),
    parent: fc.nat({ max: 5 }),
    menuindex: fc.nat({ max: 4 }),
    template: fc.nat({ max: 1 }),
    published: fc.nat({ max: 1 }),
    deleted: fc.nat({ max: 1 }),
    hidemenu: fc.nat({ max: 1 }),
    context_key: fc.constantFrom('web', 'other'),
    editedon: fc.constantFrom(0, 1_700_000_500),
  },
  { requiredKeys: [] },
);

const someChange: fc.Arbitrary<Change> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('update' as const), ids: someIds, values: someValues }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('create' as const), values: someValues }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), id: anyId }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('tv' as const), id: anyId, value: tvValue }) },
);

const vocabulary = { texts: [...aliases, ...titles, 'web', 'modDocument'], numbers: [0, 1, 2, 3, 4, 24] };

const shapes = [
  '',
  '?include=parent',
  '?include=children',
  '?include=tvs',
  '?fields=id&include=parent.children',
  '?include=children.tvs,parent.tvs&fields=id',
];
const someQuestion: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: listQuery(resources, vocabulary).map((query) => `/resources?${query}`) },
  {
    weight: 2,
    arbitrary: fc.tuple(anyId, fc.constantFrom(...shapes)).map(([id, shape]) => `/resources/${id}${shape}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('', '/index', '/about', '/about-2', '/news', '/News-3'), fc.constantFrom(...shapes))
      .map((parts) => `/pages${parts.join('')}`),
  },
);

describeEachDatabase('answers kept by the server', (database) => {
  let site: TestSite;
  let fresh: TestSite;
  let clock: FakeClock;
  let nextId = 100;

  beforeAll(async () => {
    clock = fakeClock();
    const databaseUrl = await database.url();
    const env = { ...everyColumn, HCD_GATEWAY_ALLOWED_CONTEXTS: 'web,other' };
    site = await startTestSite({
      databaseUrl,
      clock,
      env: { ...env, HCD_GATEWAY_CACHE_ENABLED: '1', HCD_GATEWAY_CACHE_TTL: '86400' },
    });
    fresh = await startTestSite({ databaseUrl, env, clock: fakeClock() });
    await site.fill({
      context: [{ key: 'other', name: 'Other' }],
      site_content: pages,
      site_templates: [{ id: 1, templatename: 'One' }],
      site_tmplvars: [
        { id: 1, type: 'text', name: 'colour', default_text: '@INHERIT' },
        { id: 2, type: 'text', name: 'size', default_text: 'large' },
      ],
      site_tmplvar_templates: [
        { tmplvarid: 1, templateid: 1, rank: 0 },
        { tmplvarid: 2, templateid: 1, rank: 1 },
      ],
      site_tmplvar_contentvalues: [{ tmplvarid: 1, contentid: 2, value: 'green' }],
    });
    await fresh.live.refresh();
  });

  async function work(tx: Tx, change: Change): Promise<Mutation> {
    const ids = change.kind === 'update' ? change.ids : change.kind === 'create' ? [nextId++] : [change.id];
    const rows: RowChange[] = [];
    for (const key of ids) {
      const before = await readRow(tx, key);
      await write(tx, change, key);
      rows.push({ object: 'resources', key, before, after: await readRow(tx, key) });
    }
    const [first] = rows;
    const values = first?.after ?? first?.before ?? {};
    return {
      object: 'resources',
      action: change.kind === 'create' ? 'created' : change.kind === 'delete' ? 'deleted' : 'updated',
      key: first?.key ?? 0,
      context: String(values['context_key'] ?? '') || null,
      uri: String(values['uri'] ?? '') || null,
      parent: Number(values['parent'] ?? 0) || null,
      rows: rows.filter(({ before, after }) => before !== null || after !== null),
    };
  }

  async function write(tx: Tx, change: Change, id: number): Promise<void> {
    switch (change.kind) {
      case 'create': {
        const row: Row = {
          ...pages[0],
          uri: `new-${id}`,
          longtitle: '',
          description: '',
          introtext: '',
          content: '',
          createdon: 1_700_000_000,
          ...change.values,
          id,
        };
        const names = Object.keys(row);
        await tx.run({
          sql: `INSERT INTO modx_site_content (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
          params: Object.values(row),
        });
        return;
      }
      case 'update': {
        const names = Object.keys(change.values);
        if (names.length === 0) return;
        await tx.run({
          sql: `UPDATE modx_site_content SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`,
          params: [...Object.values(change.values), id],
        });
        return;
      }
      case 'delete':
        await clearTv(tx, id);
        await tx.run({ sql: 'DELETE FROM modx_site_content WHERE id = ?', params: [id] });
        return;
      case 'tv':
        if ((await readRow(tx, id)) === null) return;
        await clearTv(tx, id);
        await tx.run({
          sql: 'INSERT INTO modx_site_tmplvar_contentvalues (tmplvarid, contentid, value) VALUES (1, ?, ?)',
          params: [id, change.value],
        });
    }
  }

  async function clearTv(tx: Tx, id: number): Promise<void> {
    await tx.run({ sql: 'DELETE FROM modx_site_tmplvar_contentvalues WHERE contentid = ?', params: [id] });
  }

  /** As writers of this program do: what they write is not taken for a change by another. */
  const noteRows: MutationListeners = {
    async announce(tx, { rows }) {
      await noteSeen(
        tx,
        sourceOf(site.store, tx),
        rows.map(({ key }) => Number(key)),
      );
    },
  };

  /** Changes content as a mutation through the first site does. */
  const mutate = (change: Change): Promise<Mutation> =>
    runMutation({
      store: site.store,
      listeners: joinListeners([noteRows, announceChanges(async (told) => site.live.changes.apply(told))]),
      seal: null,
      work: async (tx) => {
        const mutation = await work(tx, change);
        return { mutation, result: mutation };
      },
    });

  interface Kept {
    readonly question: string;
    readonly tags: readonly string[];
    /** The rows that a list without relations is made from, by the database's own word. */
    readonly rows: ReadonlySet<unknown> | null;
  }

  /** Ids of all rows that meet the conditions of a list, whatever page it shows; null for other questions. */
  async function rowsOf(question: string): Promise<ReadonlySet<unknown> | null> {
    const query = new URLSearchParams(question.split('?')[1]);
    if (!question.startsWith('/resources?') || query.has('include')) return null;
    for (const name of ['limit', 'offset', 'page', 'fields', 'sort']) query.delete(name);
    const { status, body } = await fresh.get(`/resources?${query.toString()}&fields=id&limit=100`);
    if (status !== 200) return null;
    return new Set((body['data'] as { id: number }[]).map(({ id }) => id));
  }

  async function warm(question: string): Promise<Kept | null> {
    const got = await site.get(question);
    if (got.status !== 200) return null;
    return { question, tags: (got.headers.get('cache-tag') ?? '').split(','), rows: await rowsOf(question) };
  }

  /** Whether the change concerns the answer: a row in it, or one that its question finds before or after. */
  function isConcerned(kept: Kept, mutation: Mutation, rowsAfter: ReadonlySet<unknown> | null): boolean | null {
    if (kept.rows !== null) {
      return mutation.rows.some(({ key }) => kept.rows?.has(key) === true || rowsAfter?.has(key) === true);
    }
    if (/^\/resources\/\d+$/.test(kept.question)) {
      return mutation.rows.some(({ key }) => kept.tags.includes(`gateway:resources:${key}`));
    }
    return null;
  }

  it('go when a change concerns them, and only then', async () => {
    let dropped = 0;
    let served = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(someQuestion, { minLength: 8, maxLength: 16 }),
        fc.array(someChange, { minLength: 1, maxLength: 4 }),
        async (questions, changes) => {
          for (const change of changes) {
            const warmed = (await Promise.all(questions.map(warm))).filter((kept) => kept !== null);
            await clock.advance(2000);
            const mutation = await mutate(change);
            const revalidated = new Set(revalidateTags(mutation));
            await fresh.live.refresh();
            for (const kept of warmed) {
              const [got, expected] = await Promise.all([site.get(kept.question), fresh.get(kept.question)]);
              const { request_id: _one, ...body } = got.body;
              const { request_id: _other, ...rest } = expected.body;
              expect([kept.question, got.status, body]).toEqual([kept.question, expected.status, rest]);
              const isKept = Number(got.headers.get('age') ?? 0) >= 2;
              const concerned = isConcerned(kept, mutation, await rowsOf(kept.question));
              if (concerned !== null) expect([kept.question, isKept]).toEqual([kept.question, !concerned]);
              if (isKept) served += 1;
              else dropped += 1;
              // A purge by the tags of the event reaches every answer that this change made stale.
              if (concerned === true) expect(kept.tags.some((tag) => revalidated.has(tag))).toBe(true);
            }
          }
        },
      ),
      { numRuns: 10 },
    );
    // Both happen often, or the property says little.
    expect(Math.min(dropped, served)).toBeGreaterThan(20);
  });
});
