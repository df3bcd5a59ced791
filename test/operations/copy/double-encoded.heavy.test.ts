/** A site whose CMS wrote UTF-8 over a connection of another character set: doctor says so, a copy repairs it. */
import { beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock/clock.js';
import { openStore } from '../../../src/store/open/open.js';
import { runCli } from '../../support/cli.js';
import { describeWithMariadb, freshMariadbUrl, freshSqliteUrl } from '../../support/databases.js';
import { doubleEncode, prefix, texts, textsOf } from './double-encoded-site.js';
import { copy, withDatabase } from './stores.js';

describeWithMariadb('a double-encoded site', () => {
  const sites: Record<string, { url: string; right: Map<string, unknown> }> = {};
  beforeAll(async () => {
    for (const charset of ['latin1', 'utf8mb3']) {
      const url = await freshMariadbUrl();
      sites[charset] = { url, right: await doubleEncode(url, charset) };
    }
  });

  it.each(['latin1', 'utf8mb3'])('in %s is reported by doctor, without the advice to convert it', async (charset) => {
    const env = { HCD_DATABASE_URL: sites[charset]?.url ?? '', NO_COLOR: '1' };
    const { stdout } = await runCli('doctor --json --all', { openStore, env, clock: systemClock });
    const { data } = JSON.parse(stdout);
    const of = (name: string) => data.find(({ check }: { check: string }) => check === name);
    expect(of('encoding')).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining('double-encoded'),
      fix: expect.stringContaining('hcd db copy --repair-encoding'),
    });
    expect(of('character-sets')?.fix).not.toContain('ALTER TABLE');
  });

  it.each(['latin1', 'utf8mb3'])('in %s is repaired by a copy that keeps what is right or unclear', async (charset) => {
    const { url, right } = sites[charset] ?? { url: '', right: new Map() };
    for (const target of [await freshSqliteUrl(), await freshMariadbUrl()]) {
      const copied = await copy(url, target, { repairEncoding: true });
      expect(copied).toMatchObject({ code: 0, data: { complete: true } });
      expect(copied.data?.tables).toContainEqual(
        expect.objectContaining({ table: 'modx_site_content', verified: true, texts_unclear: ['pagetitle of 9005'] }),
      );
      await withDatabase(target, async (database) => {
        for (const [table, columns] of Object.entries(texts)) {
          const found = (await textsOf(database, table, columns)).filter(([id]) => Number(id) < 9004);
          expect(found).toEqual(right.get(table));
        }
        const sql = `SELECT pagetitle FROM ${prefix}site_content WHERE id >= 9004 ORDER BY id`;
        expect(await database.select({ sql, params: [] })).toEqual([['café'], ['Ã© café']]);
      });
      // The same copy, once more, compares and finds the same.
      expect(await copy(url, target, { repairEncoding: true })).toMatchObject({ code: 0 });
      expect(await copy(url, target)).toMatchObject({ code: 1 });
    }
  });
});
