/** Ten thousand connections that do nothing: requests on others are answered, and memory for each of them is small. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startCli } from '../support/cli.js';
import { freePort } from '../support/free-port.js';
import { makeTempDir } from '../support/temp-dir.js';

/** The server keeps 10,000; some are left for other requests. */
const many = 9_950;
const kibibytesEach = 40;
/** Of this process and of those that it starts. */
const openFiles = Number(spawnSync('sh', ['-c', 'ulimit -n']).stdout.toString()) || Number.POSITIVE_INFINITY;
const hasRoom = process.platform === 'linux' && openFiles > many + 1000;
if (!hasRoom) process.stdout.write(`Only ${openFiles} files may be open: the test of idle connections is skipped.\n`);

function residentKib(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** A connection on which one request was answered; `isOpen` as long as the server has not closed it. */
function openIdle(port: number): Promise<{ readonly socket: Socket; isOpen: boolean; readonly answer: string }> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const idle = { socket, isOpen: true, answer: '' };
    socket.setEncoding('utf8').on('data', (text: string) => {
      idle.answer += text;
      resolve(idle);
    });
    socket
      .on('error', () => undefined)
      .on('close', () => {
        idle.isOpen = false;
        resolve(idle);
      });
    socket.write('GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  });
}

describe.skipIf(!hasRoom)('a server with 10,000 connections', () => {
  it('answers the others, closes those above its limit, and stops', async () => {
    const port = await freePort();
    // On a busy machine a request may wait for longer than the server lets it by default.
    const patient = { HCD_GATEWAY_RATE_LIMIT_ENABLED: '0', HCD_MAX_QUEUE_MS: '60000' };
    const env = { ...patient, HCD_PORT: String(port), HCD_LOG_LEVEL: 'warn' };
    const server = startCli('serve gateway', { cwd: await makeTempDir('idle'), env });
    const sockets: Socket[] = [];
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.kill('SIGKILL');
    });
    await server.waitForStderr('listening on http://');
    const open = async (count: number) => {
      const opened = await Promise.all(Array.from({ length: count }, () => openIdle(port)));
      for (const { socket } of opened) sockets.push(socket);
      return opened;
    };
    const first = await open(50);
    const before = residentKib(server.pid);
    const idle = [...first];
    while (idle.length < many) idle.push(...(await open(Math.min(400, many - idle.length))));
    expect(idle.filter(({ answer }) => !answer.startsWith('HTTP/1.1 200'))).toEqual([]);
    expect((residentKib(server.pid) - before) / many).toBeLessThan(kibibytesEach);
    const address = `http://127.0.0.1:${port}/api/v1/resources?limit=1`;
    const statuses = new Set<number>();
    for (let turn = 0; turn < 100; turn += 1) statuses.add((await fetch(address)).status);
    expect(statuses).toEqual(new Set([200]));
    expect(idle.filter(({ isOpen }) => !isOpen).length).toBe(0);

    const beyond = await open(200);
    const refused = beyond.filter(({ isOpen, answer }) => !isOpen && answer === '');
    expect(refused.length).toBeGreaterThanOrEqual(many + 200 - 10_000);
    for (const { socket } of [...first, ...beyond]) socket.destroy();
    await expect
      .poll(() =>
        fetch(address, { headers: { connection: 'close' } }).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
    server.kill('SIGTERM');
    expect((await server.outcome).code).toBe(0);
  });
});
