/**
 * Three MariaDB nodes with Galera behind HAProxy, which sends everything to one of them; two servers, two workers and
 * Redis. The node is killed and comes back while clients write.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Connection, createConnection } from 'mariadb';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { openDatabase, openStore } from '../../src/store/open/open.js';
import { contribFile } from '../contrib/proxied-site.js';
import { openedForServing, rows } from '../store/opened.js';
import { type CliProcess, runCli, startCli } from '../support/cli.js';
import { executeOnMariadb } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { describeWithGalera, type GaleraNode, startGalera } from '../support/galera.js';
import { patientLimits } from '../support/patient-limits.js';
import { startProgram } from '../support/programs.js';
import { startRedis } from '../support/redis-server.js';
import { makeTempDir } from '../support/temp-dir.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';

const limit = { timeout: 180_000 };
/** What an operator may wait for on a busy machine: it ends a wait in vain and measures nothing. */
const patience = { timeout: 60_000, interval: 100 };

describeWithGalera(['haproxy', 'redis-server'], 'a Galera cluster', () => {
  let nodes: readonly [GaleraNode, GaleraNode, GaleraNode];
  beforeAll(async () => {
    nodes = await startGalera();
    await executeOnMariadb(nodes[0].url, [
      'CREATE DATABASE site',
      'CREATE DATABASE restored',
      "CREATE USER hcd_check@'127.0.0.1' IDENTIFIED VIA mysql_native_password USING ''",
    ]);
  }, 120_000);

  it('lets a new connection wait until its node has applied what another one acknowledged', limit, async () => {
    const db = await openedForServing({ url: `${nodes[0].url}/site` });
    await db.write((tx) => tx.run({ sql: 'CREATE TABLE seen (id INTEGER PRIMARY KEY)', params: [] }));
    const behind = await connectTo(nodes[1]);
    // Also waits for what the node has not applied yet, and stops it from then on.
    await behind.query('SET SESSION wsrep_sync_wait = 1');
    await behind.query('SELECT 1');
    await behind.query('SET SESSION wsrep_sync_wait = 0');
    await behind.query('FLUSH TABLES WITH READ LOCK');
    await db.write((tx) => tx.run({ sql: 'INSERT INTO seen VALUES (7)', params: [] }));

    let isOpen = false;
    const opening = openDatabase({ url: `${nodes[1].url}/site`, limits: patientLimits }).then((other) => {
      isOpen = true;
      return other;
    });
    await expect.poll(async () => isOpen || (await isAsked(behind, 'SELECT 1')), patience).toBe(true);
    // A connection that has not waited shows here what it would read.
    const early = isOpen ? await rows(await opening, 'SELECT id FROM seen') : undefined;
    await behind.query('UNLOCK TABLES');
    const other = await opening;
    expect(early ?? (await rows(other, 'SELECT id FROM seen'))).toEqual([[7]]);
    await other.close();
    await behind.end();
    await db.write((tx) => tx.run({ sql: 'DROP TABLE seen', params: [] }));
  });

  it('loses and doubles nothing while the node that takes the writes is killed and comes back', limit, async () => {
    const site = await startSite(nodes);
    const clients = startClients(site);

    // Another writer, on another node, against the advice: its changes collide with those of the servers.
    const stopConflicts = await startConflicts(nodes[1]);
    await expect.poll(() => conflictsOf(nodes[0]), patience).toBeGreaterThan(5);
    await clients.acknowledge(20);
    await stopConflicts();
    expect(clients.refusals).toEqual([]);

    await nodes[0].kill();
    await clients.acknowledge(40);
    expect(new Set(clients.refusals.map(({ status }) => status))).toEqual(new Set([503]));
    expect(clients.refusals.filter(({ retryAfter }) => !(retryAfter > 0))).toEqual([]);

    const refusedBefore = clients.refusals.length;
    await nodes[0].restart();
    await expect.poll(() => statusOf(nodes[0], 'wsrep_local_state_comment'), patience).toBe('Synced');
    await clients.acknowledge(40);
    expect(clients.refusals.slice(refusedBefore)).toEqual([]);
    // New connections go to the node that took over, so that no two nodes take writes at the same time.
    const writer = await openDatabase({ url: site.databaseUrl });
    expect(await rows(writer, 'SELECT @@port')).toEqual([[nodes[1].port]]);
    await writer.close();

    const made = await clients.stop();
    expect(clients.surprises).toEqual([]);
    // Every acknowledged resource is there once, on every node.
    for (const node of nodes) {
      const db = await openDatabase({ url: `${node.url}/site` });
      const found = await rows(db, "SELECT id FROM modx_site_content WHERE alias LIKE 'made-%' ORDER BY id");
      expect(found.map(([id]) => Number(id))).toEqual([...made].sort((a, b) => a - b));
      await db.close();
    }
    // Every one of them was announced by one event, which came at least once.
    await expect.poll(() => site.announced().size, patience).toBe(made.length);
    expect([...site.announced().keys()].sort((a, b) => a - b)).toEqual([...made].sort((a, b) => a - b));
    expect([...site.announced().values()].filter((events) => events.size !== 1)).toEqual([]);

    // Without Redis the servers find a change of another process in the log of changes.
    const [last = 0] = made;
    await site.killRedis();
    for (const base of site.bases) expect((await fetch(`${base}/resources/${last}`)).status).toBe(200);
    await site.command(`resource update ${last} --pagetitle Changed`);
    for (const base of site.bases) {
      await eventually(async () => {
        const { data } = (await (await fetch(`${base}/resources/${last}`)).json()) as { data: { pagetitle: string } };
        expect(data.pagetitle).toBe('Changed');
      });
    }

    await site.command(`backup ${join(site.folder, 'site.backup')}`);
    const restored = `${site.databaseUrl.slice(0, -'/site'.length)}/restored`;
    await site.command(`restore ${join(site.folder, 'site.backup')}`, { HCD_DATABASE_URL: restored });
    const db = await openDatabase({ url: `${nodes[2].url}/restored` });
    expect(await rows(db, "SELECT COUNT(*) FROM modx_site_content WHERE alias LIKE 'made-%'")).toEqual([[made.length]]);
    await db.close();
    await site.stop();
  });
});

interface ClusterSite {
  readonly folder: string;
  /** Through HAProxy. */
  readonly databaseUrl: string;
  /** Of the gateway of each server. */
  readonly bases: readonly string[];
  readonly key: string;
  /** The different events that announced each created resource. */
  announced(): ReadonlyMap<number, ReadonlySet<string>>;
  command(line: string, more?: Readonly<Record<string, string>>): Promise<string>;
  killRedis(): Promise<void>;
  stop(): Promise<void>;
}

async function startSite(nodes: readonly GaleraNode[]): Promise<ClusterSite> {
  const folder = await makeTempDir('cluster');
  const redis = await startRedis();
  const receiver = await startWebhookReceiver();
  const [databasePort, peerPort] = [await freePort(), await freePort()];
  const file = await contribFile('haproxy/galera.cfg', {
    'bind 127.0.0.1:3306': `bind 127.0.0.1:${databasePort}`,
    '127.0.0.1:10306': `127.0.0.1:${peerPort}`,
    ...Object.fromEntries(nodes.map(({ port }, at) => [`10.0.0.2${at + 1}:3306`, `127.0.0.1:${port}`])),
  });
  await writeFile(join(folder, 'haproxy.cfg'), file);
  const checked = startProgram('haproxy', ['-db', '-L', 'balancer1', '-f', join(folder, 'haproxy.cfg')]);
  const databaseUrl = `mariadb://root@127.0.0.1:${databasePort}/site`;
  const env = {
    HCD_DATABASE_URL: databaseUrl,
    HCD_SECRET: 'a root secret for tests of a cluster',
    HCD_REDIS_URL: redis.url,
    HCD_GATEWAY_WEBHOOK_ALLOW_PRIVATE_URLS: '1',
    HCD_GATEWAY_CACHE_ENABLED: '1',
    HCD_GATEWAY_RATE_LIMIT_MAX_REQUESTS: '1000000',
  };
  const command = async (line: string, more: Readonly<Record<string, string>> = {}) => {
    const { code, stdout, stderr } = await runCli(line, { env: { ...env, ...more }, clock: systemClock, openStore });
    expect({ line, code, stderr: code === 0 ? '' : stderr }).toEqual({ line, code: 0, stderr: '' });
    return stdout;
  };
  await eventually(() => command('migrate'));
  const { key } = (JSON.parse(await command('key create --name writer --scopes * --json')) as { data: { key: string } })
    .data;
  await command(`webhook add --url ${receiver.url} --events resources.created`);
  const ports = [await freePort(), await freePort()];
  const servers = ports.map((port) => startCli(`serve gateway --port ${port}`, { cwd: folder, env }));
  const workers = [1, 2].map(() => startCli('worker', { cwd: folder, env }));
  await Promise.all(servers.map((server) => server.waitForStderr('listening on')));
  return {
    ...{ folder, databaseUrl, key, command },
    bases: ports.map((port) => `http://127.0.0.1:${port}/api/v1`),
    announced() {
      const events = new Map<number, Set<string>>();
      for (const { body } of receiver.received) {
        const { id, data } = JSON.parse(body) as { id: string; data: { id: string } };
        events.set(Number(data.id), (events.get(Number(data.id)) ?? new Set()).add(id));
      }
      return events;
    },
    killRedis: () => redis.kill(),
    async stop() {
      const all: readonly CliProcess[] = [...servers, ...workers];
      for (const one of all) one.kill('SIGTERM');
      const ended = await Promise.all(all.map(({ outcome }) => outcome));
      expect(ended.filter(({ code }) => code !== 0)).toEqual([]);
      expect(checked.child.exitCode).toBe(null);
    },
  };
}

interface Refusal {
  readonly status: number;
  readonly retryAfter: number;
}

/** Clients that create resources through both servers, and send what was refused again with the same key. */
function startClients({ bases, key }: ClusterSite) {
  const made: number[] = [];
  const refusals: Refusal[] = [];
  const surprises: string[] = [];
  let isOver = false;
  let isFinished = false;
  let sent = 0;
  const ask = (base: string, path: string, init: RequestInit = {}) =>
    fetch(`${base}${path}`, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });
  /** Asks until it is not refused; a POST that is still being processed counts as not answered yet. */
  const insist = async (base: string, path: string, init?: RequestInit): Promise<Response> => {
    for (;;) {
      const answer = await ask(base, path, init);
      const { status } = answer;
      if (isFinished || status < 400 || (status < 500 && status !== 409)) return answer;
      await answer.arrayBuffer();
      if (status !== 409) refusals.push({ status, retryAfter: Number(answer.headers.get('retry-after')) });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const client = async (base: string) => {
    while (!isOver) {
      sent += 1;
      const alias = `made-${sent}`;
      const headers = { 'content-type': 'application/json', 'idempotency-key': `order-${sent}-of-this-test` };
      const body = JSON.stringify({ pagetitle: alias, alias, published: true });
      const answer = await insist(base, '/resources', { method: 'POST', headers, body });
      const text = await answer.text();
      if (answer.status !== 201) surprises.push(`POST ${answer.status} ${text}`);
      const { id } = (JSON.parse(text) as { data: { id: number } }).data;
      made.push(id);
      const read = await insist(base, `/resources/${id}`);
      if (read.status !== 200) surprises.push(`GET ${read.status} ${await read.text()}`);
      await read.arrayBuffer().catch(() => undefined);
    }
  };
  const clients = [...bases, ...bases].map(client);
  // Else those of a test that has failed would go on.
  onTestFinished(async () => {
    [isOver, isFinished] = [true, true];
    await Promise.allSettled(clients);
  });
  return {
    refusals,
    surprises,
    /** Resolves when so many further resources were acknowledged. */
    async acknowledge(count: number): Promise<void> {
      const before = made.length;
      await expect.poll(() => made.length - before, patience).toBeGreaterThanOrEqual(count);
    },
    /** Ids of what was acknowledged. */
    async stop(): Promise<readonly number[]> {
      isOver = true;
      await Promise.all(clients);
      return made;
    },
  };
}

/**
 * Changes the row that every change of content changes, until it is ended by the function that it gives. Once after each
 * of their changes: more would leave a slow machine no time between two conflicts.
 */
async function startConflicts(node: GaleraNode): Promise<() => Promise<void>> {
  const connection = await connectTo(node, 'site');
  const row = "WHERE `key` = 'content_generation'";
  let isOver = false;
  let seen: unknown;
  const running = (async () => {
    while (!isOver) {
      const asked = connection.query<{ value: string }[]>(`SELECT value FROM hcd_state ${row}`);
      const [found] = await asked.catch(() => []);
      if (found?.value !== seen) {
        seen = found?.value;
        await connection.query(`UPDATE hcd_state SET updated_at = updated_at + 1 ${row}`).catch(() => undefined);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  onTestFinished(() => {
    isOver = true;
  });
  return async () => {
    isOver = true;
    await running;
    await connection.end();
  };
}

/** How many transactions of its own clients the node gave up for those of other nodes. */
async function conflictsOf(node: GaleraNode): Promise<number> {
  return (
    Number(await statusOf(node, 'wsrep_local_cert_failures')) + Number(await statusOf(node, 'wsrep_local_bf_aborts'))
  );
}

function connectTo({ port }: GaleraNode, database?: string): Promise<Connection> {
  return createConnection({ host: '127.0.0.1', port, user: 'root', ...(database === undefined ? {} : { database }) });
}

/** Whether a client of the node waits for an answer to this statement. */
async function isAsked(connection: Connection, statement: string): Promise<boolean> {
  const found = await connection.query<unknown[]>('SELECT 1 FROM information_schema.processlist WHERE info = ?', [
    statement,
  ]);
  return found.length > 0;
}

/** A status variable of a node. */
async function statusOf(node: GaleraNode, name: string): Promise<string> {
  const connection = await connectTo(node);
  try {
    const [row] = await connection.query<[string, string][]>({ sql: `SHOW STATUS LIKE '${name}'`, rowsAsArray: true });
    return row?.[1] ?? '';
  } finally {
    await connection.end();
  }
}
