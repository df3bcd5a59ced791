/** Private Redis servers for tests: a free port on 127.0.0.1 and a socket, nothing kept on disk. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.js';
import { end, findProgram, requireProgram } from './mariadb-server.js';
import { makeTempDir } from './temp-dir.js';

export interface RedisServer {
  /** `redis://[:PASSWORD@]127.0.0.1:PORT`. The same after a restart. */
  readonly url: string;
  readonly port: number;
  readonly socketPath: string;
  /** SIGKILL, as a crash does; its counts are gone. Resolves when the process is gone. */
  kill(): Promise<void>;
  /** Starts it again on the same port; resolves when it accepts connections. */
  restart(): Promise<void>;
  /** SIGSTOP: connections stay open and nothing answers. */
  freeze(): void;
  /** SIGCONT. */
  thaw(): void;
}

export interface RedisOptions {
  readonly password?: string;
  /** Further words of the command line. */
  readonly more?: readonly string[];
}

const started = new Set<ChildProcess>();

/** Whether a private server can be started on this machine. */
export function isRedisInstalled(): boolean {
  return findProgram('redis-server') !== undefined;
}

/** Starts a server; ended when the test file is done. */
export async function startRedis({ password, more = [] }: RedisOptions = {}): Promise<RedisServer> {
  const directory = await makeTempDir('redis');
  const port = await freePort();
  const socketPath = join(directory, 'socket');
  const options = [
    ...['--bind', '127.0.0.1', '--port', String(port), '--unixsocket', socketPath, '--dir', directory],
    ...['--save', '', '--appendonly', 'no', '--daemonize', 'no'],
    ...(password === undefined ? [] : ['--requirepass', password]),
    ...more,
  ];
  let running = await launch(options);
  return {
    url: `redis://${password === undefined ? '' : `:${encodeURIComponent(password)}@`}127.0.0.1:${port}`,
    port,
    socketPath,
    kill: () => end(running),
    async restart() {
      await end(running);
      running = await launch(options);
    },
    freeze: () => void running.kill('SIGSTOP'),
    thaw: () => void running.kill('SIGCONT'),
  };
}

/** Ends the servers of this file; called by `after-file.ts`. */
export async function stopRedisServers(): Promise<void> {
  await Promise.all([...started].map(end));
  started.clear();
}

/** Spawns redis-server and waits for the line in which it says that it takes connections. */
function launch(options: readonly string[]): Promise<ChildProcess> {
  const program = requireProgram('redis-server');
  // A test run that is itself killed must not leave servers behind: the kernel then ends them too.
  const setpriv = findProgram('setpriv');
  const child = setpriv
    ? spawn(setpriv, ['--pdeathsig', 'KILL', '--', program, ...options], { stdio: ['ignore', 'pipe', 'ignore'] })
    : spawn(program, options, { stdio: ['ignore', 'pipe', 'ignore'] });
  started.add(child);
  return new Promise((resolve, reject) => {
    let said = '';
    const onExit = () => reject(new Error(`redis-server ended before it was ready:\n${said.slice(-2000)}`));
    child.once('error', reject);
    child.once('exit', onExit);
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (!said.includes('Ready to accept connections')) return;
      child.off('exit', onExit);
      said = '';
      resolve(child);
    });
  });
}

/** One command on the server with its own password; gives its answer as lines of `redis-cli`. */
export async function redisCommand({ url }: RedisServer, words: readonly string[]): Promise<string[]> {
  const program = requireProgram('redis-cli');
  const { stdout } = await promisify(execFile)(program, ['-u', url, '--no-auth-warning', '--raw', ...words]);
  return stdout.split('\n').slice(0, -1);
}
