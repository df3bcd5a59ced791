/** A server with few open files: it keeps fewer connections, and the admin listener and the database always have some. */
import { chmod, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { runCliProcess, startCli } from '../support/cli.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { makeTempDir } from '../support/temp-dir.js';

const binary = fileURLToPath(new URL('../../bin/hcd', import.meta.url));

/** A program that starts hcd with so many open files. */
async function limited(files: number): Promise<string> {
  const file = join(await makeTempDir('open-files'), 'hcd');
  await writeFile(file, `#!/bin/sh\nulimit -n ${files}\nexec "${process.execPath}" "${binary}" "$@"\n`);
  await chmod(file, 0o755);
  return file;
}

/** The status line of an answer to a read on a connection, empty if it ends without one; ends the connection. */
function statusOn(socket: Socket): Promise<string> {
  return new Promise<string>((resolve) => {
    socket.once('data', (chunk) => resolve(String(chunk).slice(0, 12)));
    socket.on('error', () => undefined).once('close', () => resolve(''));
    socket.write('GET /api/v1/resources HTTP/1.1\r\nHost: a\r\n\r\n');
  }).finally(() => socket.destroy());
}

const secret = { HCD_SECRET: 'a root secret for tests of open files' };

describeEachDatabase('a server with a low limit of open files', (database) => {
  it.each(['', ' --workers 2'])(
    'answers its admin listener and reads while more connect than it keeps%s',
    async (workers) => {
      const [port, adminPort] = [await freePort(), await freePort()];
      const env = { ...secret, HCD_DATABASE_URL: await database.url(), HCD_ADMIN_PORT: String(adminPort) };
      const cwd = await makeTempDir('open-files');
      expect((await runCliProcess('migrate', { env, cwd })).code).toBe(0);
      const server = startCli(`serve gateway --port ${port}${workers}`, { cwd, env, executable: await limited(180) });
      await server.waitForStderr('listening on');
      await server.waitForStderr('connections_lowered');
      const sockets: Socket[] = [];
      onTestFinished(() => {
        for (const socket of sockets) socket.destroy();
      });
      let closed = 0;
      for (let opened = 0; opened < 400; opened += 1) {
        const socket = connect(port, '127.0.0.1').on('error', () => undefined);
        socket.on('close', () => {
          closed += 1;
        });
        sockets.push(socket);
      }
      await expect.poll(() => closed).toBeGreaterThan(100);
      await server.waitForStderr('connections_closed');
      for (const path of ['/livez', '/readyz', '/metrics']) {
        const answer = await fetch(`http://127.0.0.1:${adminPort}${path}`);
        expect(answer.status).toBe(200);
        // A body that is not read keeps its connection open.
        await answer.text();
      }
      // A connection that it keeps is served, the database included. Those that waited too long for their request on a
      // busy machine make room for others.
      const connection = () => sockets.find(({ destroyed }) => !destroyed) ?? connect(port, '127.0.0.1');
      await expect.poll(() => statusOn(connection()), { timeout: 60_000 }).toBe('HTTP/1.1 200');
      for (const socket of sockets) socket.destroy();
      await expect
        .poll(() =>
          fetch(`http://127.0.0.1:${port}/api/v1/health`).then(
            (answer) => answer.text().then(() => answer.status),
            () => 0,
          ),
        )
        .toBe(200);
      server.kill('SIGTERM');
      const { code, stderr } = await server.outcome;
      expect(code).toBe(0);
      expect(stderr).not.toContain('EMFILE');
    },
  );
});

it('a server does not start where no connection has room', async () => {
  const env = { ...secret, HCD_DATABASE_URL: await freshSqliteUrl(), HCD_PORT: '0' };
  const cwd = await makeTempDir('open-files');
  const server = startCli('serve gateway', { cwd, env, executable: await limited(64) });
  const { code, stderr } = await server.outcome;
  expect(code).toBe(3);
  expect(stderr).toMatch(/The limit of open files is 64; a server needs at least \d+\. Raise it: LimitNOFILE=65536/);
});

it('doctor compares the limit of open files with the connections', async () => {
  const env = { ...secret, HCD_DATABASE_URL: await freshSqliteUrl() };
  const cwd = await makeTempDir('open-files');
  for (const [files, says] of [
    [
      400,
      /^open-files\twarning\tthe limit of open files is 400: a server with it keeps \d+ connections instead of 10000/m,
    ],
    [15_000, /^open-files\tok\tenough for 10000 connections/m],
  ] as const) {
    const { stdout } = await startCli('doctor --all', { cwd, env, executable: await limited(files) }).outcome;
    expect(stdout).toMatch(says);
  }
});
