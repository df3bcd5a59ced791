/** `hcd migrate`: what it applies, lists and undoes, and what it refuses to do to the database of another program. */
import { describe, expect, it } from 'vitest';
import { migrations } from '../../migrations/list.js';
import { openDatabase, openStore } from '../../src/store/open/open.js';
import { type CliOutcome, runCli } from '../support/cli.js';
import { describeEachDatabase } from '../support/databases.js';

const names = migrations.map(({ name }) => name);

describeEachDatabase('hcd migrate', (database) => {
  const on =
    (url: string, env: Readonly<Record<string, string>> = {}) =>
    (line: string): Promise<CliOutcome> =>
      runCli(line, { openStore, env: { HCD_DATABASE_URL: url, NO_COLOR: '1', ...env } });

  it('applies everything, says so, and has nothing to do the second time', async () => {
    const run = on(await database.url());
    expect(await run('migrate')).toMatchObject({ code: 0, stdout: `Applied ${names.length}: ${names.join(', ')}\n` });
    expect(await run('migrate up')).toMatchObject({ code: 0, stdout: 'The schema is up to date; nothing to do.\n' });
    expect(JSON.parse((await run('migrate --json')).stdout)).toEqual({ data: { migrations: [] } });
  });

  it('lists every step with its state', async () => {
    const run = on(await database.url());
    await run('migrate');
    const { code, stdout } = await run('migrate status --json');
    const { data, meta } = JSON.parse(stdout) as { data: { name: string; state: string }[]; meta: { total: number } };
    expect([code, meta.total]).toEqual([0, names.length]);
    expect(data.map(({ name, state }) => [name, state])).toEqual(names.map((name) => [name, 'applied']));
  });

  it('reverts the last step, or all down to a named one, after confirmation', async () => {
    const run = on(await database.url());
    await run('migrate');
    expect(await run('migrate down')).toMatchObject({ code: 2, stdout: '' });
    expect(await run('migrate down --yes')).toMatchObject({ code: 0, stdout: `Reverted 1: ${names.at(-1)}\n` });
    expect((await run(`migrate down --to ${names[0]} --yes`)).code).toBe(0);
    expect((await run('migrate')).stdout).toBe(`Applied ${names.length}: ${names.join(', ')}\n`);
  });

  it.each([
    ['an unknown action', 'migrate sideways'],
    ['--to without down', 'migrate --to x'],
    ['an unknown step', 'migrate down --to nothing --yes'],
  ])('refuses %s', async (_name, line) => {
    const run = on(await database.url());
    await run('migrate');
    expect((await run(line)).code).toBe(2);
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
