/** The units of contrib/systemd, and what the server and the worker tell systemd. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { startCli } from '../support/cli.js';
import { freePort } from '../support/free-port.js';
import { describeWithPrograms, startProgram } from '../support/programs.js';
import { makeTempDir } from '../support/temp-dir.js';
import { contribPath, startWithKeptSocket } from './proxied-site.js';

const run = promisify(execFile);

/** Prints each message that arrives at a socket as systemd listens on it. */
const listener = `
import array, os, socket, sys
server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
server.bind(sys.argv[1])
print('bound', flush=True)
while True:
    message, attached, flags, peer = server.recvmsg(4096, 4096)
    # systemd-notify waits until the receiver has closed what it attached.
    for level, kind, data in attached:
        for file in array.array('i', data):
            os.close(file)
    print(message.decode(), flush=True)
`;

/** Hands a socket that is a file to the command, as systemd does where ListenStream is a path. */
const fileSocket = `
import os, socket, sys
kept = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
kept.bind(sys.argv[1])
kept.listen(8)
os.dup2(kept.fileno(), 3)
os.set_inheritable(3, True)
os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))
os.execvp(sys.argv[2], sys.argv[2:])
`;

describeWithPrograms(['systemd-notify', 'python3'], 'a service of systemd', () => {
  it.each([
    ['a server', 'serve --port 0', 'listening on'],
    ['a server with worker processes', 'serve --workers 2 --port', 'listening on'],
    ['a worker', 'worker', ''],
  ])('%s says when it is ready, alive and stopping', async (_name, line, ready) => {
    const folder = await makeTempDir('systemd');
    const socket = join(folder, 'notify');
    const systemd = startProgram('python3', ['-c', listener, socket]);
    await expect.poll(systemd.said).toContain('bound');
    const env = { HCD_DATABASE_URL: `sqlite:${join(folder, 'site.sqlite')}`, HCD_SECRET: 'a secret of this test only' };
    await run(process.execPath, ['bin/hcd', 'migrate', '--yes'], { env: { ...process.env, ...env } });
    const command = line.endsWith('--port') ? `${line} ${await freePort()}` : line;
    const service = startCli(command, {
      cwd: folder,
      env: { ...env, NOTIFY_SOCKET: socket, WATCHDOG_USEC: '900000', PATH: process.env.PATH ?? '' },
    });
    onTestFinished(() => service.kill('SIGKILL'));
    await service.waitForStderr(ready);
    const heard = () => systemd.said().split('\n');
    await expect.poll(() => heard().filter((one) => one === 'WATCHDOG=1').length).toBeGreaterThan(1);
    expect(heard().filter((one) => one === 'READY=1')).toHaveLength(1);
    expect(heard().indexOf('READY=1')).toBeLessThan(heard().indexOf('WATCHDOG=1'));
    service.kill('SIGTERM');
    expect((await service.outcome).code).toBe(0);
    await expect.poll(heard).toContain('STOPPING=1');
  });

  it('logs once that the program for messages is missing, and serves', async () => {
    const folder = await makeTempDir('systemd');
    const node = join(folder, 'bin');
    await mkdir(node);
    const server = startCli('serve --port 0', {
      cwd: folder,
      env: {
        HCD_DATABASE_URL: `sqlite:${join(folder, 'site.sqlite')}`,
        NOTIFY_SOCKET: join(folder, 'notify'),
        WATCHDOG_USEC: '300000',
        PATH: node,
      },
    });
    onTestFinished(() => server.kill('SIGKILL'));
    await server.waitForStderr('listening on');
    await server.waitForStderr('notifying the service manager');
    server.kill('SIGTERM');
    const { code, stderr } = await server.outcome;
    expect([code, stderr.split('notifying the service manager')]).toEqual([
      0,
      [expect.any(String), expect.any(String)],
    ]);
  });
});

describeWithPrograms(['python3'], 'a socket that systemd keeps', () => {
  it.each([[1], [2]])('loses no connection while %i processes restart under load', async (processes) => {
    const folder = await makeTempDir('kept-socket');
    const port = await freePort();
    const env = {
      HCD_DATABASE_URL: `sqlite:${join(folder, 'site.sqlite')}`,
      HCD_SECRET: 'a secret of this test only',
      HCD_GATEWAY_RATE_LIMIT_ENABLED: '0',
    };
    const server = await startWithKeptSocket(port, env, processes);
    const failures = new Set<string>();
    let [sent, isOver] = [0, false];
    const caller = async () => {
      while (!isOver) {
        sent += 1;
        // Refused for its missing key; each has a connection of its own.
        const asked = { method: 'POST', body: '{}', headers: { connection: 'close' } };
        await fetch(`http://127.0.0.1:${port}/api/v1/resources`, asked).then(
          async (answer) => {
            await answer.text();
            if (answer.status !== 401) failures.add(String(answer.status));
          },
          (error: Error) => failures.add(String(error.cause)),
        );
      }
    };
    const callers = Array.from({ length: 8 }, caller);
    const load = () => {
      const before = sent;
      return expect.poll(() => sent, { timeout: 120_000 }).toBeGreaterThan(before + 50);
    };
    await load();
    await server.restart();
    await load();
    if (processes > 1) await server.reload();
    await load();
    isOver = true;
    await Promise.all(callers);
    expect([...failures]).toEqual([]);
  });

  it('is refused with what to write where it is a file', async () => {
    const folder = await makeTempDir('file-socket');
    const server = startProgram(
      'python3',
      ['-c', fileSocket, join(folder, 'socket'), process.execPath, 'bin/hcd', 'serve'],
      {
        HCD_DATABASE_URL: `sqlite:${join(folder, 'site.sqlite')}`,
      },
    );
    await expect.poll(() => server.child.exitCode).toBe(3);
    expect(server.said()).toContain(
      'Cannot listen on the socket that was handed over: it is a file, not a port. Write ListenStream=127.0.0.1:8080',
    );
  });
});

describeWithPrograms(['systemd-analyze'], 'contrib/systemd', () => {
  it('has units that systemd accepts', async () => {
    const folder = await makeTempDir('units');
    const program = join(folder, 'hcd');
    await writeFile(program, '#!/bin/sh\n');
    await chmod(program, 0o755);
    const names = await readdir(contribPath('systemd'));
    for (const name of names) {
      const text = await readFile(contribPath(`systemd/${name}`), 'utf8');
      await writeFile(join(folder, name), text.replace('ExecStart=hcd', `ExecStart=${program}`));
    }
    const units = names.map((name) => join(folder, name));
    expect(await run('systemd-analyze', ['verify', '--man=no', ...units])).toEqual({ stdout: '', stderr: '' });
  });
});
