/**
 * A private Galera cluster of three MariaDB nodes on 127.0.0.1. A node that joins copies the data of another one with
 * rsync; one that was killed gets only what it missed.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmod, cp, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe } from 'vitest';
import { atFileEnd } from './at-file-end.js';
import { mariadbTemplate } from './databases.js';
import { freePort } from './free-port.js';
import { end, findProgram, galeraProvider, isGaleraInstalled, onceReady, requireProgram } from './mariadb-server.js';
import { makeTempDir } from './temp-dir.js';

/** A group that starts a Galera cluster: skipped where it or one of the programs is not installed; the end of the run says so. */
export function describeWithGalera(programs: readonly string[], name: string, body: () => void): void {
  const isReady = isGaleraInstalled() && programs.every((one) => findProgram(one) !== undefined);
  describe.skipIf(!isReady)(name, body);
}

export interface GaleraNode {
  readonly port: number;
  /** `mariadb://root@127.0.0.1:PORT`, without a database name. */
  readonly url: string;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Starts it again after a kill; resolves when it takes connections, which may be before it has caught up. */
  restart(): Promise<void>;
}

/** The nodes, each with the data of the others. Ended with the test file. */
export async function startGalera(): Promise<readonly [GaleraNode, GaleraNode, GaleraNode]> {
  const template = await mariadbTemplate();
  const folder = await makeTempDir('galera');
  // rsync as root writes as another user, so nodes of root run as the user of Debian's package.
  const user = process.getuid?.() === 0 ? 'mysql' : null;
  const ports = [await freePort(), await freePort(), await freePort()];
  const place = { template, folder, user, addresses: ports.map((port) => `127.0.0.1:${port}`) };
  for (const one of [dirname(folder), folder]) await chmod(one, 0o711);
  const start = (at: number) =>
    startNode(place, { name: `node${at + 1}`, peerPort: ports[at] ?? 0, isFirst: at === 0 });
  // One after the other: each join stops the donor for a moment.
  return [await start(0), await start(1), await start(2)];
}

interface Cluster {
  readonly template: string;
  readonly folder: string;
  readonly user: string | null;
  readonly addresses: readonly string[];
}

async function startNode(
  { template, folder, user, addresses }: Cluster,
  { name, peerPort: peer, isFirst }: { readonly name: string; readonly peerPort: number; readonly isFirst: boolean },
): Promise<GaleraNode> {
  const own = join(folder, name);
  const data = join(own, 'data');
  await mkdir(join(own, 'tmp'), { recursive: true });
  await cp(template, data, { recursive: true });
  if (user !== null) await promisify(execFile)('chown', ['-R', user, own]);
  const [port, copying, catchingUp] = [await freePort(), await freePort(), await freePort()];
  const options = (address: string): string[] => [
    '--no-defaults',
    ...[`--datadir=${data}`, `--tmpdir=${join(own, 'tmp')}`, `--socket=${join(own, 'socket')}`],
    ...[`--pid-file=${join(own, 'pid')}`, `--port=${port}`, '--bind-address=127.0.0.1', '--skip-networking=0'],
    ...['--skip-name-resolve', '--innodb-log-file-size=16M', '--innodb-buffer-pool-size=64M'],
    // Killed nodes must keep their commits, but no machine loses its power here: nothing waits for a disk.
    ...['--innodb-flush-log-at-trx-commit=2', '--innodb-flush-method=nosync', '--skip-innodb-doublewrite'],
    ...['--debug-no-sync', '--character-set-server=utf8mb4', '--max-connections=300'],
    ...['--binlog-format=ROW', '--innodb-autoinc-lock-mode=2', '--wsrep-on=ON', `--wsrep-provider=${galeraProvider}`],
    // Refuses what would not be replicated row by row.
    ...['--wsrep-mode=REQUIRED_PRIMARY_KEY', '--wsrep-cluster-name=hcd', `--wsrep-cluster-address=${address}`],
    ...[`--wsrep-node-name=${name}`, `--wsrep-node-address=127.0.0.1:${peer}`, '--wsrep-sst-method=rsync'],
    // Not the node that takes the writes: a donor is passed over meanwhile.
    ...(name === 'node3' ? [] : ['--wsrep-sst-donor=node3,']),
    ...[`--wsrep-node-incoming-address=127.0.0.1:${port}`, `--wsrep-sst-receive-address=127.0.0.1:${copying}`],
  ];
  // A node that is killed is given up after two seconds instead of five.
  const providerOptions = [
    ...[`gmcast.listen_addr=tcp://127.0.0.1:${peer}`, `ist.recv_addr=127.0.0.1:${catchingUp}`, 'gcache.size=64M'],
    ...['evs.keepalive_period=PT0.5S', 'evs.inactive_check_period=PT0.5S'],
    ...['evs.suspect_timeout=PT2S', 'evs.inactive_timeout=PT6S'],
  ].join(';');
  const all = `gcomm://${addresses.join(',')}`;
  const run = (address: string, more: readonly string[] = []) =>
    launch(user, [...options(address), `--wsrep-provider-options=${providerOptions}`, ...more]);
  let running = await run(isFirst ? 'gcomm://' : all);
  atFileEnd(() => end(running));
  return {
    port,
    url: `mariadb://root@127.0.0.1:${port}`,
    kill: () => end(running),
    async restart() {
      // Finds out, as Debian's service does, which was the last transaction that the node had.
      const log = join(own, 'recovery.log');
      const [command = '', ...words] = commandAs(user, [...options(all), '--wsrep-recover', `--log-error=${log}`]);
      // MariaDB 10.11.19 sometimes crashes after it has said it; Debian's service looks at the log only, too.
      await promisify(execFile)(command, words).catch(() => undefined);
      const said = await readFile(log, 'utf8');
      const position = /Recovered position: (\S+)/.exec(said)?.[1];
      if (position === undefined) throw new Error(`a node does not recover: ${said}`);
      running = await run(all, [`--wsrep-start-position=${position}`]);
    },
  };
}

/** A test run that is itself killed must not leave servers behind: the kernel then ends them too. */
function commandAs(user: string | null, options: readonly string[]): string[] {
  const as = user === null ? [] : ['--reuid', user, '--regid', user, '--clear-groups'];
  return [requireProgram('setpriv'), ...as, '--pdeathsig', 'KILL', '--', requireProgram('mariadbd'), ...options];
}

/** Resolves when the node says that it takes connections. */
function launch(user: string | null, options: readonly string[]): Promise<ChildProcess> {
  const [command = '', ...words] = commandAs(user, options);
  const child = spawn(command, words, { stdio: ['ignore', 'ignore', 'pipe'] });
  return onceReady(child);
}
