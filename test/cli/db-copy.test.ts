/** The command line of `hcd db copy`: what it accepts, what it prints, how it ends. */
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { openStore } from '../../src/store/open/open.js';
import { change, makeOwnStore, withDatabase } from '../operations/copy/stores.js';
import { type CliOptions, runCli } from '../support/cli.js';
import { fakeClock } from '../support/clock.js';
import { freshSqliteUrl } from '../support/databases.js';

const surroundings: CliOptions = { openStore, clock: systemClock };

/** To a new SQLite file. */
async function copy(source: string, { flags = [], ...more }: CliOptions & { flags?: readonly string[] } = {}) {
  const target = await freshSqliteUrl();
  const line = ['db', 'copy', '--from', source, '--to', target, ...flags];
  return { ...(await runCli(line, { ...surroundings, clock: fakeClock(), ...more })), target };
}

describe('hcd db copy', () => {
  test.each([
    ['without --from', 'db copy --to sqlite:/b', '--from is required'],
    ['without --to', 'db copy --from sqlite:/a', '--to is required'],
    ['with an address of an unknown kind', 'db copy --from oracle:/a --to sqlite:/b', '--from must be sqlite:PATH'],
    [
      'with an unknown choice of tables',
      'db copy --from sqlite:/a --to sqlite:/b --tables some',
      '--tables must be one of core, all',
    ],
    [
      'with a table that is copied anyway',
      'db copy --from sqlite:/a --to sqlite:/b --include users',
      '--include must be',
    ],
    [
      'with a prefix that no table can have',
      'db copy --from sqlite:/a --to sqlite:/b --from-prefix a.b',
      '--from-prefix must be up to 32 letters, digits, _ - and $',
    ],
  ])('is wrong usage %s', async (_name, line, problem) => {
    const outcome = await runCli(line);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain(problem);
  });

  test('prints a line for each table in a pipe and notes the skipped ones', async () => {
    const source = await freshSqliteUrl();
    await makeOwnStore(source, { site_content: [{ id: 1 }, { id: 2 }], session: [{ id: 's', access: 1 }] });
    const outcome = await copy(source);
    expect(outcome.code).toBe(0);
    const lines = outcome.stdout.trimEnd().split('\n');
    expect(lines).toContain('modx_site_content\tcore\t2\t2\t0\ttrue');
    expect(lines).toContain('hcd_state\town\t0\t0\t0\ttrue');
    expect(outcome.stderr).toBe(
      `Skipped modx_session with 1 rows (not asked for: --include session).\nCopied and verified ${lines.length} tables.\n`,
    );
  });

  test('prints a table on a terminal', async () => {
    const source = await freshSqliteUrl();
    await makeOwnStore(source, { site_content: [{ id: 1 }] });
    const outcome = await copy(source, { flags: ['--no-color'], terminal: { columns: 100 } });
    expect(outcome.stdout).toMatch(/^TABLE +KIND +SOURCE_ROWS +COPIED +SECONDS +VERIFIED$/m);
    expect(outcome.stdout).toMatch(/^modx_site_content +core +1 +1 +0 +(yes|true)$/m);
  });

  test('prints one object with --json', async () => {
    const source = await freshSqliteUrl();
    await makeOwnStore(source, { site_content: [{ id: 1 }] });
    const { data } = JSON.parse((await copy(source, { flags: ['--json'] })).stdout);
    expect(Object.keys(data)).toEqual(['tables', 'skipped', 'notes', 'complete']);
    expect(data.complete).toBe(true);
    expect(data.tables).toContainEqual({
      ...{ table: 'modx_site_content', kind: 'core', source_rows: 1, copied: 1, verified: true, seconds: 0 },
      ...{ resumed_rows: 0, duplicates: 0, nulls_filled: 0, columns_lost: [] },
    });
  });

  test('makes indexes whose names begin with those of other tables', async () => {
    const source = await freshSqliteUrl();
    await makeOwnStore(source);
    await change(source, [
      'CREATE TABLE modx_shop (id INTEGER PRIMARY KEY, code TEXT, item TEXT)',
      'CREATE UNIQUE INDEX code_item ON modx_shop (code, item)',
      'CREATE INDEX item ON modx_shop (item)',
      'CREATE TABLE modx_shop_code (id INTEGER PRIMARY KEY DESC, item TEXT)',
      'CREATE UNIQUE INDEX modx_shop_code_item ON modx_shop_code (item)',
      'CREATE TABLE modx_shop_item (id INTEGER PRIMARY KEY)',
    ]);
    const { code, stderr, target } = await copy(source);
    expect([code, stderr]).toEqual([0, expect.stringContaining('Copied and verified')]);
    const sql = "SELECT name FROM sqlite_schema WHERE tbl_name LIKE 'modx_shop%' AND type = 'index' ORDER BY 1";
    const names = await withDatabase(target, (database) => database.select({ sql, params: [] }));
    expect(names).toEqual([['modx_shop.code_item'], ['modx_shop.item'], ['modx_shop_code.item']]);
  });

  test('takes relative paths from the working directory and refuses one database for both', async () => {
    const source = await freshSqliteUrl();
    await makeOwnStore(source);
    const cwd = source.slice('sqlite:'.length).replace(/\/[^/]*$/, '');
    const refused = await runCli('db copy --from sqlite:test.sqlite --to sqlite:./test.sqlite', {
      ...surroundings,
      cwd,
    });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('hcd: --from and --to name the same database');
    const copied = await runCli('db copy --from sqlite:test.sqlite --to sqlite:new.sqlite --dry-run --quiet', {
      ...surroundings,
      cwd,
    });
    expect(copied).toMatchObject({ code: 0, stderr: '' });
    expect(copied.stdout).toContain('modx_context\tcore\tmodx_context\t2\n');
  });

  test('says in a log how far it is', async () => {
    const source = await freshSqliteUrl();
    await makeOwnStore(source, { site_content: [{ id: 1 }] });
    let elapsed = 0;
    const outcome = await copy(source, { clock: { ...fakeClock(), elapsed: () => (elapsed += 6000) } });
    expect(outcome.code).toBe(0);
    expect(outcome.stderr).toMatch(/^Copying and reading back rows: \d+ of \d+ \(\d+ %\)$/m);
    expect(outcome.stderr).toMatch(/^Copying and reading back rows: (\d+) of \1 \(100 %\)$/m);
  });

  test('never prints a password', async () => {
    const outcome = await runCli(
      'db copy --from mariadb://u:geheim@127.0.0.1:1/x --to sqlite:/nowhere/b',
      surroundings,
    );
    expect(outcome.code).toBe(3);
    expect(outcome.stdout + outcome.stderr).not.toContain('geheim');
  });
});
