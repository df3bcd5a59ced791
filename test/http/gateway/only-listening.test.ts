/** A frontend that keeps pages until GET /changes says otherwise never goes on showing a page that was closed. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Identity } from '../../../src/access/identity.js';
import { systemClock } from '../../../src/clock/clock.js';
import { openStore, type Store } from '../../../src/store/open/open.js';
import { atFileEnd } from '../../support/at-file-end.js';
import { type CliDatabase, prepareCliDatabase } from '../../support/cli-database.js';
import { type FakeClock, fakeClock } from '../../support/clock.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { migrate } from '../../support/migrate.js';
import { patientLimits } from '../../support/patient-limits.js';
import { seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';

const identities: Readonly<Record<string, Identity>> = {
  all: { kind: 'api_key', id: 'all', scopes: new Set(['*']), userId: null },
};
const ids = [1, 2, 3, 4, 5, 6];

/** Of one page, as SQL; those that `hcd` can do too have a body or a command. */
const edits: readonly { readonly sql: (id: number) => string; readonly body?: object; readonly command?: string }[] = [
  {
    sql: (id) => `UPDATE modx_site_content SET published = 0 WHERE id = ${id}`,
    body: { published: false },
    command: 'unpublish',
  },
  {
    sql: (id) => `UPDATE modx_site_content SET published = 1 WHERE id = ${id}`,
    body: { published: true },
    command: 'publish',
  },
  { sql: (id) => `UPDATE modx_site_content SET deleted = 1 WHERE id = ${id}`, command: 'delete' },
  { sql: (id) => `UPDATE modx_site_content SET deleted = 0 WHERE id = ${id}`, command: 'restore' },
  { sql: (id) => `UPDATE modx_site_content SET context_key = 'closed' WHERE id = ${id}` },
  { sql: (id) => `UPDATE modx_site_content SET context_key = 'web' WHERE id = ${id}` },
  { sql: (id) => `INSERT INTO modx_document_groups (document_group, document) VALUES (7, ${id})` },
  { sql: (id) => `DELETE FROM modx_document_groups WHERE document = ${id}` },
  { sql: (id) => `UPDATE modx_site_content SET uri = CONCAT(uri, 'x') WHERE id = ${id}` },
  {
    sql: (id) => `UPDATE modx_site_content SET pagetitle = CONCAT(pagetitle, 'x') WHERE id = ${id}`,
    body: { pagetitle: 'New' },
  },
  { sql: (id) => `DELETE FROM modx_site_content WHERE id = ${id}` },
];

/** Keeps answers by their tags, and may lose its connection. */
class Frontend {
  readonly kept = new Map<number, readonly string[]>();
  readonly #site: TestSite;
  #next = '';

  constructor(site: TestSite) {
    this.#site = site;
  }

  async start(): Promise<void> {
    this.#next = ((await this.#site.get('/changes')).body['meta'] as { next: string }).next;
  }

  async show(id: number): Promise<void> {
    const { status, headers } = await this.#site.get(`/resources/${id}`);
    if (status === 200) this.kept.set(id, (headers.get('cache-tag') ?? '').split(','));
  }

  /** Goes on after the last step that it was told of. */
  async listen(clock: FakeClock): Promise<void> {
    let isAnswered = false;
    const asked = this.#site.get(`/changes?after=${this.#next}`).finally(() => {
      isAnswered = true;
    });
    // Without a change the answer waits for 25 seconds.
    while (!isAnswered) {
      await clock.advance(5000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { body } = await asked;
    const { data, meta } = body as { data: { event: string; tags: string[] }[]; meta: { next: string } };
    for (const { event, tags } of data) {
      for (const [id, of] of this.kept)
        if (event === 'reset' || of.some((tag) => tags.includes(tag))) this.kept.delete(id);
    }
    this.#next = meta.next;
  }
}

describeEachDatabase('a frontend that only listens', (database) => {
  let site: TestSite;
  let other: Store;
  let clock: FakeClock;
  let db: CliDatabase | null = null;

  async function prepare(isAttached: boolean): Promise<void> {
    const databaseUrl = await database.url();
    const opened = await openStore({ databaseUrl, prefix: 'modx_', limits: patientLimits });
    atFileEnd(() => opened.close());
    other = opened;
    await migrate(other);
    await seed(other, {
      site_content: ids.map((id) => ({ id, alias: `page-${id}`, uri: `page-${id}` })),
      context: [{ key: 'closed', name: 'closed' }],
      access_resource_groups: [
        { target: 7, principal_class: 'modUserGroup', principal: 90, authority: 9999, policy: 1, context_key: '' },
      ],
    });
    clock = fakeClock();
    const own = isAttached ? { ownDatabaseUrl: await freshSqliteUrl() } : {};
    db = isAttached ? null : await prepareCliDatabase(databaseUrl);
    site = await startTestSite({ databaseUrl, ...own, clock, identities, env: { HCD_GATEWAY_CACHE_ENABLED: '1' } });
    expect(site.store.kind).toBe(isAttached ? 'attached' : 'own');
  }

  const closed = async (): Promise<ReadonlySet<number>> => {
    const sql = `SELECT id FROM modx_site_content WHERE published = 1 AND deleted = 0 AND context_key = 'web'
      AND id NOT IN (SELECT document FROM modx_document_groups)`;
    const open = (await other.content.primary.select({ sql, params: [] })).map(([id]) => Number(id));
    return new Set(ids.filter((id) => !open.includes(id)));
  };

  async function make(kind: string, { sql, body, command }: (typeof edits)[number], id: number): Promise<void> {
    if (kind === 'request' && body !== undefined) {
      await site.get(`/resources/${id}`, { as: 'all', method: 'PATCH', body });
    } else if (kind === 'command' && command !== undefined && db !== null) {
      await db.run(`resource ${command} ${id}${command === 'delete' ? ' --yes' : ''}`, { clock: systemClock });
    } else {
      await other.content.write(async (tx) => {
        await tx.run({
          sql: tx.dialect === 'sqlite' ? sql(id).replace(/CONCAT\((\w+), '(\w+)'\)/, "$1 || '$2'") : sql(id),
          params: [],
        });
        const logged = `INSERT INTO modx_manager_log (action, classKey, item) VALUES ('resource_update', 'modDocument', '${id}')`;
        if (kind === 'logged') await tx.run({ sql: logged, params: [] });
      });
    }
  }

  async function check(): Promise<void> {
    const edit = fc.tuple(
      fc.constantFrom('request', 'command', 'logged', 'sql'),
      fc.nat({ max: edits.length - 1 }),
      fc.constantFrom(...ids),
    );
    const property = fc.asyncProperty(fc.array(edit, { minLength: 5, maxLength: 8 }), async (steps) => {
      const frontend = new Frontend(site);
      await frontend.start();
      for (const [kind, at, id] of steps) {
        for (const one of ids) await frontend.show(one);
        await make(kind, edits[at] ?? expect.fail(), id);
        await expect
          .poll(
            async () => {
              await clock.advance(400);
              await frontend.listen(clock);
              const gone = await closed();
              return [...frontend.kept.keys()].filter((one) => gone.has(one));
            },
            { message: `${kind} ${at} of ${id}` },
          )
          .toEqual([]);
      }
    });
    await fc.assert(property, { numRuns: 4, endOnFailure: true });
  }

  it('shows no closed page of an own store', async () => {
    await prepare(false);
    await check();
  });

  it('shows no closed page of an attached site', async () => {
    await prepare(true);
    await check();
  });
});
