/** Commands around limits and cross-origin calls: what is refused when it is set and at the start, and limits of keys. */
import { describe, expect, it } from 'vitest';
import { runCliProcess } from '../support/cli.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { seed } from '../support/seed.js';

const unsafe =
  'gateway_cors_allow_credentials must be off while gateway_cors_allowed_origins is *: any web page could act as its visitor';
const asStored = { xtype: 'textfield', namespace: 'gateway', area: '' };

/** A database into which both values got past hcd. */
const unsafeDatabase = (url: string): Promise<CliDatabase> =>
  prepareCliDatabase(url, (store) =>
    seed(store, {
      system_settings: [
        { ...asStored, key: 'gateway_cors_allowed_origins', value: '*' },
        { ...asStored, key: 'gateway_cors_allow_credentials', value: '1' },
      ],
    }),
  );

describeEachDatabase('every origin together with credentials', (database) => {
  it.each([
    ['gateway_cors_allowed_origins *', 'gateway_cors_allow_credentials 1'],
    ['gateway_cors_allow_credentials 1', 'gateway_cors_allowed_origins *'],
  ])('is refused: %s, then %s', async (first, second) => {
    const db = await prepareCliDatabase(await database.url());
    expect((await db.run(`setting set ${first}`)).code).toBe(0);
    const refused = await db.run(`setting set ${second}`);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain(unsafe);
    const [key] = second.split(' ');
    expect(await db.json(`setting get ${key}`)).toMatchObject({ data: { source: 'default' } });
  });

  it('is refused when the environment makes it so', async () => {
    const db = await prepareCliDatabase(await database.url());
    const env = { HCD_GATEWAY_CORS_ALLOWED_ORIGINS: '*' };
    expect((await db.run('setting set gateway_cors_allow_credentials 1', { env })).code).toBe(1);
  });

  it('is an error for doctor when it stands in the database', async () => {
    const db = await unsafeDatabase(await database.url());
    const { code, stdout } = await db.run('doctor');
    expect(code).toBe(1);
    expect(stdout).toContain(unsafe);
  });

  it('can be mended by either setting', async () => {
    const db = await unsafeDatabase(await database.url());
    expect((await db.run('setting set gateway_cors_allowed_origins https://a.example')).code).toBe(0);
    expect(await db.json('setting get gateway_cors_allow_credentials')).toMatchObject({ data: { value: true } });
  });
});

describe('hcd serve', () => {
  it('does not start with every origin and credentials', async () => {
    const { url } = await unsafeDatabase(await freshSqliteUrl());
    const env = { HCD_DATABASE_URL: url, HCD_PORT: '0' };
    const { code, stderr } = await runCliProcess('serve gateway', { env });
    expect(code).toBe(3);
    expect(stderr).toContain(unsafe);
  });
});

describeEachDatabase('limits of keys', (database) => {
  it('are given at creation and shown', async () => {
    const db = await prepareCliDatabase(await database.url());
    await db.run('key create --scopes resources.read --name own --rate-limit 1200 --rate-window 30');
    await db.run('key create --scopes resources.read --name half --rate-window 10');
    await db.run('key create --scopes resources.read --name none');
    const expected = [
      { name: 'own', rate_limit_max: 1200, rate_limit_window: 30 },
      { name: 'half', rate_limit_max: null, rate_limit_window: 10 },
      { name: 'none', rate_limit_max: null, rate_limit_window: null },
    ];
    expect(await db.json('key list')).toMatchObject({ data: expected });
    expect(await db.json('key show 1')).toMatchObject({
      data: { rate_limit_max: 1200, rate_limit_window: 30 },
    });
    expect((await db.run('key show 2', { terminal: { columns: 80 } })).stdout).toMatch(/rate_limit_window +10\n/);
  });
});
