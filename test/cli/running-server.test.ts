/** Addresses that commands print are those of a server that runs on this machine, at whatever port it was started. */
import { beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { processes } from '../../src/operations/models/processes.js';
import { openRecorder, readRunningServers } from '../../src/operations/processes/recorder.js';
import { atFileEnd } from '../support/at-file-end.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { startTestSite, type TestSite } from '../support/site.js';

const port = String(await freePort());
const env = { HCD_PAGES_REST_API_ENABLED: '1', HCD_BANNERS_API_ENABLED: '1', HCD_PORT: port };
const configured = `http://127.0.0.1:${port}`;

describeEachDatabase('printed addresses', (database) => {
  let db: CliDatabase;
  let site: TestSite;
  const run = (line: string) => db.run(line, { env, clock: systemClock });
  const record = async (line: string): Promise<Record<string, unknown>> =>
    Object(await db.json(line, { env, clock: systemClock })).data;

  /** A server on this machine, as hcd serve records it. */
  async function startRecorded(url: string, apis: readonly string[]): Promise<() => Promise<void>> {
    const { own } = site.store;
    const recorder = openRecorder({
      ...{ own, apis, clock: systemClock, log: () => undefined, role: 'server', version: '1.2.3' },
    });
    await recorder.started({ url, cache: () => ({ hits: 0, misses: 0 }) });
    const forget = atFileEnd(recorder.close);
    return async () => {
      forget();
      await recorder.close();
    };
  }

  /** The address at the end of the line about trying a credential. */
  const toTry = (stderr: string): string => /^To try .*'(http[^']*)'$/m.exec(stderr)?.[1] ?? '';

  beforeAll(async () => {
    db = await prepareCliDatabase(await database.url());
    site = await startTestSite({ databaseUrl: db.url, env });
    expect((await run('resource create --pagetitle Home --published 1')).code).toBe(0);
    expect((await run('page new 1 --sections hero')).code).toBe(0);
  });

  /** Every command that prints an address, and where that leads. */
  async function printed(): Promise<Record<string, string>> {
    return {
      'key create': toTry((await run('key create --scopes resources.read')).stderr),
      'token create': toTry((await run('token create --scopes catalog.read')).stderr),
      'banner key rotate': toTry((await run('banner key rotate --yes')).stderr),
      'resource preview': String((await record('resource preview 1'))['url']),
      'page preview': String((await record('page preview 1'))['url']),
    };
  }

  test('are the configured one while no server runs', async () => {
    const places = Object.entries(await printed()).map(([command, url]) => [command, url.split('/', 3).join('/')]);
    expect(places).toEqual(places.map(([command]) => [command, configured]));
  });

  test('work while a server runs at another port', async () => {
    const end = await startRecorded(site.url, ['gateway', 'pages', 'banners']);
    const places = await printed();
    const key = String((await record('key create --scopes resources.read'))['key']);
    const token = String((await record('token create --scopes catalog.read'))['token']);
    const banner = String((await record('banner key rotate --yes'))['key']);
    // The server sees the new key at once.
    await site.change([]);
    const headers: Readonly<Record<string, Record<string, string>>> = {
      'key create': { Authorization: `Bearer ${key}` },
      'token create': { Authorization: `Bearer ${token}` },
      'banner key rotate': { 'X-API-Key': banner },
    };
    for (const [command, url] of Object.entries(places)) {
      const { status } = await fetch(url, { headers: headers[command] ?? {} });
      expect({ command, url, status }).toEqual({ command, url, status: 200 });
    }
    const { code, stdout } = await run('api GET /health');
    expect({ code, body: JSON.parse(stdout) }).toMatchObject({ code: 0, body: { data: { status: 'ok' } } });
    await end();
    expect((await run('api GET /health')).stderr).toContain(`${configured} did not answer`);
  });

  describe('of several servers', () => {
    const places = async (at = configured) => {
      const of = await readRunningServers(site.store.own.primary, at);
      return [of('gateway'), of('pages'), of('banners')];
    };

    test('come from one that serves the API: the configured one, else the one that started last', async () => {
      const ends = [
        await startRecorded('http://127.0.0.1:8001', ['gateway', 'pages']),
        await startRecorded('http://127.0.0.1:8002', ['gateway']),
      ];
      // Two that started in the same millisecond have no order.
      const { own } = site.store;
      await own.write(async (tx) => {
        await processes.on(tx).update({ startedOn: 1 }, { where: { url: 'http://127.0.0.1:8001' } });
      });
      expect(await places()).toEqual(['http://127.0.0.1:8002', 'http://127.0.0.1:8001', undefined]);
      expect((await places('http://127.0.0.1:8001'))[0]).toBe('http://127.0.0.1:8001');
      for (const end of ends) await end();
      expect(await places()).toEqual([undefined, undefined, undefined]);
    });

    test('never come from another machine or from a worker', async () => {
      const end = await startRecorded('http://127.0.0.1:8001', ['gateway']);
      const { own } = site.store;
      for (const change of [{ host: 'elsewhere' }, { role: 'worker' }]) {
        await own.write(async (tx) => {
          await processes.on(tx).update(change, { where: {} });
        });
        expect([change, await places()]).toEqual([change, [undefined, undefined, undefined]]);
      }
      await end();
    });
  });
});
