/** `hcd migrate`: what it applies, lists and undoes, and what it refuses to do to the database of another program. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { programVersion } from '../../commands/host.js';
import { migrations } from '../../migrations/list.js';
import { openDatabase, openStore } from '../../src/store/open/open.js';
import { type CliOutcome, runCli } from '../support/cli.js';
import { describeEachDatabase } from '../support/databases.js';
import { migrate } from '../support/migrate.js';
import { makeTempDir } from '../support/temp-dir.js';

const names = migrations.map(({ name }) => name);

/** The last steps, at least two, from one that changes our own tables on; a step of contents may only change rows. */
const first = Math.min(names.length - 2, names.map((name) => name.includes('-own-')).lastIndexOf(true));
const latest = names.slice(first);

/** What `--dry-run` prints for a step: its name, its layer and its statements. */
function printed(name: string, statements: { readonly own: string; readonly content: string }): string {
  const layer = name.includes('-own-') ? 'own' : 'content';
  return `-- ${name} \\(${layer}\\)\n(?:(?:${statements[layer]});\n)+`;
}

describeEachDatabase('hcd migrate', (database) => {
  const on =
    (url: string, env: Readonly<Record<string, string>> = {}) =>
    (line: string): Promise<CliOutcome> =>
      runCli(line, { openStore, env: { HCD_DATABASE_URL: url, NO_COLOR: '1', ...env } });

  /** Runs commands on a migrated store. */
  const onMigrated = async () => {
    const url = await database.url();
    await migrate({ databaseUrl: url, prefix: 'modx_' });
    return on(url);
  };

  it('applies everything, says so, and has nothing to do the second time', async () => {
    const run = on(await database.url());
    expect(await run('migrate')).toMatchObject({ code: 0, stdout: `Applied ${names.length}: ${names.join(', ')}\n` });
    expect(await run('migrate up')).toMatchObject({ code: 0, stdout: 'The schema is up to date; nothing to do.\n' });
    expect(JSON.parse((await run('migrate --json')).stdout)).toEqual({ data: { migrations: [] } });
  });

  it('lists every step with its state', async () => {
    const run = await onMigrated();
    const { code, stdout } = await run('migrate status --json');
    const { data, meta } = JSON.parse(stdout) as { data: { name: string; state: string }[]; meta: { total: number } };
    expect([code, meta.total]).toEqual([0, names.length]);
    expect(data.map(({ name, state }) => [name, state])).toEqual(names.map((name) => [name, 'applied']));
  });

  it('reverts the last step, or all down to a named one, after confirmation', async () => {
    const run = await onMigrated();
    expect(await run('migrate down')).toMatchObject({ code: 2, stdout: '' });
    expect(await run('migrate down --yes')).toMatchObject({ code: 0, stdout: `Reverted 1: ${names.at(-1)}\n` });
    expect((await run(`migrate down --to ${names[0]} --yes`)).code).toBe(0);
    expect((await run('migrate')).stdout).toBe(`Applied ${names.length}: ${names.join(', ')}\n`);
  });

  it('refuses an unknown action or step, and flags of another action', async () => {
    const run = await onMigrated();
    const lines = ['migrate sideways', 'migrate --to x', 'migrate down --to nothing --yes', 'migrate status --dry-run'];
    for (const line of lines) expect([line, (await run(line)).code]).toEqual([line, 2]);
  });

  it('lists the SQL of pending steps, and none of applied ones', async () => {
    const run = await onMigrated();
    await run(`migrate down --to ${latest[0]} --yes`);
    const { stdout } = await run('migrate status --json');
    const { data } = JSON.parse(stdout) as { data: { name: string; sql: string[]; written_by: string | null }[] };
    expect(data.slice(0, first).flatMap(({ sql }) => sql)).toEqual([]);
    const pending = data.slice(first);
    expect(pending).toMatchObject(latest.map((name) => ({ name, written_by: null })));
    expect(pending.every(({ sql }) => sql.length > 0)).toBe(true);
    expect(pending[0]?.sql[0]).toMatch(/^(?:CREATE|ALTER) TABLE (?:IF NOT EXISTS )?`hcd_/);
    expect(data[0]).toMatchObject({ written_by: programVersion });
    const listed = await run('migrate status');
    expect(listed.stdout).not.toMatch(/CREATE|ALTER|UPDATE/);
    expect(listed.stderr).toContain('hcd migrate --dry-run prints the SQL of the pending migrations.');
  });

  it('prints the SQL of --dry-run and changes nothing', async () => {
    const run = await onMigrated();
    await run(`migrate down --to ${latest[0]} --yes`);
    const before = (await run('migrate status --json')).stdout;
    const changed = 'UPDATE .+';
    const made = {
      own: '(?:CREATE|ALTER) TABLE [^;]+|CREATE (?:UNIQUE |VIRTUAL )?(?:INDEX|TABLE) [^;]+|CREATE TRIGGER .+ END',
      content: changed,
    };
    const up = await run('migrate --dry-run');
    expect(up).toMatchObject({
      code: 0,
      stderr: `${latest.length} migrations would be applied. Nothing was changed.\nhcd migrate also records each migration in the table hcd_migrations.\n`,
    });
    expect(up.stdout).toMatch(new RegExp(`^${latest.map((name) => printed(name, made)).join('\n')}$`));
    const { data } = JSON.parse((await run('migrate up --dry-run --json')).stdout);
    expect(data).toMatchObject({ dry_run: true, migrations: latest });
    expect(data.steps.map(({ name }: { name: string }) => name)).toEqual(latest);
    expect((await run('migrate status --json')).stdout).toBe(before);

    await run('migrate');
    const down = await run(`migrate down --to ${latest[0]} --dry-run`);
    expect(down.code).toBe(0);
    const dropped = 'ALTER TABLE .hcd_\\w+. DROP COLUMN .\\w+.|DROP TABLE IF EXISTS .hcd_\\w+.';
    const undone = latest.toReversed().map((name) => printed(name, { own: dropped, content: changed }));
    expect(down.stdout).toMatch(new RegExp(`^${undone.join('\n')}$`));
    expect(await run('migrate --dry-run')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '0 migrations would be applied. Nothing was changed.\n',
    });
    expect((await run(`migrate down --to nothing --dry-run`)).code).toBe(2);
  });

  it('refuses a database that a newer program wrote in every command that opens it, and names its version', async () => {
    const url = await database.url();
    const run = on(url);
    await run('migrate');
    const opened = await openDatabase({ url });
    const row = "('2099-01-01T01-own-later', 1, 1, '9.1.0')";
    const sql = `INSERT INTO hcd_migrations (name, started_at, applied_at, written_by) VALUES ${row}`;
    await opened.write((tx) => tx.run({ sql, params: [] }));
    await opened.close();
    const cwd = await makeTempDir('newer');
    const file = join(cwd, 'site.backup');
    const outcomeOf = (line: string) => runCli(line, { openStore, env: { HCD_DATABASE_URL: url }, cwd });
    const lines = [
      ...[
        'migrate',
        'migrate --dry-run',
        'migrate down --yes',
        'migrate down --dry-run',
        'serve --port 0',
        'worker --once',
      ],
      ...['resource list', 'key list', 'setting list', 'banner list', 'cache clear'],
      ...[`backup ${file}`, `db copy --from ${url} --to ${await database.url()} --yes`, 'demo --yes', 'init --yes'],
    ];
    for (const line of lines) {
      const { code, stdout } = await outcomeOf(`${line} --json`);
      expect([line, code, JSON.parse(stdout).error]).toEqual([
        line,
        3,
        {
          code: 'database_newer',
          message: expect.stringContaining(
            `(hcd ${programVersion}): hcd 9.1.0 wrote migration 2099-01-01T01-own-later`,
          ),
          details: { migration: '2099-01-01T01-own-later', written_by: '9.1.0' },
        },
      ]);
    }
    const { data } = JSON.parse((await run('migrate status --json')).stdout);
    expect(data.at(-1)).toMatchObject({ state: 'unknown', written_by: '9.1.0', sql: [] });
  });

  it('creates a second site with another prefix only after confirmation', async () => {
    const url = await database.url();
    await on(url, { HCD_CONTENT_PREFIX: 'shop_' })('migrate');
    // As the CMS left it: without our ledger it is a site of its own.
    const opened = await openDatabase({ url });
    await opened.write((tx) => tx.run({ sql: 'DELETE FROM hcd_migrations', params: [] }));
    await opened.close();
    const refused = await on(url)('migrate');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('The database contains a site with the table prefix shop_');
    const store = await openStore({ databaseUrl: url, prefix: 'modx_' });
    expect(store.kind).toBe('empty');
    await store.close();
    expect((await on(url)('migrate --yes')).code).toBe(0);
  });
});

describe('hcd migrate without a database', () => {
  it('says what to do when nothing answers', async () => {
    const outcome = await runCli('migrate', {
      openStore,
      env: { HCD_DATABASE_URL: 'mariadb://u:geheim@127.0.0.1:1/db' },
    });
    expect(outcome.code).toBe(3);
    expect(outcome.stderr).toContain('nothing answers at 127.0.0.1:1');
    expect(outcome.stderr).not.toContain('geheim');
  });
});
