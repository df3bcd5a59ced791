/** A private MariaDB server for one bench folder: own data directory that is kept between runs, free port, no password. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { end, endWithUs, findProgram, pinTo } from '../servers.js';

export interface BenchMariadb {
  /** Without a database name. */
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const asRoot = process.getuid?.() === 0 ? ['--user=root'] : [];

/** Whether a server can be started on this machine. */
export function canStartMariadb(): boolean {
  return findProgram('mariadbd') !== undefined && findProgram('mariadb-install-db') !== undefined;
}

/** Starts the server on `folder`, which is made when absent, and on core 1. */
export async function startBenchMariadb(folder: string): Promise<BenchMariadb> {
  await mkdir(folder, { recursive: true });
  const data = join(folder, 'data');
  if (!existsSync(join(data, 'mysql'))) {
    await promisify(execFile)(program('mariadb-install-db'), [
      '--no-defaults',
      `--datadir=${data}`,
      `--tmpdir=${folder}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      ...asRoot,
    ]);
  }
  const port = await freePort();
  const child = await launch([...pinTo(1), program('mariadbd'), ...serverOptions({ folder, data, port })]);
  return {
    url: `mariadb://root@127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    stop: () => end(child),
  };
}

function serverOptions(place: { readonly folder: string; readonly data: string; readonly port: number }): string[] {
  return [
    '--no-defaults',
    ...asRoot,
    `--datadir=${place.data}`,
    `--tmpdir=${place.folder}`,
    `--port=${place.port}`,
    `--socket=${join(place.folder, 'socket')}`,
    `--pid-file=${join(place.folder, 'pid')}`,
    '--skip-networking=0',
    '--skip-name-resolve',
    '--bind-address=127.0.0.1',
    '--character-set-server=utf8mb4',
    '--innodb-buffer-pool-size=1G',
    '--innodb-log-file-size=512M',
    '--innodb-sort-buffer-size=64M',
    '--innodb-flush-log-at-trx-commit=2',
    '--innodb-doublewrite=0',
    '--max-allowed-packet=64M',
  ];
}

/** Resolves at the line in which the server says that it takes connections. */
function launch(command: readonly string[]): Promise<ChildProcess> {
  const [file = '', ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    endWithUs(child);
    let said = '';
    const onExit = () => reject(new Error(`mariadbd ended before it was ready:\n${said.slice(-2000)}`));
    child.once('error', reject);
    child.once('exit', onExit);
    child.stderr.on('data', (chunk: Buffer) => {
      if (said.includes('ready for connections')) return;
      said += chunk.toString();
      if (!said.includes('ready for connections')) return;
      child.off('exit', onExit);
      resolve(child);
    });
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

function program(name: string): string {
  const path = findProgram(name);
  if (path === undefined) throw new Error(`${name} is not installed`);
  return path;
}
