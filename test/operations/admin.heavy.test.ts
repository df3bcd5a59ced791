/** The admin listener: liveness, readiness and metrics of servers and workers. */
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { buildIndexes } from '../../src/content/indexing/keep-indexes.js';
import { openStore } from '../../src/store/open/open.js';
import { type CliProcess, runCli, startCli } from '../support/cli.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { describeWithRedis } from '../support/describe-with-redis.js';
import { freePort } from '../support/free-port.js';
import { startRedis } from '../support/redis-server.js';
import { makeTempDir } from '../support/temp-dir.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';

type Env = Readonly<Record<string, string>>;

async function migrated(databaseUrl: string): Promise<Env> {
  const env = { HCD_DATABASE_URL: databaseUrl, HCD_SECRET: 'a root secret for tests of the admin listener' };
  expect((await runCli('migrate', { env, clock: systemClock, openStore })).code).toBe(0);
  return env;
}

interface Started {
  readonly process: CliProcess;
  /** Body as JSON of a route of the admin listener, with its status. */
  ask(path: string): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Samples of the metrics by name with labels. */
  metrics(): Promise<ReadonlyMap<string, number>>;
}

/** Starts the command with an admin listener; ends it with the test. */
async function start(line: string, env: Env, ready: string): Promise<Started> {
  const port = await freePort();
  const process = startCli(line, { cwd: await makeTempDir('admin'), env: { ...env, HCD_ADMIN_PORT: String(port) } });
  onTestFinished(async () => {
    process.kill('SIGKILL');
    await process.outcome;
  });
  await process.waitForStderr(ready);
  const url = `http://127.0.0.1:${port}`;
  return {
    process,
    async ask(path) {
      const answer = await fetch(`${url}${path}`);
      return { status: answer.status, body: await answer.json() };
    },
    async metrics() {
      const text = await (await fetch(`${url}/metrics`)).text();
      const samples = text.split('\n').filter((sample) => sample !== '' && !sample.startsWith('#'));
      return new Map(
        samples.map((sample) => [sample.slice(0, sample.lastIndexOf(' ')), Number(sample.split(' ').at(-1))]),
      );
    },
  };
}

const requestsToHealth =
  'http_server_request_duration_seconds_count{api="gateway",method="GET",route="/health",status="2xx"}';

describeEachDatabase('the admin listener', (database) => {
  it('of a server shows requests, memory and readiness', async () => {
    const url = await database.url();
    const env = await migrated(url);
    // A server that has to make the indexes drops its answers when it has.
    const store = await openStore({ databaseUrl: url, prefix: 'modx_' });
    await buildIndexes(store, new AbortController().signal);
    await store.close();
    const port = await freePort();
    const { ask, metrics } = await start(`serve --port ${port}`, env, 'listening on');
    expect(await ask('/livez')).toEqual({ status: 200, body: { status: 'ok', checks: { process: 'ok' } } });
    const allWell = { serving: 'ok', database: 'ok', migrations: 'ok' };
    await expect.poll(() => ask('/readyz')).toEqual({ status: 200, body: { status: 'ok', checks: allWell } });
    expect((await ask('/nothing')).status).toBe(404);

    const api = `http://127.0.0.1:${port}/api/v1`;
    for (const path of ['/resources', '/resources', '/resources/999', '/no-such-route']) await fetch(`${api}${path}`);
    await fetch(`${api}/resources`, { headers: { authorization: 'Bearer gk_wrong' } });
    const found = await metrics();
    const count = (labels: string) => found.get(`http_server_request_duration_seconds_count{${labels}}`);
    expect(count('api="gateway",method="GET",route="/resources",status="2xx"')).toBe(2);
    expect(count('api="gateway",method="GET",route="/resources/:id",status="4xx"')).toBe(1);
    expect(found.get('hcd_cache_hits_total')).toBe(1);
    expect(found.get('hcd_cache_misses_total')).toBe(2);
    expect(found.get('hcd_cache_bytes')).toBeGreaterThan(0);
    expect(found.get('hcd_guesses_total{api="gateway"}')).toBe(1);
    expect(found.get('hcd_outbox_depth{status="pending"}')).toBe(0);
    expect(found.get('hcd_tracker_buffer_capacity')).toBeGreaterThan(0);
    expect(found.get('process_resident_memory_bytes')).toBeGreaterThan(0);
    const hasPool = env['HCD_DATABASE_URL']?.startsWith('mariadb:') === true;
    expect(found.has('hcd_db_pool_connections{role="content",state="idle"}')).toBe(hasPool);
  });

  it('of a server is not ready while migrations are missing, and while it drains', async () => {
    const url = await database.url();
    const env = await migrated(url);
    const port = await freePort();
    const { process, ask } = await start(`serve --port ${port}`, env, 'listening on');
    const store = await openStore({ databaseUrl: url, prefix: 'modx_' });
    const ledger = await store.own.primary.select({
      sql: 'SELECT name FROM hcd_migrations ORDER BY name DESC LIMIT 1',
      params: [],
    });
    await store.own.write((tx) =>
      tx.run({ sql: 'DELETE FROM hcd_migrations WHERE name = ?', params: [...(ledger[0] ?? [])] }),
    );
    await store.close();
    const unmigrated = await ask('/readyz');
    expect(unmigrated).toMatchObject({ status: 503, body: { status: 'failing', checks: { database: 'ok' } } });
    expect(JSON.stringify(unmigrated.body)).toContain('hcd migrate');

    // A connection that is open keeps the server answering for a while.
    const open = connect(port, '127.0.0.1');
    await new Promise((resolve) => open.once('connect', resolve));
    process.kill('SIGTERM');
    await expect.poll(() => ask('/readyz')).toMatchObject({ status: 503, body: { checks: { serving: 'draining' } } });
    open.destroy();
    expect((await process.outcome).code).toBe(0);
  });

  it('of several worker processes shows the sums of all', async () => {
    const env = await migrated(await database.url());
    const port = await freePort();
    const { ask, metrics } = await start(`serve --port ${port} --workers 2`, env, 'listening on');
    await expect.poll(async () => (await ask('/readyz')).status).toBe(200);
    expect(await ask('/livez')).toEqual({ status: 200, body: { status: 'ok', checks: { workers: 'ok' } } });
    for (let turn = 0; turn < 20; turn += 1) {
      await fetch(`http://127.0.0.1:${port}/api/v1/health`, { headers: { connection: 'close' } });
    }
    expect((await metrics()).get(requestsToHealth)).toBe(20);
  });

  it('of several worker processes keeps the counts of those that were replaced or killed', async () => {
    const env = await migrated(await database.url());
    const port = await freePort();
    const { process: server, metrics } = await start(`serve --port ${port} --workers 2`, env, 'listening on');
    const ask = async (times: number) => {
      for (let turn = 0; turn < times; turn += 1) {
        await fetch(`http://127.0.0.1:${port}/api/v1/health`, { headers: { connection: 'close' } });
      }
    };
    const requests = async () => (await metrics()).get(requestsToHealth) ?? 0;
    const pids = async () =>
      [...(await metrics()).keys()].flatMap((name) => /^hcd_cache_bytes.pid="(\d+)"/.exec(name)?.[1] ?? []).map(Number);
    let shown = new Map<string, number>();
    const expectNoFall = async () => {
      const now = new Map([...(await metrics())].filter(([name]) => !/[{,]pid=|^hcd_outbox/.test(name)));
      const fallen = [...shown].filter(([name, value]) => (now.get(name) ?? 0) < value).map(([name]) => name);
      expect(fallen).toEqual([]);
      shown = now;
    };
    await expect.poll(async () => (await pids()).length).toBe(2);
    await ask(20);
    await expect.poll(requests).toBe(20);
    await expectNoFall();

    const before = await pids();
    await ask(10);
    server.kill('SIGHUP');
    await server.waitForStderr('workers_replaced');
    await expectNoFall();
    await expect.poll(requests).toBe(30);
    await expect.poll(async () => (await pids()).filter((pid) => before.includes(pid))).toEqual([]);

    await ask(10);
    // A killed worker takes along what it has not sent.
    await expect.poll(requests).toBe(40);
    await expectNoFall();
    for (const pid of await pids()) process.kill(pid, 'SIGKILL');
    await expectNoFall();
    await expect.poll(async () => (await pids()).length).toBe(2);
    await expectNoFall();
    expect(await requests()).toBe(40);
  });

  it('of one process has gauges without the number of the process', async () => {
    const { metrics } = await start('serve --port 0', await migrated(await database.url()), 'listening on');
    const gauges = ['process_start_time_seconds', 'process_resident_memory_bytes', 'hcd_cache_bytes'];
    expect([...(await metrics()).keys()]).toEqual(expect.arrayContaining(gauges));
  });

  it('of a worker counts deliveries by outcome', async () => {
    const env = { ...(await migrated(await database.url())), HCD_GATEWAY_WEBHOOK_ALLOW_PRIVATE_URLS: '1' };
    const receiver = await startWebhookReceiver();
    const command = async (line: string) => {
      const outcome = await runCli(line, { env, clock: systemClock, openStore });
      expect(outcome).toMatchObject({ code: 0 });
    };
    await command(`webhook add --url ${receiver.url} --events *`);
    const { ask, metrics } = await start('worker', env, 'admin listener at');
    await command('webhook test 1 --queue');
    await receiver.waitFor(1);
    await expect.poll(async () => (await metrics()).get('hcd_deliveries_total{outcome="delivered"}')).toBe(1);
    await expect.poll(async () => (await ask('/readyz')).status).toBe(200);
  });
});

it('does not keep a server that cannot listen', async () => {
  const env = await migrated(`sqlite:${await makeTempDir('admin')}/site.sqlite`);
  const receiver = await startWebhookReceiver();
  const process = startCli(`serve --port ${receiver.port}`, {
    cwd: await makeTempDir('admin'),
    env: { ...env, HCD_ADMIN_PORT: '0' },
  });
  const { code, stderr } = await process.outcome;
  expect(code).not.toBe(0);
  expect(stderr).toContain('admin listener at');
  expect(stderr).toContain(`Another process already listens on 127.0.0.1:${receiver.port}`);
});

it('is refused where another process has the port', async () => {
  const env = await migrated(`sqlite:${await makeTempDir('admin')}/site.sqlite`);
  const receiver = await startWebhookReceiver();
  const process = startCli('serve --port 0', {
    cwd: await makeTempDir('admin'),
    env: { ...env, HCD_ADMIN_PORT: String(receiver.port) },
  });
  const { code, stderr } = await process.outcome;
  expect(code).not.toBe(0);
  expect(stderr).toContain(`HCD_ADMIN_PORT) cannot listen on 127.0.0.1:${receiver.port}`);
});

describeWithRedis('the admin listener of servers that count in Redis', () => {
  it.each(['', ' --workers 2'])('shows whether Redis answers, and stays ready without it: serve%s', async (workers) => {
    const redis = await startRedis();
    const env = { ...(await migrated(await freshSqliteUrl())), HCD_REDIS_URL: redis.url, HCD_PORT: '0' };
    const { ask, metrics } = await start(`serve gateway${workers}`, env, 'listening on');
    await expect.poll(() => ask('/readyz')).toMatchObject({ status: 200, body: { checks: { redis: 'ok' } } });
    expect((await metrics()).get('hcd_redis_up')).toBe(1);
    await redis.kill();
    const redisState = 'degraded: Redis does not answer (ECONNREFUSED)';
    expect(await ask('/readyz')).toMatchObject({ status: 200, body: { status: 'ok', checks: { redis: redisState } } });
    expect((await metrics()).get('hcd_redis_up')).toBe(0);
    await redis.restart();
    expect((await metrics()).get('hcd_redis_up')).toBe(1);
  });
});
