/** Two servers of the sample site behind a proxy whose file is in contrib/, and requests through it. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { openStore } from '../../src/store/open/open.js';
import { type CliProcess, runCli, startCli } from '../support/cli.js';
import { freePort } from '../support/free-port.js';
import { startProgram } from '../support/programs.js';
import { makeTempDir } from '../support/temp-dir.js';

export interface SampleServers {
  readonly folder: string;
  /** For commands as processes. */
  readonly env: Readonly<Record<string, string>>;
  /** API key with all scopes. */
  readonly key: string;
  /** `127.0.0.1:PORT` of each server. */
  readonly addresses: readonly [string, string];
  /** Port of the admin listener of each server. */
  readonly adminPorts: readonly [number, number];
  start(index: 0 | 1): Promise<void>;
  /** SIGTERM, and another start when it has ended by itself. */
  restart(index: 0 | 1): Promise<void>;
  /** Runs a command on the site. Gives its standard output. */
  command(line: string): Promise<string>;
}

/**
 * Keeps a listening socket as systemd does for a .socket unit: starts a command with it, and again when SIGHUP has ended
 * the command. SIGTERM ends both.
 */
const socketKeeper = `
import os, signal, socket, sys
kept = socket.socket()
kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
kept.bind(('127.0.0.1', int(sys.argv[1])))
kept.listen(512)
os.dup2(kept.fileno(), 3)
os.set_inheritable(3, True)
over = False
def end(number, frame):
    global over
    over = over or number == signal.SIGTERM
    os.kill(child, signal.SIGTERM)
while not over:
    child = os.fork()
    if child == 0:
        os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))
        os.execvp(sys.argv[2], sys.argv[2:])
    signal.signal(signal.SIGHUP, end)
    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGUSR1, lambda number, frame: os.kill(child, signal.SIGHUP))
    if os.waitpid(child, 0)[1] != 0:
        sys.exit('the command failed')
`;

interface KeptServer {
  restart(): Promise<void>;
  /** Lets the first process replace the others. */
  reload(): Promise<void>;
}

/** Starts a server whose socket stays open while it restarts. Needs python3. */
export async function startWithKeptSocket(
  port: number,
  env: Readonly<Record<string, string>>,
  processes = 1,
): Promise<KeptServer> {
  // The port that it is told is another one.
  const serve = [process.execPath, fileURLToPath(new URL('../../bin/hcd', import.meta.url)), 'serve', '--port', '1'];
  const { child, said } = startProgram(
    'python3',
    ['-c', socketKeeper, String(port), ...serve, '--workers', String(processes)],
    env,
  );
  const starts = () => {
    if (child.exitCode !== null) throw new Error(`The keeper of the socket has ended: ${said().slice(-2000)}`);
    return said().split(`listening on http://127.0.0.1:${port}`).length - 1;
  };
  const patience = { timeout: 120_000 };
  await expect.poll(starts, patience).toBe(processes);
  const startAgain = async (signal: NodeJS.Signals) => {
    const before = starts();
    child.kill(signal);
    await expect.poll(starts, patience).toBe(before + processes);
  };
  return { restart: () => startAgain('SIGHUP'), reload: () => startAgain('SIGUSR1') };
}

/**
 * Loads the sample site into a file and starts the first of two servers on it, which trust a proxy on 127.0.0.1. Their
 * sockets stay open while they restart where that is asked for.
 */
export async function startSampleServers({ keepsSockets = false } = {}): Promise<SampleServers> {
  const folder = await makeTempDir('proxied');
  const databaseUrl = `sqlite:${join(folder, 'site.sqlite')}`;
  const env = { HCD_DATABASE_URL: databaseUrl, HCD_SECRET: 'a root secret for tests behind proxies' };
  const command = async (line: string) => {
    const { code, stdout, stderr } = await runCli(line, { env, clock: systemClock, openStore });
    expect({ line, code, stderr: code === 0 ? '' : stderr }).toEqual({ line, code: 0, stderr: '' });
    return stdout;
  };
  const key = /gk_\w+/.exec(await command('demo'))?.[0] ?? '';
  await command('setting set gateway_trusted_proxies 127.0.0.1');
  const ports = [await freePort(), await freePort()] as const;
  const adminPorts = [await freePort(), await freePort()] as const;
  const running = new Map<number, CliProcess>();
  const kept = new Map<number, KeptServer>();
  onTestFinished(async () => {
    for (const server of running.values()) server.kill('SIGKILL');
    await Promise.all([...running.values()].map(({ outcome }) => outcome));
  });
  const servers: SampleServers = {
    folder,
    key,
    addresses: [`127.0.0.1:${ports[0]}`, `127.0.0.1:${ports[1]}`],
    adminPorts,
    env,
    async start(index) {
      const admin = { HCD_ADMIN_PORT: String(adminPorts[index]) };
      if (keepsSockets) {
        kept.set(index, await startWithKeptSocket(ports[index], { ...env, ...admin }));
        return;
      }
      const server = startCli(`serve --port ${ports[index]}`, { cwd: folder, env: { ...env, ...admin } });
      running.set(index, server);
      await server.waitForStderr('listening on');
    },
    async restart(index) {
      if (keepsSockets) return kept.get(index)?.restart();
      running.get(index)?.kill('SIGTERM');
      expect((await running.get(index)?.outcome)?.code).toBe(0);
      await servers.start(index);
    },
    command,
  };
  await servers.start(0);
  return servers;
}

/** A file of contrib/ with some of its words replaced. Each of them must be in it. */
export async function contribFile(path: string, words: Readonly<Record<string, string>>): Promise<string> {
  let text = await readFile(contribPath(path), 'utf8');
  for (const [from, to] of Object.entries(words)) {
    expect(text, `${path} holds ${from}`).toContain(from);
    text = text.replaceAll(from, to);
  }
  return text;
}

export function contribPath(path: string): string {
  return fileURLToPath(new URL(`../../contrib/${path}`, import.meta.url));
}

/** Key and certificate for example.com, signed by itself, in one file each and in one together. */
export async function makeCertificate(folder: string): Promise<{ certificate: string; key: string }> {
  const certificate = join(folder, 'certificate.pem');
  const key = join(folder, 'key.pem');
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=example.com', '-keyout', key, '-out', certificate],
  ]);
  return { certificate, key };
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface Asking {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Address of the client, in 127.0.0.0/8. */
  readonly from?: string;
}

export type Ask = (path: string, how?: Asking) => Promise<Answer>;

/** Requests to https://example.com on this port. Connections are kept. */
export function askThrough(port: number): Ask {
  const agents = new Map<string, Agent>();
  onTestFinished(() => {
    for (const agent of agents.values()) agent.destroy();
  });
  const agentOf = (from: string): Agent => {
    const agent = agents.get(from) ?? new Agent({ keepAlive: true, maxSockets: 16, localAddress: from });
    agents.set(from, agent);
    return agent;
  };
  return (path, { method = 'GET', headers = {}, body, from = '127.0.0.1' } = {}) =>
    new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path, method, agent: agentOf(from), rejectUnauthorized: false };
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      const sent = request({ ...options, headers: { host: 'example.com', ...type, ...headers } }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });
}

/** Passes connections on to a server and counts them. */
export async function countConnections(to: string): Promise<{ readonly address: string; count(): number }> {
  let count = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    count += 1;
    const upstream = connect(Number(new URL(`http://${to}`).port), '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { address: `127.0.0.1:${port}`, count: () => count };
}

let asked = 0;

/** How many requests this client has left, after one more; no cache has an answer to it. */
export async function remaining(ask: Ask, how: Asking): Promise<number> {
  asked += 1;
  const { status, headers } = await ask(`/api/v1/resources?limit=1&offset=${asked}`, how);
  expect(status).toBe(200);
  return Number(headers['x-ratelimit-remaining']);
}

/**
 * Sends reads and changes while the two servers restart one after the other. Gives the answers that are not 200, with
 * what was asked. `settle` waits until the proxy uses a server that is back.
 */
export async function restartUnderLoad(
  ask: Ask,
  servers: SampleServers,
  settle: () => Promise<void>,
): Promise<string[]> {
  const refused = new Set<string>();
  let isOver = false;
  let sent = 0;
  const caller = async (isWriter: boolean) => {
    while (!isOver) {
      sent += 1;
      const change = { method: 'PATCH', body: JSON.stringify({ longtitle: `Carried ${sent}` }) };
      const how = { headers: { authorization: `Bearer ${servers.key}` }, ...(isWriter ? change : {}) };
      const { status, text } = await ask('/api/v1/resources/28', how).catch((error: unknown) => ({
        status: 0,
        text: String(error),
      }));
      if (status !== 200) refused.add(`${isWriter ? 'PATCH' : 'GET'}: ${status} ${text.slice(0, 200)}`);
    }
  };
  await servers.command('setting set gateway_rate_limit_max_requests 0');
  await servers.start(1);
  await settle();
  const callers = [true, false, true, false].map(caller);
  const load = () => {
    const before = sent;
    return expect.poll(() => sent, { timeout: 120_000 }).toBeGreaterThan(before + 20);
  };
  await load();
  for (const index of [0, 1] as const) {
    await servers.restart(index);
    await settle();
    await load();
  }
  isOver = true;
  await Promise.all(callers);
  return [...refused];
}
