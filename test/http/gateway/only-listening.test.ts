/** A frontend that keeps answers until `/changes` names them shows no closed page and no old title, by any writer. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/clock/clock.js';
import type { Param } from '../../../src/store/base/database.js';
import { atFileEnd } from '../../support/at-file-end.js';
import { type CliDatabase, prepareCliDatabase } from '../../support/cli-database.js';
import { type FakeClock, fakeClock } from '../../support/clock.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { eventually } from '../../support/eventually.js';
import { seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { key } from './writing-site.js';

const ids = [1, 2, 3, 4, 5, 6, 7, 8] as const;
const paths = [
  ...ids.flatMap((id) => [`/resources/${id}?include=children`, `/pages/page-${id}.html`]),
  ...['/resources?limit=100', '/resources?filter[parent]=2', '/resources?sort=-id&limit=3', '/tree'],
];

type Rows = readonly (readonly [id: number, title: string])[];

/** Every record with a title in the answer. */
function shownIn(value: unknown): Rows {
  if (Array.isArray(value)) return value.flatMap(shownIn);
  if (typeof value !== 'object' || value === null) return [];
  const { id, pagetitle } = value as { id?: unknown; pagetitle?: unknown };
  const own: Rows = typeof id === 'number' && typeof pagetitle === 'string' ? [[id, pagetitle]] : [];
  return [...own, ...Object.values(value).flatMap(shownIn)];
}

class Frontend {
  readonly kept = new Map<string, { readonly tags: ReadonlySet<string>; readonly shown: Rows }>();
  #heard = 0;

  constructor(readonly site: TestSite) {}

  async follow(signal: AbortSignal): Promise<void> {
    await this.load();
    for (let next = ''; !signal.aborted; ) {
      const { body } = await this.site.get(next === '' ? '/changes' : `/changes?after=${next}`);
      const { data, meta } = body as { data: { event: string; tags: string[] }[]; meta: { next: string } };
      next = meta.next;
      this.#heard += data.length;
      for (const [path, { tags }] of this.kept)
        if (data.some((told) => told.event === 'reset' || told.tags.some((tag) => tags.has(tag))))
          this.kept.delete(path);
      void this.load();
    }
  }

  async load(): Promise<void> {
    const missing = paths.filter((path) => !this.kept.has(path));
    await Promise.all(missing.map((path) => this.#load(path))).catch(() => undefined);
  }

  async #load(path: string): Promise<void> {
    const heard = this.#heard;
    const { status, headers, body } = await this.site.get(path);
    // A change reported while the answer was under way may concern it.
    if (heard !== this.#heard) return this.#load(path);
    const tags = new Set((headers.get('cache-tag') ?? '').split(/[ ,]+/));
    if (status === 200) this.kept.set(path, { tags, shown: shownIn(body['data']) });
  }
}

const someEdit = fc.record({
  writer: fc.constantFrom('manager', 'sql', 'extra', 'request', 'command', 'import'),
  id: fc.constantFrom(...ids.slice(1)),
  change: fc.constantFrom(
    ...(['publish', 'hide', 'close', 'open', 'delete', 'restore'] as const),
    ...(['away', 'back', 'title', 'move', 'address', 'remove', 'add'] as const),
  ),
  word: fc.integer({ min: 0, max: 999 }),
});

type Edit = typeof someEdit extends fc.Arbitrary<infer T> ? T : never;

/** Values of the columns; null for a change of other rows. */
function valuesOf({ change, word, id }: Edit): Readonly<Record<string, string | number | boolean>> | null {
  const values: Partial<Record<Edit['change'], Readonly<Record<string, string | number | boolean>>>> = {
    publish: { published: true },
    hide: { published: false },
    delete: { deleted: true },
    restore: { deleted: false },
    away: { context_key: 'staff' },
    back: { context_key: 'web' },
    title: { pagetitle: `Title ${word}` },
    move: { parent: word % id },
    address: { uri: `page-${id}.html${word % 2 === 0 ? '' : 'x'}` },
  };
  return values[change] ?? null;
}

describe.each(['own', 'attached'])('a frontend of a site that is %s', (kind) => {
  describeEachDatabase('that only listens to changes', (database) => {
    let db: CliDatabase;
    let site: TestSite;
    let clock: FakeClock;
    let frontend: Frontend;
    let env: Readonly<Record<string, string>> = {};

    beforeAll(async () => {
      const databaseUrl = await database.url();
      const group = { principal_class: 'MODX\\Revolution\\modUserGroup', principal: 90, authority: 9999, policy: 1 };
      db = await prepareCliDatabase(databaseUrl, (store) =>
        seed(store, {
          context: [{ key: 'staff', name: 'staff' }],
          access_context: [{ target: 'staff', ...group }],
          documentgroup_names: [{ id: 7, name: 'members' }],
          access_resource_groups: [{ target: 7, ...group }],
          site_content: ids.map((id) => ({
            ...{ id, pagetitle: `Page ${id}`, alias: `page-${id}`, uri: `page-${id}.html`, uri_override: 1 },
            ...{ parent: id > 4 ? 2 : 0 },
          })),
        }),
      );
      const ownDatabaseUrl = kind === 'own' ? undefined : await freshSqliteUrl();
      env = ownDatabaseUrl === undefined ? {} : { HCD_OWN_DATABASE_URL: ownDatabaseUrl };
      clock = fakeClock();
      site = await startTestSite({
        ...{ databaseUrl, clock, identities: { all: key('*') } },
        ...(ownDatabaseUrl === undefined ? {} : { ownDatabaseUrl }),
        env: { HCD_GATEWAY_CACHE_ENABLED: '1', HCD_GATEWAY_CACHE_TTL: '86400' },
      });
      expect(site.store.kind).toBe(kind);
      frontend = new Frontend(site);
      const end = new AbortController();
      atFileEnd(async () => end.abort());
      frontend.follow(end.signal).catch(() => undefined);
      await eventually(() => expect(frontend.kept.size).toBe(paths.length));
    });

    const run = (...statements: readonly (readonly [sql: string, ...params: Param[]])[]) =>
      site.store.content.write(async (tx) => {
        for (const [sql, ...params] of statements) await tx.run({ sql, params });
      });
    const sqlOf = (edit: Edit): readonly [sql: string, ...params: Param[]] => {
      const values = valuesOf(edit);
      if (values !== null) {
        const set = Object.keys(values).map((name) => `${name} = ?`);
        return [`UPDATE modx_site_content SET ${set} WHERE id = ?`, ...Object.values(values).map(toParam), edit.id];
      }
      if (edit.change === 'remove') return ['DELETE FROM modx_site_content WHERE id = ?', edit.id];
      if (edit.change === 'add') {
        const columns = ['pagetitle', 'alias', 'description', 'uri', 'uri_override', 'published', 'context_key'];
        const values = "'Added', '', '', 'page-8.html', 1, 1, 'web'";
        const isGone = 'WHERE NOT EXISTS (SELECT 1 FROM modx_site_content AS one WHERE one.id = ?)';
        const sql = `INSERT INTO modx_site_content (id, ${columns}) SELECT ?, ${values} FROM modx_context ${isGone} LIMIT 1`;
        return [sql, edit.id, edit.id];
      }
      if (edit.change === 'open') return ['DELETE FROM modx_document_groups WHERE document = ?', edit.id];
      return ['INSERT INTO modx_document_groups (document_group, document) VALUES (7, ?)', edit.id];
    };
    const toParam = (value: string | number | boolean): Param => (typeof value === 'boolean' ? Number(value) : value);

    const writers: Readonly<Record<Edit['writer'], (edit: Edit) => Promise<unknown>>> = {
      manager: async (edit) => {
        await run(sqlOf(edit));
        const sql = 'INSERT INTO modx_manager_log (action, classKey, item) VALUES (?, ?, ?)';
        await run([sql, 'resource_update', 'modDocument', `${edit.id}`]);
      },
      sql: (edit) => run(sqlOf(edit)),
      extra: (edit) => {
        const whole = 'UPDATE modx_site_content SET editedon = editedon + 1, alias = alias, longtitle = ? WHERE id = ?';
        const other = 'INSERT INTO modx_site_tmplvar_contentvalues (tmplvarid, contentid, value) VALUES (99, ?, ?)';
        const former = 'DELETE FROM modx_site_tmplvar_contentvalues WHERE contentid = ?';
        const value = `${edit.word}`;
        return run([whole, value, edit.id], sqlOf(edit), [former, edit.id], [other, edit.id, value]);
      },
      request: async (edit) => {
        const body = valuesOf(edit);
        const context = edit.change === 'back' ? '?context=staff' : '';
        if (body !== null) await site.get(`/resources/${edit.id}${context}`, { method: 'PATCH', as: 'all', body });
      },
      command: async (edit) => {
        const body = valuesOf(edit);
        if (body === null) return;
        const commands = { publish: 'publish', hide: 'unpublish', delete: 'delete --yes', restore: 'restore' };
        const command = new Map(Object.entries(commands)).get(edit.change);
        if (command !== undefined) {
          await db.run(`resource ${command} ${edit.id}`, { env, clock: systemClock });
          return;
        }
        const options = { env, clock: systemClock, stdin: JSON.stringify(body) };
        await db.run(['resource', 'update', `${edit.id}`, '--file', '-'], options);
      },
      import: async (edit) => {
        // In a file a resource of another context is another one, and parents are addresses.
        if (['away', 'back', 'move', 'address', 'remove', 'add'].includes(edit.change)) return;
        const options = { env, clock: systemClock };
        const { stdout } = await db.run('export - --object resources', options);
        const changed = valuesOf(edit) ?? { groups: edit.change === 'open' ? [] : ['members'] };
        const lines = stdout.split('\n').map((line) => {
          const { object, record } = line === '' ? {} : JSON.parse(line);
          if (record?.uri !== `page-${edit.id}.html`) return line;
          return JSON.stringify({ object, record: { ...record, ...changed } });
        });
        const { code, stderr } = await db.run('import -', { ...options, stdin: lines.join('\n') });
        expect([stderr, code]).toEqual([expect.anything(), 0]);
      },
    };

    const openNow = async (): Promise<ReadonlyMap<number, string>> => {
      const rows = await site.store.content.primary.select({
        sql: `SELECT id, pagetitle FROM modx_site_content WHERE published = 1 AND deleted = 0 AND context_key = 'web'
AND id NOT IN (SELECT document FROM modx_document_groups WHERE document_group = 7)`,
        params: [],
      });
      return new Map(rows.map(([id, title]) => [Number(id), String(title)]));
    };

    const settled = async (): Promise<void> => {
      const open = await openNow();
      await eventually(async () => {
        await clock.advance(500);
        for (const [path, { shown }] of frontend.kept)
          for (const [id, title] of shown) expect([path, id, title]).toEqual([path, id, open.get(id)]);
        expect(new Set(frontend.kept.get('/resources?limit=100')?.shown)).toEqual(new Set(open));
      });
    };

    it('shows nothing that is closed or old', async () => {
      await fc.assert(
        fc.asyncProperty(someEdit, async (edit) => {
          await writers[edit.writer](edit);
          await settled();
        }),
        { numRuns: 12, endOnFailure: true },
      );
    });

    const opening = [
      ...(kind === 'attached' ? (['manager'] as const) : []),
      ...(database.name === 'mariadb' ? (['sql'] as const) : []),
    ];
    it.runIf(opening.length > 0).each(opening)(
      'shows nothing that was open between two looks, by: %s',
      async (writer) => {
        const edit = { id: 8, word: 0 } as const;
        for (const change of ['restore', 'back', 'open', 'add', 'hide'] as const)
          await writers.sql({ ...edit, writer: 'sql', change });
        await settled();
        // A row of the log soon after a change is taken for one of the change.
        await clock.advance(5000);
        // Times of tables are whole seconds: of two commits in one, only the first is seen.
        const isOld = `SELECT UNIX_TIMESTAMP(UPDATE_TIME) + 1 < UNIX_TIMESTAMP() FROM information_schema.TABLES
WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'modx_site_content'`;
        if (database.name === 'mariadb') {
          const { primary } = site.store.content;
          const asked = vi.spyOn(primary, 'select');
          // A look that was under way as the last change was announced takes an undone one for that.
          await eventually(async () => {
            await clock.advance(500);
            expect(await primary.select({ sql: isOld, params: [] })).toEqual([[1]]);
            const looks = asked.mock.calls.filter(([{ sql }]) => sql.includes('CREATE_TIME'));
            expect(looks.length).toBeGreaterThanOrEqual(3);
          });
          asked.mockRestore();
        }
        await writers[writer]({ ...edit, writer, change: 'publish' });
        await eventually(async () => {
          await frontend.load();
          expect(frontend.kept.get('/resources/8?include=children')?.shown).toHaveLength(1);
        });
        await writers.sql({ ...edit, writer: 'sql', change: 'hide' });
        await settled();
      },
    );
  });
});
