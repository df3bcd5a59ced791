/** Commands on a database that is not ready: each says what to do, and makes no file. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { openStore } from '../../src/store/open/open.js';
import { runCli } from '../support/cli.js';
import { prepareCliDatabase } from '../support/cli-database.js';
import { freshSqliteUrl } from '../support/databases.js';
import { makeTempDir } from '../support/temp-dir.js';
import { refused } from './outcomes.js';

const lines: readonly string[] = [
  ...['key create --scopes preview', 'key list', 'key show 1', 'key revoke 1 --yes', 'key rotate 1 --yes'],
  ...['user list', 'user add x --generate', 'user passwd x --generate', 'user remove x --yes'],
  ...['setting list', 'setting get site_name', 'setting set site_name x', 'setting unset gateway_enabled'],
  ...['resource list', 'resource show 1', 'resource tree', 'element list chunks', 'element show chunk 1'],
  ...['object list', 'object check x.json', 'types', 'banner list', 'webhook list', 'delivery list', 'page list'],
  ...['token list', 'oauth client list', 'section-type list', 'audit list', 'export -', 'db check'],
];

describe('a database without tables', () => {
  it.each(lines)('is refused with what to do by hcd %s', async (line) => {
    const url = await freshSqliteUrl();
    const outcome = await runCli(line, { openStore, clock: systemClock, env: { HCD_DATABASE_URL: url } });
    expect(outcome).toMatchObject(refused(expect.stringContaining('Run: hcd migrate'), 3));
    expect(existsSync(url.slice('sqlite:'.length))).toBe(false);
  });

  it('is named with the migrations that are pending', async () => {
    const url = await freshSqliteUrl();
    await (await openStore({ databaseUrl: url, prefix: 'modx_' })).close();
    const { code, stderr } = await runCli('setting list', { openStore, env: { HCD_DATABASE_URL: url } });
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/^hcd: \d+ migrations are pending \(from .+\)\. Run: hcd migrate\n/),
    ]);
  });
});

it.each(['serve --port 0', 'worker --once', 'worker'])(
  'hcd %s refuses a database with pending migrations, and names the command',
  async (line) => {
    const db = await prepareCliDatabase(await freshSqliteUrl());
    await db.run('migrate down --yes');
    const { code, stderr } = await db.run(line, { openStore, clock: systemClock });
    expect([code, stderr]).toEqual([3, expect.stringMatching(/^hcd: 1 migration is pending .+ Run: hcd migrate\n/)]);
  },
);

it.each(['setting list', 'worker --once', 'worker'])(
  'hcd %s in a folder without any configuration creates no database',
  async (line) => {
    const cwd = await makeTempDir('elsewhere');
    const { code, stderr } = await runCli(line, { openStore, clock: systemClock, env: {}, cwd });
    expect([code, await readdir(cwd)]).toEqual([3, []]);
    expect(stderr).toMatch(/^hcd: There is no hcd\.toml here: change to the folder of the site, or run hcd init\. /);
  },
);
