/**
 * Writing is no way to learn what may not be read: two sites that differ only in hidden data (protected and hidden
 * fields, template variables and resources out of reach) answer the same writes of one caller alike, byte for byte, and
 * what is hidden answers like what is not there.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { defineObject, type ObjectDefinition } from '../../../src/content/objects/definition.js';
import { fakeClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { integer, optionalText, text } from '../../support/fields.js';
import { accessRule, type Row } from '../../support/seed.js';
import { type Got, startTestSite, type TestSite } from '../../support/site.js';
import { dataOf, key } from './writing-site.js';

const toOne = { type: 'to_one', order: [] } as const;
/** An object with fields that need a scope, a hidden field, and a reference to a record that may be hidden. */
const notes: ObjectDefinition = defineObject({
  name: 'notes',
  table: 'site_snippets',
  fields: {
    id: integer(),
    name: text(50),
    owner: integer({ column: 'category' }),
    remark: optionalText(undefined, { column: 'description' }),
    inner: integer({ column: 'editor_type' }),
    page: integer({ column: 'source' }),
  },
  filterable: ['id', 'name'],
  sortable: ['id'],
  required: ['name'],
  protected: ['owner', 'remark'],
  immutable: ['id'],
  hidden: ['inner'],
  relations: [
    { ...toOne, name: 'about', target: 'resources', foreignKey: 'page', localKey: 'id', fields: ['id', 'pagetitle'] },
  ],
  ...{ readable: true, creatable: true, updatable: true, deletable: true },
});

/** An object that refers to notes by a field that needs a scope. */
const tickets: ObjectDefinition = defineObject({
  name: 'tickets',
  table: 'categories',
  fields: { id: integer(), name: text(45, { column: 'category' }), owner: integer({ column: 'rank' }) },
  required: ['name'],
  immutable: ['id'],
  relations: [
    { ...toOne, name: 'note', target: 'notes', foreignKey: 'owner', localKey: 'owner', fields: ['id', 'name'] },
  ],
  ...{ readable: true, creatable: true, updatable: true },
});

const writing = (name: string) => ['read', 'create', 'update', 'delete'].map((action) => `${name}.${action}`);
const identities = {
  limited: key(...writing('resources'), ...writing('notes'), ...writing('tickets')),
  everything: key('*'),
};

/** The resource that a group keeps to itself, and one that is nowhere. */
const hiddenPage = 7022;
const noPage = 9022;

/** Without a word there are no hidden rows at all; else their values come from it. */
async function startSite(url: string, word: string | null): Promise<TestSite> {
  const clock = fakeClock();
  const site = await startTestSite({ databaseUrl: url, identities, extra: [notes, tickets], clock });
  const number = word === null ? 3 : word.length;
  const guarded = { createdby: number, editedby: number, publishedby: number, properties: `{"word":"${word}"}` };
  const pages: Row[] = [
    { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html', template: 1 },
    { id: 2, pagetitle: 'About us', alias: 'about', uri: 'about/', isfolder: 1, menuindex: 1, template: 1 },
    { id: 3, pagetitle: 'Team', alias: 'team', uri: 'about/team.html', parent: 2, menuindex: 3, template: 1 },
    { id: 8060, pagetitle: 'Rooms', alias: 'rooms', uri: 'company/rooms.html', uri_override: 1, menuindex: 5 },
  ];
  const tvs = [
    { id: 1, name: 'colour', type: 'text', default_text: 'blue' },
    { id: 9, name: 'size', type: 'text', default_text: 'big' },
  ];
  const hiddenTvs = [
    { id: 2, name: 'secret', type: 'text', default_text: word },
    { id: 3, name: 'locked', type: 'text', default_text: word, category: 1 },
  ];
  await site.fill({
    site_content: [
      ...pages.map((row) => ({ ...row, ...guarded })),
      // Below the others in every order, so that what comes next does not depend on it.
      ...(word === null
        ? []
        : [{ id: hiddenPage, pagetitle: word, alias: 'rooms', uri: 'about/rooms.html', parent: 2 }]),
    ],
    site_templates: [{ id: 1, templatename: 'Base' }],
    site_tmplvars: word === null ? tvs : [...tvs, ...hiddenTvs],
    site_tmplvar_templates: [...tvs, ...(word === null ? [] : hiddenTvs)].map(({ id }) => ({
      ...{ tmplvarid: id, templateid: 1, rank: id },
    })),
    site_tmplvar_contentvalues: word === null ? [] : [{ tmplvarid: 2, contentid: 3, value: word }],
    site_tmplvar_access: [{ tmplvarid: 2, documentgroup: 1 }],
    site_snippets: [1, 2, 3].map((id) => ({
      ...{ id, name: `Note ${id}`, description: `${word} ${id}`, category: number + id, editor_type: number },
    })),
    categories: [{ id: 1, category: 'Locked' }],
    documentgroup_names: [{ id: 1, name: 'Members' }],
    document_groups: [{ document_group: 1, document: hiddenPage }],
    access_resource_groups: [accessRule('1')],
    access_category: [accessRule('1')],
  });
  return site;
}

interface Ask {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly as?: keyof typeof identities;
}

const guesses = [3, 5, 9, 10, 'ochre', 'vermilion', null];

const timesOf = ({ text: body }: Got): readonly string[] => body.match(/"\w+on":"2[^"]+Z"/g) ?? [];

/** Everything that an answer can tell; `times` are those of the answer that it is compared with. */
function told(got: Got, times: readonly string[]): string {
  const isOfThatMoment = timesOf(got).join() === times.join();
  // Between two sites a second may begin, which is in the tag as well.
  const tag = isOfThatMoment ? got.headers.get('etag') : 'of another moment';
  const words = isOfThatMoment ? got.text : got.text.replace(/"(\w+on)":"2[^"]+Z"/g, '"$1":"now"');
  const headers = ['location', 'cache-tag', 'idempotency-replayed'].map((name) => got.headers.get(name));
  return [got.status, tag, ...headers, words].join('\n');
}

describeEachDatabase('writing', (database) => {
  let sites: readonly TestSite[];

  const send = (site: TestSite, { path, as = 'limited', headers = {}, ...ask }: Ask): Promise<Got> =>
    site.get(path, { ...ask, as, headers: { 'x-request-id': 'the-same-for-all', ...headers } });

  /** Sends it to every site; the answer, which is the same everywhere. */
  async function expectAlike(ask: Ask): Promise<Got> {
    const answers = await Promise.all(sites.map((site) => send(site, ask)));
    const [first, ...others] = answers;
    if (first === undefined) throw new Error('there are no sites');
    for (const other of others) expect(told(other, timesOf(first))).toBe(told(first, timesOf(other)));
    return first;
  }

  beforeAll(async () => {
    sites = await Promise.all(['ochre', 'vermilion', null].map(async (word) => startSite(await database.url(), word)));
  });

  it('can be distinguished by a caller who may see hidden records', async () => {
    const read = (path: string) =>
      Promise.all(sites.map(async (site) => (await site.get(path, { as: 'everything' })).text));
    for (const path of ['/resources/3', '/objects/notes/1']) expect(new Set(await read(path)).size).toBe(3);
  });

  describe('tells nothing of protected and hidden fields', () => {
    it.each([
      ['/resources/3', ['createdby', 'editedby', 'deletedby', 'publishedby', 'properties']],
      ['/objects/notes/1', ['owner', 'remark', 'inner']],
    ])('by guesses at values of %s', async (path, fields) => {
      for (const field of fields) {
        const answers = new Set<string>();
        for (const value of guesses) {
          const { status, text: body } = await expectAlike({ method: 'PATCH', path, body: { [field]: value } });
          expect(status).toBe(422);
          answers.add(body);
        }
        // The value is not looked at, whatever it is.
        expect(answers.size).toBe(1);
      }
    });

    it('by references to their values', async () => {
      const answers = new Set<string>();
      for (let owner = 1; owner <= 13; owner += 1) {
        const asked = { method: 'PATCH', path: '/objects/tickets/1', body: { owner } } as const;
        const { status, text: body } = await expectAlike(asked);
        expect(status).toBe(422);
        answers.add(body);
      }
      expect(answers.size).toBe(1);
      const { status } = await expectAlike({ method: 'PATCH', path: '/objects/tickets/1?include=note', body: {} });
      expect(status).toBe(422);
      const [site] = sites;
      const allowed = (owner: number) =>
        site?.get('/objects/tickets/1', { method: 'PATCH', as: 'everything', body: { owner } });
      expect([(await allowed(6))?.status, (await allowed(4000))?.status]).toEqual([200, 422]);
    });

    it.each(['/resources/3', '/objects/notes/1'])('by the tags of %s', async (path) => {
      const bare = await Promise.all(
        sites.map(async (site) => (await site.get(path, { as: 'limited' })).headers.get('etag')),
      );
      expect(new Set(bare).size).toBe(1);
      // The tags that a caller with every right sees, on each of the sites: none of them is one of this caller.
      const full = await Promise.all(
        sites.map(async (site) => (await site.get(path, { as: 'everything' })).headers.get('etag')),
      );
      expect(new Set(full).size).toBe(3);
      for (const tag of full) {
        for (const body of [{}, { name: 'x', pagetitle: 'x' }]) {
          const { status } = await expectAlike({ method: 'PATCH', path, body, headers: { 'if-match': tag ?? '' } });
          expect(status).toBe(412);
        }
        expect((await expectAlike({ method: 'DELETE', path, headers: { 'if-match': tag ?? '' } })).status).toBe(412);
      }
      const right = await expectAlike({ method: 'PATCH', path, body: {}, headers: { 'if-match': bare[0] ?? '' } });
      expect(right.status).toBe(200);
    });

    it.each([
      ['/resources', { pagetitle: 'Keyed', alias: 'keyed' }, ['createdby', 'publishedby', 'properties']],
      ['/objects/notes', { name: 'Keyed' }, ['owner', 'remark', 'inner']],
    ])('by the answer that another key was given: POST %s', async (path, body, fields) => {
      const headers = { 'idempotency-key': 'one-for-both' };
      const first = await expectAlike({ method: 'POST', path, body, headers, as: 'everything' });
      expect(first.status).toBe(201);
      await Promise.all(
        sites.map((site) => send(site, { method: 'DELETE', path: `${path}/${dataOf(first)['id']}?force=1` })),
      );
      const own = await expectAlike({ method: 'POST', path, body, headers });
      expect([own.status, own.headers.get('idempotency-replayed')]).toEqual([201, null]);
      expect(dataOf(own)['id']).not.toBe(dataOf(first)['id']);
      for (const field of fields) expect(dataOf(own)).not.toHaveProperty(field);
      const other = await expectAlike({ method: 'POST', path, body: { ...body, alias: 'x' }, headers });
      expect(other.status).toBe(409);
    });
  });

  describe('tells nothing of what is out of reach', () => {
    const absent = (got: Got, page: number): string => told(got, timesOf(got)).replaceAll(String(page), 'N');

    const ask = (method: Ask['method'], path: string, body?: unknown, headers = {}): Ask => ({
      ...{ method, path, headers },
      ...(body === undefined ? {} : { body }),
    });

    it.each<[name: string, ask: (page: number) => Ask]>([
      ['a change of it', (page) => ask('PATCH', `/resources/${page}`, { menutitle: 'x' })],
      ['a wrong change of it', (page) => ask('PATCH', `/resources/${page}`, { nothing: 1 })],
      ['marking it as deleted', (page) => ask('PATCH', `/resources/${page}`, { deleted: true })],
      ['its replacement', (page) => ask('PUT', `/resources/${page}`, { pagetitle: 'x' })],
      ['a wrong replacement', (page) => ask('PUT', `/resources/${page}`, {})],
      ['its removal', (page) => ask('DELETE', `/resources/${page}`)],
      ['its permanent removal', (page) => ask('DELETE', `/resources/${page}?force=1`)],
      ['a change of it as it is now', (page) => ask('PATCH', `/resources/${page}`, {}, { 'if-match': '*' })],
      ['a change of it as it was', (page) => ask('PATCH', `/resources/${page}`, {}, { 'if-match': '"x"' })],
      ['the generic route', (page) => ask('PATCH', `/objects/resources/${page}`, {})],
      ['a new page below it', (page) => ask('POST', '/resources', { pagetitle: 'x', parent: page })],
      ['a page moved below it', (page) => ask('PATCH', '/resources/3', { parent: page })],
      ['a page moved there and wrong', (page) => ask('PATCH', '/resources/3', { parent: page, template: 99 })],
      ['a record that refers to it', (page) => ask('PATCH', '/objects/notes/1', { page })],
      ['a new record that refers to it', (page) => ask('POST', '/objects/notes', { name: 'x', page })],
    ])('by %s', async (_name, asking) => {
      const hidden = await expectAlike(asking(hiddenPage));
      const nowhere = await expectAlike(asking(noPage));
      expect(hidden.status).toBeGreaterThanOrEqual(400);
      expect(absent(hidden, hiddenPage)).toBe(absent(nowhere, noPage));
    });

    it.each(['secret', 'locked', 'nothing'])('by a value for the template variable %s', async (name) => {
      for (const value of ['ochre', 'vermilion', '', null]) {
        const { status, body } = await expectAlike(ask('PATCH', '/resources/3', { tvs: { [name]: value } }));
        const errors = { [`tvs.${name}`]: ['is not a template variable of the template'] };
        expect([status, body['errors']]).toEqual([422, errors]);
      }
    });

    it.each(['include=parent,children,tvs', 'include_tv=1', 'tv_fields=secret,locked,colour', 'tv_fields=*'])(
      'by answers with %s',
      async (query) => {
        for (const path of ['/resources/2', '/resources/3']) {
          const changed = await expectAlike({ method: 'PATCH', path: `${path}?${query}`, body: { menutitle: 'Menu' } });
          expect(changed.status).toBe(200);
          expect(changed.text).not.toMatch(/ochre|vermilion|secret|locked/);
        }
      },
    );

    it('by naming a page below the changed one that cannot have its new address', async () => {
      const answers = await Promise.all(
        sites.map((site) => send(site, { method: 'PATCH', path: '/resources/2', body: { alias: 'company' } })),
      );
      // That the change is not possible cannot be hidden; what it runs into can.
      expect(answers.map(({ status }) => status)).toEqual([422, 422, 200]);
      for (const { text: body } of answers.slice(0, 2)) expect(body).not.toMatch(/7022|rooms/);
      await Promise.all(
        sites.map((site) => send(site, { method: 'PATCH', path: '/resources/2', body: { alias: 'about' } })),
      );
    });
  });

  it('answers any body alike, whatever is hidden', async () => {
    const names = [
      ...['pagetitle', 'alias', 'menutitle', 'parent', 'template', 'published', 'publishedon', 'pub_date', 'hidemenu'],
      ...['createdby', 'editedby', 'publishedby', 'deletedby', 'properties', 'nothing', 'deleted', 'content', 'uri'],
      ...['name', 'owner', 'remark', 'inner', 'page'],
    ];
    const value = fc.oneof(
      fc.constantFrom<unknown>(...guesses, true, false, 0, 1, 2, hiddenPage, noPage, '', 'x', 'team', [], {}),
      fc.nat(12),
    );
    const tvs = fc.dictionary(fc.constantFrom('colour', 'size', 'secret', 'locked', 'nothing'), value, { maxKeys: 3 });
    const body = fc
      .record({ fields: fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 }), tvs: fc.option(tvs) })
      .map(({ fields, tvs: given }) => (given === null ? fields : { ...fields, tvs: given }));
    const places = ['/resources/3', '/resources/2', '/resources/8060', '/objects/notes/1', '/objects/notes/2'];
    const place = fc.constantFrom(...places);
    const query = fc.constantFrom('', '?include=parent,children', '?include_tv=1', '?include=about', '?context=web');
    const method = fc.constantFrom('PATCH' as const, 'PATCH' as const, 'PUT' as const);
    await fc.assert(
      fc.asyncProperty(method, place, query, body, async (verb, path, question, given) => {
        await expectAlike({ method: verb, path: `${path}${question}`, body: given });
      }),
      { numRuns: 80 },
    );
  });
});
