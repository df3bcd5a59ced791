/** `hcd setting`: what is shown, checked and stored, and that a running server follows within a second. */
import { beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { settingKeys } from '../../src/config/settings.js';
import { openStore } from '../../src/store/open/open.js';
import { readContentGeneration } from '../../src/store/state/state.js';
import { runCli } from '../support/cli.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { fakeClock } from '../support/clock.js';
import { describeEachDatabase } from '../support/databases.js';
import { describeWithFixture, loadFixture } from '../support/fixture.js';
import { seed } from '../support/seed.js';
import { startTestSite } from '../support/site.js';
import { noted, printed } from './outcomes.js';
import { expectTranscript } from './transcript.js';

const textSetting = { xtype: 'textfield', namespace: 'core', area: '' };

describeEachDatabase('hcd setting', (database) => {
  let db: CliDatabase;

  beforeAll(async () => {
    db = await prepareCliDatabase(await database.url(), (store) =>
      seed(store, {
        system_settings: [
          { ...textSetting, key: 'site_name', value: 'House' },
          { ...textSetting, key: 'mail_smtp_pass', value: 'hush', xtype: 'text-password' },
          { ...textSetting, key: 'banners_foreign', value: 'of another extra' },
        ],
        context_setting: [{ ...textSetting, context_key: 'web', key: 'site_url', value: 'https://house.example/' }],
      }),
    );
  });

  test('list shows every setting of the three APIs with value, source and default', async () => {
    const { stdout, stderr, code } = await db.run('setting list', { env: { HCD_GATEWAY_CACHE_TTL: '60' } });
    const lines = stdout.split('\n').filter((line) => line !== '');
    expect(lines.map((line) => line.split('\t')[0])).toEqual(settingKeys);
    expect(lines).toContain('gateway_enabled\ttrue\tdefault\ttrue');
    expect(lines).toContain('gateway_cache_ttl\t60\tenvironment\t300');
    expect(lines).toContain('gateway_allowed_contexts\tweb,mgr\tdefault\tweb,mgr');
    expect([code, stderr]).toEqual([0, '']);
  });

  test('refuses an address of clicks or impressions that another one has, in whatever order', async () => {
    const problem = (one: string, other: string, value: string) =>
      `hcd: ${one} must differ from ${other}: both are ${value}, so the server cannot distinguish clicks from impressions\n`;
    expect((await db.run('setting set banners_click bannerimpression')).stderr).toBe(
      problem('banners_click', 'banners_impression', 'bannerimpression'),
    );
    await db.run('setting set banners_click go');
    expect((await db.run('setting set banners_impression go')).stderr).toBe(
      problem('banners_impression', 'banners_click', 'go'),
    );
    expect((await db.run('setting set banners_impression bannerclick')).code).toBe(0);
    for (const key of ['banners_impression', 'banners_click']) await db.run(`setting unset ${key}`);
  });

  test('list --changed shows only changed settings, with secrets masked', async () => {
    const changed = await prepareCliDatabase(await database.url());
    expect(await changed.run('setting list --changed', { terminal: { columns: 80 } })).toEqual(
      noted('All settings have their default.\n'),
    );
    await changed.run('setting set gateway_max_limit 50');
    await changed.run('setting set banners_api_key 0123456789abcdef');
    expect(await changed.json('setting list --changed')).toEqual({
      data: [
        {
          ...{ key: 'gateway_max_limit', value: 50, source: 'database', default: 100, type: 'integer', choices: [] },
          ...{ description: 'Largest page of a list.', accepts: 'an integer from 1 to 10000 (records)' },
        },
        expect.objectContaining({ key: 'banners_api_key', value: '********', source: 'database', default: '' }),
      ],
      meta: { total: 2 },
    });
  });

  test('list --all adds the settings of the CMS as text, passwords masked', async () => {
    const { stdout } = await db.run('setting list --all');
    expect(stdout).toContain('\nsite_name\tHouse\tdatabase\t\n');
    expect(stdout).toContain('\nmail_smtp_pass\t********\tdatabase\t\n');
    expect(stdout).toContain('\nfriendly_urls\t1\tdatabase\t\n');
  });

  test('list --context has the settings that the context has for itself', async () => {
    expect((await db.run('setting list --context web')).stdout).toBe('site_url\thttps://house.example/\tcontext\t\n');
    expect(await db.run('setting list --context mgr', { terminal: { columns: 80 } })).toMatchObject({
      stdout: '',
      stderr: 'The context mgr overrides no settings.\n',
    });
  });

  test('list refuses flags that exclude each other and an unknown interface', async () => {
    await expectTranscript(db, 'refused/setting-list', [
      'setting list --context web --api gateway',
      'setting list --context web --changed --all',
      'setting list --all --changed',
      'setting list --api nothing',
    ]);
  });

  test('get shows key, value, source and default', async () => {
    expect(await db.run('setting get gateway_max_limit')).toEqual(
      printed('key\tgateway_max_limit\nvalue\t100\nsource\tdefault\ndefault\t100\n'),
    );
    expect((await db.run('setting get gateway_enabled', { terminal: { columns: 80 } })).stdout).toBe(
      'key      gateway_enabled\nvalue    yes\nsource   default\ndefault  yes\n',
    );
    expect(await db.json('setting get site_name')).toEqual({
      data: { key: 'site_name', value: 'House', source: 'database', default: null },
    });
  });

  test('get --context has the own value of the context, else that of the site', async () => {
    expect(await db.json('setting get site_url --context web')).toEqual({
      data: { key: 'site_url', value: 'https://house.example/', source: 'context', default: null },
    });
    expect(await db.json('setting get site_name --context web')).toEqual({
      data: { key: 'site_name', value: 'House', source: 'database', default: null },
    });
  });

  test('get masks a secret unless it is asked for', async () => {
    const secrets = await prepareCliDatabase(await database.url());
    await secrets.run('setting set banners_api_key 0123456789abcdef');
    expect(await secrets.run('setting get banners_api_key')).toEqual({
      code: 0,
      stdout: 'key\tbanners_api_key\nvalue\t********\nsource\tdatabase\ndefault\t\n',
      stderr: 'The value is masked. Use --show-secret to show it.\n',
    });
    expect(await secrets.json('setting get banners_api_key --show-secret')).toEqual({
      data: { key: 'banners_api_key', value: '0123456789abcdef', source: 'database', default: '' },
    });
    expect((await db.run('setting get mail_smtp_pass --show-secret')).stdout).toContain('value\thush\n');
  });

  test('refuses unknown keys and names the nearest one', async () => {
    await expectTranscript(db, 'refused/setting-unknown', [
      'setting get gateway_cache_tll',
      'setting get site_nam',
      'setting unset zzz',
      'setting set gateway_cache_tll 5',
      'setting set gateway_nothing 5 --force',
      'setting set site_nam x',
    ]);
  });

  test.each([
    ['a number', ['gateway_cache_ttl', 'soon'], 'gateway_cache_ttl must be an integer from 0 to 31536000, not "soon"'],
    [
      'a switch',
      ['gateway_enabled', 'maybe'],
      'gateway_enabled must be one of 1, true, yes, on, 0, false, no, off, not "maybe"',
    ],
    ['a list', ['gateway_trusted_proxies', '10.0.0.0/8,x'], 'gateway_trusted_proxies must be a comma list'],
    ['a context', ['gateway_context', 'nope'], 'gateway_context must name contexts of this site (mgr, web), not nope'],
    [
      'contexts',
      ['gateway_allowed_contexts', 'web,nope,no'],
      'gateway_allowed_contexts must name contexts of this site (mgr, web), not nope, no',
    ],
    [
      'a secret, which is not repeated',
      ['banners_api_key', 'short'],
      'banners_api_key must be a key of 16 to 128 visible characters, or empty for none\n',
    ],
    [
      'a flag of the CMS',
      ['friendly_urls', 'perhaps'],
      'friendly_urls must be one of 1, true, yes, on, 0, false, no, off, not "perhaps"',
    ],
  ])('refuses a bad value with the accepted ones: %s', async (_name, [key = '', value = ''], message) => {
    const outcome = await db.run(['setting', 'set', key, value]);
    expect([outcome.code, outcome.stdout]).toEqual([1, '']);
    expect(outcome.stderr).toContain(`hcd: ${message}`);
    expect(await db.json(['setting', 'get', key])).not.toMatchObject({ data: { value } });
  });

  test('the address of the site can differ in a context', async () => {
    await db.run('setting set gateway_site_url https://example.com/');
    expect((await db.run('setting set gateway_site_url https://de.example.com --context web')).code).toBe(0);
    const shown = async (place: string) => (await db.run(`setting get gateway_site_url ${place}`)).stdout;
    expect(await shown('')).toContain('value\thttps://example.com\n');
    expect(await shown('--context web')).toContain('value\thttps://de.example.com\n');
    expect((await db.run('setting list --context web')).stdout).toContain('gateway_site_url\thttps://de.example.com');
    await db.run('setting unset gateway_site_url --context web');
    expect(await shown('--context web')).toContain('value\thttps://example.com\n');
    expect((await db.run('setting set gateway_site_url example.com --context web')).stderr).toContain(
      'must be an address such as https://example.com',
    );
    expect((await db.run('setting set gateway_site_url https://x.example --context nowhere')).code).toBe(1);
    await db.run('setting unset gateway_site_url');
  });

  test('refuses a context that does not exist, and one for a setting of the whole site', async () => {
    expect((await db.run('setting get site_name --context nowhere')).stderr).toBe(
      'hcd: --context nowhere: must be one of: mgr, web\n',
    );
    expect(await db.json('setting set gateway_cache_ttl 5 --context web')).toEqual({
      error: {
        code: 'validation_failed',
        message: '--context web: gateway_cache_ttl holds for the whole site and has no value for a context',
        details: {
          fields: { '--context': ['gateway_cache_ttl holds for the whole site and has no value for a context'] },
          given: { '--context': 'web' },
        },
      },
    });
  });

  test('set stores the normal form and unset brings the default back', async () => {
    expect(await db.json('setting set gateway_docs_probe x')).toHaveProperty('error.code', 'not_found');
    expect(await db.run('setting set gateway_swagger_enabled off')).toEqual(printed('Set gateway_swagger_enabled.\n'));
    expect(await db.json('setting set gateway_swagger_enabled No')).toEqual({
      data: { key: 'gateway_swagger_enabled', value: false, source: 'database', default: true },
    });
    const sql =
      "SELECT `value`, `xtype`, `namespace` FROM `modx_system_settings` WHERE `key` = 'gateway_swagger_enabled'";
    expect(await db.rows(sql)).toEqual([['0', 'combo-boolean', 'hcd_gateway']]);
    expect(await db.json('setting unset gateway_swagger_enabled')).toEqual({
      data: { key: 'gateway_swagger_enabled', value: true, source: 'default', default: true },
    });
    expect(await db.run('setting unset gateway_swagger_enabled')).toEqual(
      printed('gateway_swagger_enabled is not set; nothing to do.\n'),
    );
  });

  test('set takes an empty value and one that starts with a minus', async () => {
    expect(await db.run(['setting', 'set', 'site_name', ''])).toMatchObject({ code: 0 });
    expect(await db.json('setting get site_name')).toMatchObject({ data: { value: '' } });
    expect(await db.run('setting set -- site_name -x')).toMatchObject({ code: 0 });
    expect(await db.json('setting get site_name')).toMatchObject({ data: { value: '-x' } });
    await db.run('setting set site_name House');
  });

  test('says that the environment wins over what is stored', async () => {
    const locked = { env: { HCD_GATEWAY_MAX_LIMIT: '7' } };
    expect(await db.run('setting set gateway_max_limit 20', locked)).toEqual({
      code: 0,
      stdout: 'Set gateway_max_limit.\n',
      stderr: 'HCD_GATEWAY_MAX_LIMIT is set in this environment and overrides the stored value.\n',
    });
    expect(await db.json('setting get gateway_max_limit', locked)).toMatchObject({
      data: { value: 7, source: 'environment' },
    });
    expect(await db.json('setting get gateway_max_limit')).toMatchObject({ data: { value: 20, source: 'database' } });
    await db.run('setting unset gateway_max_limit');
  });

  test('says that a stored value is ignored because it is not acceptable', async () => {
    await db.change(({ prefix, content }) =>
      content.write(async (tx) => {
        const sql = `INSERT INTO ${prefix}system_settings (\`key\`, value, xtype, namespace, area) VALUES (?, ?, ?, ?, ?)`;
        await tx.run({ sql, params: ['gateway_max_fields', 'many', 'textfield', 'hcd_gateway', ''] });
      }),
    );
    const note = 'gateway_max_fields must be an integer from 1 to 1000, not "many"; the value is ignored.\n';
    expect(await db.run('setting get gateway_max_fields')).toEqual({
      code: 0,
      stdout: 'key\tgateway_max_fields\nvalue\t50\nsource\tdefault\ndefault\t50\n',
      stderr: note,
    });
    expect((await db.run('setting list')).stderr).toBe(note);
    await db.run('setting unset gateway_max_fields');
  });

  test('gives a context a value of its own and takes it away again', async () => {
    expect(await db.run('setting set site_name Shop --context web')).toEqual(
      printed('Set site_name in the context web.\n'),
    );
    expect(await db.json('setting get site_name --context web')).toMatchObject({
      data: { value: 'Shop', source: 'context' },
    });
    expect(await db.json('setting get site_name')).toMatchObject({ data: { value: 'House', source: 'database' } });
    expect(await db.json('setting unset site_name --context web')).toEqual({
      data: { key: 'site_name', value: 'House', source: 'database', default: null },
    });
  });

  test('keeps a flag of the CMS a flag, in a context too', async () => {
    expect(await db.json('setting set friendly_urls no --context web')).toMatchObject({ data: { value: '0' } });
    const sql = "SELECT `value`, `xtype` FROM `modx_context_setting` WHERE `key` = 'friendly_urls'";
    expect(await db.rows(sql)).toEqual([['0', 'combo-boolean']]);
    await db.run('setting unset friendly_urls --context web');
  });

  test('changes a row of another extra under a key that looks like ours', async () => {
    expect(await db.json('setting set banners_foreign changed')).toEqual({
      data: { key: 'banners_foreign', value: 'changed', source: 'database', default: null },
    });
  });

  test('makes a new setting of the CMS when forced, and removes it when agreed', async () => {
    expect(await db.run('setting set my_own 1 --force')).toMatchObject({ code: 0 });
    expect(await db.run('setting unset my_own')).toMatchObject({ code: 2, stdout: '' });
    expect(await db.run('setting unset my_own', { terminal: { columns: 80 }, stdin: 'n\r' })).toMatchObject({
      code: 1,
    });
    expect(await db.json('setting get my_own')).toMatchObject({ data: { value: '1' } });
    expect(await db.json('setting unset my_own --yes')).toEqual({ data: null });
    expect(await db.run('setting get my_own')).toMatchObject({ code: 1 });
  });

  test('makes them stale where the own tables lie in a database of their own', async () => {
    const env = { HCD_DATABASE_URL: await database.url(), HCD_OWN_DATABASE_URL: await database.url() };
    expect((await runCli('migrate', { openStore, env })).code).toBe(0);
    expect((await runCli('setting set gateway_max_limit 20', { openStore, env })).code).toBe(0);
    expect((await runCli('setting get gateway_max_limit', { openStore, env })).stdout).toContain('value\t20\n');
    const own = await openStore({ databaseUrl: env.HCD_OWN_DATABASE_URL, prefix: 'modx_' });
    onTestFinished(() => own.close());
    expect(await readContentGeneration(own.own)).toBe(1);
  });

  test('a running server follows a change within a second', async () => {
    const url = await database.url();
    const clock = fakeClock();
    const site = await startTestSite({ databaseUrl: url, clock });
    const served = await prepareCliDatabase(url);
    // A second goes by for the server; what it has begun to read by then it may read to the end.
    const follows = async (status: number): Promise<void> => {
      await clock.advance(1000);
      const statusNow = async () => (await site.get('/resources')).status;
      await expect.poll(statusNow, { interval: 20 }).toBe(status);
    };
    expect((await site.get('/resources')).status).toBe(200);
    await served.run('setting set gateway_enabled 0');
    expect((await site.get('/resources')).status).toBe(200);
    await follows(503);
    await served.run('setting unset gateway_enabled');
    await follows(200);
  });
});

describe('hcd setting without a usable database', () => {
  it.each([
    ['get', 'KEY is required'],
    ['set site_name', 'VALUE is required'],
    [`get ${'x'.repeat(51)}`, 'KEY must be a key of 1 to 50 characters'],
  ])('%s is wrong usage', async (line, message) => {
    const { code, stderr } = await runCli(`setting ${line}`);
    expect(code).toBe(2);
    expect(stderr).toContain(`hcd: ${message}`);
  });
});

describeWithFixture('hcd setting on the database of an existing site', () => {
  test('reads and writes its settings and says that it has a cache', async () => {
    const db = await prepareCliDatabase(await loadFixture());
    const before = await db.json('setting get site_name');
    expect(before).toEqual({
      data: { key: 'site_name', value: expect.any(String), source: 'database', default: null },
    });
    expect(await db.run('setting set site_name Changed')).toEqual({
      code: 0,
      stdout: 'Set site_name.\n',
      stderr: 'The CMS uses the new value after its cache is cleared.\n',
    });
    expect(await db.json('setting get site_name')).toMatchObject({ data: { value: 'Changed' } });
    expect((await db.run('setting list --all')).stdout.split('\n').length).toBeGreaterThan(390);
    expect(await db.run('setting set gateway_max_limit 9')).toMatchObject({ code: 0, stderr: '' });
  });
});
