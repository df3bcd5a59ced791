/** `hcd db check` names every kind of damage and nothing else, and repairs what can be repaired. */

import { open, readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock/clock.js';
import { apiNames } from '../../../src/config/value-type.js';
import { type Finding, storeChecks } from '../../../src/operations/check/check-store.js';
import { loadSample } from '../../../src/operations/sample/load-sample.js';
import { loadSampleBanners } from '../../../src/operations/sample/load-sample-banners.js';
import { openStore } from '../../../src/store/open/open.js';
import { describeEachDatabase, describeWithMariadb, freshMariadbUrl, freshSqliteUrl } from '../../support/databases.js';
import { describeWithFixture, loadFixture } from '../../support/fixture.js';
import { migrate, openMigrated } from '../../support/migrate.js';
import { patientLimits } from '../../support/patient-limits.js';
import { checkedStore, expectSound } from '../../support/sound-store.js';
import { change, makeOwnStore, withDatabase } from '../copy/stores.js';
import { type Corruption, corruptions, makeReceiver, rootSecret } from './corruptions.js';

const secret = rootSecret;

async function makeSample(url: string): Promise<void> {
  await makeOwnStore(url);
  const store = await openStore({ databaseUrl: url, prefix: 'modx_', limits: patientLimits });
  await loadSample(store, { env: {}, apis: apiNames, onProgress: () => undefined });
  await loadSampleBanners(store, { env: {}, now: systemClock.now() });
  await store.close();
  await change(url, [makeReceiver]);
}

function places(findings: readonly Finding[]): string[] {
  return findings.map(({ check, table, key }) => `${check} ${table} ${key}`).sort();
}

/** The findings are those of the damage, whatever keys the database gave to the rows. */
function expectFindings(findings: readonly Finding[], damages: readonly Corruption[]): void {
  const left = [...findings];
  for (const [check, table, key] of damages.flatMap(({ found }) => found)) {
    const at = left.findIndex(
      (one) => one.check === check && one.table === table && (key === undefined || one.key === key),
    );
    expect([check, table, key, at >= 0, places(findings)]).toEqual([check, table, key, true, places(findings)]);
    left.splice(at, 1);
  }
  expect(places(left)).toEqual([]);
}

const all = (damages: readonly Corruption[], how: 'damage' | 'undo') => damages.flatMap((one) => one[how] ?? []);

describeEachDatabase('a checked store', (database) => {
  it('that was damaged in any ways has a finding for each of them and no other, and none after a repair', async () => {
    const url = await database.url();
    await makeSample(url);
    await expectSound({ url, secret });
    const cases = corruptions(database.name);
    // Each case is in one group of each round: every kind of damage is met, in other company each time.
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...cases.keys()], { minLength: cases.length }),
        fc.integer({ min: 3, max: 4 }),
        async (order, groups) => {
          for (let group = 0; group < groups; group += 1) {
            const damages = order.flatMap((one, at) => (at % groups === group ? (cases[one] ?? []) : []));
            await change(url, all(damages, 'damage'));
            expectFindings(await checkedStore({ url, secret }), damages);
            const repaired = await checkedStore({ url, secret, isRepairing: true });
            expectFindings(repaired, damages);
            expectFindings(
              repaired.filter((one) => !one.repaired),
              damages.filter(({ undo }) => undo !== undefined),
            );
            await change(url, all(damages, 'undo'));
            await expectSound({ url, secret });
          }
          // The sums of the next round begin without the events of this one.
          await change(url, [
            'DELETE FROM hcd_ad_clicks WHERE position = 700020',
            'DELETE FROM hcd_ad_days WHERE position IN (700020, 700030)',
            "DELETE FROM hcd_ad_referrer_days WHERE referrer = 'r.example'",
            "DELETE FROM hcd_ad_presets WHERE name = 'last'",
            'DELETE FROM hcd_changes',
            'DELETE FROM modx_categories WHERE id = 700000',
            'DELETE FROM modx_categories_closure WHERE descendant = 700000',
            'DELETE FROM hcd_pages WHERE resource_id > 900000',
            'DELETE FROM hcd_webhook_deliveries WHERE id > 900000',
          ]);
        },
      ),
      // A smaller case would begin on the store that this one left.
      { numRuns: 1, endOnFailure: true },
    );
    const met = new Set(cases.flatMap(({ found }) => found.map(([check]) => check)));
    expect(storeChecks.map(({ name }) => name).filter((name) => !met.has(name))).toEqual([
      'engine',
      'migrations',
      'tables',
      ...(database.name === 'sqlite' ? [] : ['sequences']),
      // Its damage needs a server with a secret: test/cli/worker.test.ts.
      'root-secret',
    ]);
  });

  it('keeps what the change feed needs of a page whose documents a repair removed', async () => {
    const url = await database.url();
    await makeOwnStore(url);
    await change(url, [
      "INSERT INTO hcd_pages (resource_id, draft, is_published, last_published, is_delivered, site_revision, created_on, edited_on, edited_by) VALUES (5, '{}', 1, 1, 1, 1, 1, 1, 'test')",
      "INSERT INTO hcd_state (`key`, `value`, updated_at) VALUES ('pages_revision', '1', 1)",
    ]);
    expect(places(await checkedStore({ url, isRepairing: true }))).toEqual(['orphans hcd_pages 5']);
    const sql = 'SELECT resource_id, draft, is_published, is_delivered, site_revision FROM hcd_pages';
    expect(await withDatabase(url, (opened) => opened.select({ sql, params: [] }))).toEqual([[5, null, 0, 1, 1]]);
    await expectSound(url);
  });

  it.each([
    [
      'a step that is not applied',
      "DELETE FROM hcd_migrations WHERE name LIKE '%own-identity'",
      'migrations hcd_migrations 2026-11-28T07-own-identity',
    ],
    [
      'a step of a newer version',
      "INSERT INTO hcd_migrations (name, started_at, applied_at) VALUES ('2099-01-01T01-own-x', 1, 1)",
      'migrations hcd_migrations 2099-01-01T01-own-x',
    ],
    ['a missing table', 'DROP TABLE hcd_ad_audit', 'tables hcd_ad_audit null'],
    ['a missing column', 'ALTER TABLE hcd_webhook_attempts DROP COLUMN answer', 'tables hcd_webhook_attempts null'],
    [
      'an unfinished copy',
      "INSERT INTO hcd_copy (name, state, position, copied, digest, updated_at) VALUES ('', 'copying', '{}', 0, '', 1)",
      'migrations hcd_copy null',
    ],
  ])('has one finding for %s', async (_name, damage, expected) => {
    const url = await database.url();
    await makeOwnStore(url);
    await change(url, [damage]);
    expect(places(await checkedStore({ url, isRepairing: true }))).toEqual([expected]);
  });

  it('has a finding for a missing unique index', async () => {
    const url = await database.url();
    await makeOwnStore(url);
    const drop = database.name === 'sqlite' ? 'DROP INDEX hcd_ad_links_once' : 'DROP INDEX `once` ON hcd_ad_links';
    await change(url, [drop]);
    const [finding] = await checkedStore({ url });
    expect(finding).toMatchObject({
      check: 'tables',
      table: 'hcd_ad_links',
      detail: 'the unique index on ad, position is missing',
    });
  });

  it('lists a hundred rows of a table and how many more there are, and a repair removes all of them', async () => {
    const url = await database.url();
    await makeOwnStore(url);
    const values = Array.from({ length: 1200 }, (_one, at) => `(7, ${at + 1}, '')`);
    await change(url, [
      `INSERT INTO modx_site_tmplvar_contentvalues (tmplvarid, contentid, value) VALUES ${values.join(', ')}`,
    ]);
    const findings = await checkedStore({ url, isRepairing: true });
    expect(findings).toHaveLength(101);
    expect(findings.at(-1)).toMatchObject({ key: null, detail: 'and 1100 more', repaired: true });
    await expectSound(url);
  });

  it('has findings for pages whose resources are in another database', async () => {
    const [url, ownUrl] = [await database.url(), await database.url()];
    await migrate({ databaseUrl: url, ownDatabaseUrl: ownUrl, prefix: 'modx_' });
    await change(url, ["INSERT INTO modx_site_content (id, description, alias, uri) VALUES (1, '', 'a', 'a.html')"]);
    const rows = [1, 2].map((id) => `(${id}, '{}', 1, 1, 'test')`);
    await change(ownUrl, [
      `INSERT INTO hcd_pages (resource_id, draft, created_on, edited_on, edited_by) VALUES ${rows.join(', ')}`,
    ]);
    expect(places(await checkedStore({ url, ownUrl, isRepairing: true }))).toEqual(['orphans hcd_pages 2']);
    await expectSound({ url, ownUrl });
  });

  it('has no findings while it is written, and neither has what is written during a repair', async () => {
    const url = await database.url();
    await makeOwnStore(url);
    let isDone = false;
    const writing = withDatabase(url, async (opened) => {
      for (let id = 1; !isDone; id += 1) {
        await opened.write(async (tx) => {
          const run = (sql: string) => tx.run({ sql, params: [] });
          await run(
            `INSERT INTO modx_site_content (id, description, alias, uri) VALUES (${id}, '', 'a${id}', 'a${id}.html')`,
          );
          await run(`INSERT INTO modx_document_groups (document_group, document) VALUES (1, ${id})`);
          await run(
            `INSERT INTO hcd_page_revisions (resource_id, revision, document, published_on, published_by) VALUES (${id}, 1, '{}', 1, 'test')`,
          );
          await run(
            `INSERT INTO hcd_pages (resource_id, is_published, last_published, created_on, edited_on, edited_by) VALUES (${id}, 1, 1, 1, 1, 'test')`,
          );
        });
        await systemClock.sleep(1);
      }
    });
    for (let round = 0; round < 3; round += 1) {
      expect(places(await checkedStore({ url, isRepairing: round === 1 }))).toEqual([]);
    }
    isDone = true;
    await writing;
    const sql = 'SELECT COUNT(*) FROM modx_document_groups UNION ALL SELECT COUNT(*) FROM modx_site_content';
    const [groups, resources] = await withDatabase(url, (opened) => opened.select({ sql, params: [] }));
    expect(groups).toEqual(resources);
  });
});

describe('a checked file', () => {
  it('whose index lacks rows has findings of the engine', async () => {
    const url = await freshSqliteUrl();
    await makeOwnStore(url);
    const file = new Sqlite(url.slice('sqlite:'.length));
    file.exec("INSERT INTO hcd_ad_positions (name, created_on, edited_on) VALUES ('a', 1, 1), ('b', 1, 1)");
    file.unsafeMode().pragma('writable_schema = ON');
    const page = "(SELECT rootpage FROM sqlite_schema WHERE name = 'hcd_ad_audit_record')";
    file.exec(`UPDATE sqlite_schema SET rootpage = ${page} WHERE name = 'hcd_ad_positions_name'`);
    file.close();
    const findings = await checkedStore({ url });
    expect(new Set(findings.map(({ check }) => check))).toEqual(new Set(['engine']));
    expect(findings.map(({ detail }) => detail).join('\n')).toContain('missing from index hcd_ad_positions_name');
  });

  it('of which a page was overwritten has findings, and no check ends the others', async () => {
    const url = await freshSqliteUrl();
    await makeOwnStore(url, {
      site_content: Array.from({ length: 300 }, (_one, at) => ({ id: at + 1, content: 'x'.repeat(900) })),
    });
    const path = url.slice('sqlite:'.length);
    const file = new Sqlite(path);
    const size = Number(file.pragma('page_size', { simple: true }));
    const root = Number(
      file.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'modx_site_content'").pluck().get(),
    );
    file.pragma('wal_checkpoint(TRUNCATE)');
    file.close();
    const handle = await open(path, 'r+');
    await handle.write(Buffer.alloc(size, 7), 0, size, (root - 1) * size);
    await handle.close();
    const findings = await checkedStore({ url });
    expect(findings.map(({ check }) => check)).toContain('engine');
    expect(findings.map(({ detail }) => detail).join('\n')).toContain('could not be checked');
  });
});

describeWithMariadb('a checked table', () => {
  it('that lost its rows has a finding of the engine', async () => {
    const url = await freshMariadbUrl();
    await makeOwnStore(url);
    await change(url, [
      'ALTER TABLE hcd_ad_presets ENGINE=MyISAM',
      "INSERT INTO hcd_ad_presets (name, defaults_data, created_on) VALUES ('a', '{}', 1)",
      'FLUSH TABLES',
    ]);
    const [[folder, name] = []] = await withDatabase(url, (opened) =>
      opened.select({ sql: 'SELECT @@datadir, DATABASE()', params: [] }),
    );
    const path = join(String(folder), String(name), 'hcd_ad_presets');
    await truncate(`${path}.MYD`, 3);
    const findings = await checkedStore({ url });
    // The server would not drop such a table.
    for (const end of ['.MYD', '.MYI', '.frm']) await rm(`${path}${end}`, { force: true });
    expect(new Set(findings.map(({ check, table }) => `${check} ${table}`))).toEqual(
      new Set(['engine hcd_ad_presets']),
    );
  });
});

describeWithFixture('the attached site of a CMS', () => {
  it('is sound, and a repair writes none of its tables, whatever is wrong in them', async () => {
    const url = await loadFixture();
    const store = await openMigrated({ databaseUrl: url, prefix: 'modx_', limits: patientLimits });
    const tables = [...store.tables.keys()];
    await store.close();
    await expectSound(url);
    await change(url, [
      "INSERT INTO modx_site_tmplvar_contentvalues (tmplvarid, contentid, value) VALUES (77777, 88888, '')",
      'DELETE FROM modx_categories_closure WHERE ancestor = 0',
      "UPDATE modx_site_content SET uri = 'wrong' WHERE id = 11",
      'INSERT INTO hcd_ad_links (ad, position) VALUES (1, 2)',
    ]);
    const sumsOf = () =>
      withDatabase(url, (opened) => opened.select({ sql: `CHECKSUM TABLE ${tables.join(', ')}`, params: [] }));
    const before = await sumsOf();
    expect(new Set(places(await checkedStore({ url, isRepairing: true })))).toEqual(
      new Set(['orphans hcd_ad_links 1']),
    );
    expect(await sumsOf()).toEqual(before);
    await expectSound(url);
  });
});

it('no check of the table lacks its place in the document', async () => {
  const text = await readFile(join(import.meta.dirname, '../../../docs/backup.md'), 'utf8');
  const [, section = ''] = text.split('\n## Check\n');
  const names = [...section.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name);
  expect(names).toEqual([...new Set(storeChecks.map(({ name }) => name))]);
});
