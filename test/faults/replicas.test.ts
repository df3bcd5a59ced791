/** A MariaDB replica that stands still while content changes: what servers that read from it answer, and what status and doctor say. */
import { expect, it } from 'vitest';
import type { Identity } from '../../src/access/identity.js';
import { systemClock } from '../../src/clock/clock.js';
import { openDatabase, openStore } from '../../src/store/open/open.js';
import { rows } from '../store/opened.js';
import { runCli } from '../support/cli.js';
import { describeWithOwnMariadb, executeOnMariadb, type MariadbServer, startMariadb } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { migrate } from '../support/migrate.js';
import { startTestSite, type TestSite } from '../support/site.js';

const writer: Identity = { kind: 'api_key', id: 'writer', scopes: new Set(['*']), userId: null };

const raiseGeneration = `INSERT INTO hcd_state (\`key\`, \`value\`, updated_at) VALUES ('content_generation', '1', 1)
  ON DUPLICATE KEY UPDATE \`value\` = \`value\` + 1`;

/** A server with the database `site`, and one that copies it. */
async function startReplication(): Promise<{
  primary: MariadbServer;
  replica: MariadbServer;
  caughtUp(): Promise<void>;
}> {
  const primary = await startMariadb(['--server-id=1', '--log-bin=bin', '--binlog-format=ROW']);
  const replica = await startMariadb(['--server-id=2']);
  await executeOnMariadb(replica.url, [
    `CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = ${primary.port}, MASTER_USER = 'root',
     MASTER_LOG_FILE = 'bin.000001', MASTER_LOG_POS = 4`,
    'START SLAVE',
  ]);
  await executeOnMariadb(primary.url, ['CREATE DATABASE site']);
  const dumpOf = async ({ url }: MariadbServer) => {
    const db = await openDatabase({ url: `${url}/site` });
    try {
      return [
        await rows(db, 'SELECT `key`, `value` FROM hcd_state ORDER BY `key`'),
        await rows(db, 'SELECT id, pagetitle FROM modx_site_content ORDER BY id'),
      ];
    } finally {
      await db.close();
    }
  };
  return {
    ...{ primary, replica },
    caughtUp: () => eventually(async () => expect(await dumpOf(replica)).toEqual(await dumpOf(primary))),
  };
}

describeWithOwnMariadb('servers that read from a replica', () => {
  it('answer with every change that they know of, while the replica stands still', { timeout: 120_000 }, async () => {
    const { primary, replica, caughtUp } = await startReplication();
    const databaseUrl = `${primary.url}/site`;
    const options = { databaseUrl, readUrls: [`${replica.url}/site`], identities: { writer } };
    const here = await startTestSite(options);
    const other = await startTestSite(options);
    const made = await here.get('/resources', {
      ...{ as: 'writer', method: 'POST' },
      body: { pagetitle: 'First', alias: 'first', published: true },
    });
    const { id } = made.body['data'] as { id: number };
    const path = `/resources/${id}`;
    const read = async (site: TestSite) => {
      const { status, body } = await site.get(path, { as: 'writer' });
      const { data } = (await site.get('/resources?filter[alias]=first', { as: 'writer' })).body as {
        data: readonly { pagetitle: string }[];
      };
      const { pagetitle, introtext } = body['data'] as { pagetitle: string; introtext: string | null };
      return { status, pagetitle, inList: data[0]?.pagetitle, introtext };
    };
    /** Writes on the replica alone, so that answers tell where they come from. */
    const mark = () =>
      executeOnMariadb(`${replica.url}/site`, [`UPDATE modx_site_content SET introtext = 'copy' WHERE id = ${id}`]);
    await caughtUp();
    await mark();
    expect(await read(here)).toEqual({ status: 200, pagetitle: 'First', inList: 'First', introtext: 'copy' });

    await executeOnMariadb(replica.url, ['STOP SLAVE SQL_THREAD']);
    for (let turn = 0; turn < 10; turn += 1) {
      const pagetitle = `Title ${turn}`;
      await here.get(path, { as: 'writer', method: 'PATCH', body: { pagetitle } });
      expect(await read(here)).toEqual({ status: 200, pagetitle, inList: pagetitle, introtext: null });
      await other.live.changes.look();
      expect(await read(other)).toEqual({ status: 200, pagetitle, inList: pagetitle, introtext: null });
    }

    await executeOnMariadb(replica.url, ['START SLAVE SQL_THREAD']);
    await caughtUp();
    await mark();
    for (const site of [here, other]) expect((await read(site)).introtext).toBe('copy');

    await replica.kill();
    for (const site of [here, other]) expect(await read(site)).toMatchObject({ status: 200, introtext: null });
  });

  it('have in status and doctor how far it is behind, that it stands still, and that it is away', async () => {
    const { primary, replica, caughtUp } = await startReplication();
    const databaseUrl = `${primary.url}/site`;
    await migrate({ databaseUrl, prefix: 'modx_' });
    await executeOnMariadb(primary.url, [
      "CREATE USER reader IDENTIFIED BY 'hidden'",
      'GRANT SELECT ON site.* TO reader',
    ]);
    await caughtUp();
    const own = `${replica.url}/site`;
    const restricted = own.replace('root', 'reader:hidden');
    const address = `127.0.0.1:${replica.port}`;
    const ask = async (command: string, readUrls: string) => {
      const env = {
        HCD_DATABASE_URL: databaseUrl,
        HCD_DATABASE_READ_URLS: readUrls,
        HCD_SECRET: 'a root secret for tests',
      };
      const { stdout } = await runCli(`${command} --json`, { env, clock: systemClock, openStore });
      expect(stdout).not.toContain('hidden');
      return JSON.parse(stdout).data;
    };
    const status = async (readUrls: string) => (await ask('status', readUrls)).database.replicas;
    const doctor = async (readUrls: string) => {
      const found: { check: string; state: string; detail: string }[] = await ask('doctor', readUrls);
      return found.filter(({ check }) => check === 'replicas').map(({ state, detail }) => [state, detail]);
    };
    const change = () => executeOnMariadb(databaseUrl, [raiseGeneration]);
    await change();
    await caughtUp();
    const sound = { address, reachable: true, replicating: true, lag_s: 0, changes_behind: 0, reason: null };
    const unknown = { ...sound, lag_s: null, reason: expect.stringMatching(/^its user may not read the lag: GRANT/) };
    await eventually(async () => expect(await status(`${own},${restricted}`)).toEqual([sound, unknown]));
    expect(await doctor(own)).toEqual([
      ['ok', `${address} has every change, after 0 s, and says that it is 0 s behind`],
    ]);
    expect(await doctor(restricted)).toEqual([['ok', `${address} has every change, after 0 s`]]);

    const delayed = ['STOP SLAVE', 'CHANGE MASTER TO MASTER_DELAY = 600', 'START SLAVE'];
    await executeOnMariadb(replica.url, delayed);
    await change();
    await eventually(async () => {
      const [late] = await status(own);
      expect(late).toEqual({ ...sound, lag_s: expect.any(Number), changes_behind: 1 });
      expect(late.lag_s).toBeGreaterThan(0);
    });

    await executeOnMariadb(replica.url, ['STOP SLAVE SQL_THREAD']);
    const reason = 'it no longer applies changes';
    const stopped = { ...sound, replicating: false, lag_s: null, changes_behind: 1, reason };
    expect(await status(own)).toEqual([stopped]);
    const still = `${address} is a replica that stands still: ${reason}`;
    expect(await doctor(own)).toEqual([['warning', still]]);

    await replica.kill();
    const away = { reachable: false, replicating: false, changes_behind: null, reason: 'nothing answers there' };
    expect(await status(restricted)).toEqual([{ ...sound, ...away, lag_s: null }]);
    expect(await doctor(restricted)).toEqual([
      ['warning', `a replica does not answer, and the primary is read instead. ${address}: nothing answers there`],
    ]);
  });
});
