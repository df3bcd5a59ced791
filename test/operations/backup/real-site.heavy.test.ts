/** A backup of the real site, attached to the database of its CMS, restores into SQLite and serves every page the same. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/clock/clock.js';
import { openStore } from '../../../src/store/open/open.js';
import { runCli } from '../../support/cli.js';
import { freshMariadbUrl, freshSqliteUrl } from '../../support/databases.js';
import { describeWithFixture, loadFixture } from '../../support/fixture.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { makeTempDir } from '../../support/temp-dir.js';
import { columnsOf, rowsOf, tablesOf, withDatabase } from '../copy/stores.js';

async function run(words: readonly string[]): Promise<void> {
  const outcome = await runCli(words, { openStore, clock: systemClock });
  expect([words, outcome.code, outcome.stderr.includes('error')]).toEqual([words, 0, false]);
}

/** Status and content of every address of the site, by address. */
async function everyAnswer(site: TestSite, source: string): Promise<Map<string, unknown>> {
  const rows = await withDatabase(source, (database) =>
    database.select({ sql: 'SELECT id, uri FROM modx_site_content ORDER BY id', params: [] }),
  );
  const paths = rows.flatMap(([id, uri]) => [
    `/resources/${id}?tv_fields=*`,
    `/pages/${String(uri ?? '')}?include=children`,
  ]);
  const answers = new Map<string, unknown>();
  for (const path of paths) {
    const { status, body } = await site.get(encodeURI(path));
    answers.set(path, { status, data: body['data'] });
  }
  return answers;
}

describeWithFixture('a backup of the real site', () => {
  test('restores into SQLite and MariaDB with every row, and serves every page the same', async () => {
    const source = await loadFixture();
    const attached = await startTestSite({ databaseUrl: source });
    const expected = await everyAnswer(attached, source);
    const ok = [...expected.values()].filter((answer) => JSON.stringify(answer).startsWith('{"status":200'));
    expect(ok.length).toBeGreaterThan(500);
    const file = join(await makeTempDir('backup'), 'site.backup');
    await run(['backup', file, '--database', source]);
    for (const target of [await freshSqliteUrl(), await freshMariadbUrl()]) {
      await run(['restore', file, '--database', target]);
      const tables = await tablesOf(source, 'modx_');
      expect(await tablesOf(target, 'modx_')).toEqual(tables);
      // Decimals of more than 15 digits and binary texts are compared by the tests of copies.
      for (const table of tables.filter((name) => name !== 'modx_session')) {
        const columns = await columnsOf(source, table);
        expect([table, await rowsOf(target, table, columns)]).toEqual([table, await rowsOf(source, table, columns)]);
      }
      const restored = await startTestSite({ databaseUrl: target });
      expect(restored.store.kind).toBe('own');
      const here = await everyAnswer(restored, source);
      for (const [path, answer] of expected) expect([path, here.get(path)]).toEqual([path, answer]);
      await restored.close();
    }
    await attached.close();
  });
});
