/**
 * Runs once around a whole test run: offers the run's MariaDB server to the test files and says at the end what
 * could not be tested here. The server starts when the first file asks for it, so a run that needs none pays nothing.
 */
import { createServer, type Server, type Socket } from 'node:net';
import type { TestProject } from 'vitest/node';
import { canBuildImages } from '../contrib/can-build-images.js';
import { findBinaryNode } from '../package/binary-node.js';
import { fixtureDirectory } from './fixture-directory.js';
import {
  findProgram,
  installMariadbData,
  isGaleraInstalled,
  isMariadbInstalled,
  type MariadbServer,
  startMariadbFrom,
} from './mariadb-server.js';
import { isRedisInstalled } from './redis-server.js';
import { makeRunDirectory } from './run-directory.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Server given by HCD_TEST_MARIADB_URL, in which the tests make their databases. */
    givenMariadb: string | null;
    /** Port of the broker that starts private servers; null where MariaDB is not installed. */
    mariadbBroker: number | null;
  }
}

const mariadbNotice = 'The MariaDB groups were skipped: install mariadb-server or set HCD_TEST_MARIADB_URL.';
const redisNotice = 'The Redis groups were skipped: install redis-server.';
const proxiesNotice =
  'Groups behind nginx, behind HAProxy or with Prometheus were skipped: install nginx, haproxy, prometheus and openssl.';
const galeraNotice = 'The groups on a Galera cluster were skipped: install galera-4 and rsync.';
const binaryNotice =
  'The single executable was not built: set HCD_TEST_NODE to a Node.js 26 or newer, or run the tests with one.';
const imageNotice =
  'The container image was not built: that needs root, buildah, namespaces and a Node.js as for the executable.';
const fixtureNotice = 'The groups on a real site database were skipped: set HCD_TEST_FIXTURE_DIR to its directory.';

/** Vitest calls this before the first test file; the returned function runs after the last one. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const directory = makeRunDirectory();
  const given = process.env['HCD_TEST_MARIADB_URL'];
  const broker = isMariadbInstalled() ? await openBroker() : undefined;
  project.provide('givenMariadb', given ?? null);
  project.provide('mariadbBroker', broker?.port ?? null);

  const hasMariadb = (given ?? broker) !== undefined;
  if (!hasMariadb && process.env['HCD_TEST_REQUIRE_MARIADB'] === '1') throw new Error(mariadbNotice);
  if (!isRedisInstalled() && process.env['HCD_TEST_REQUIRE_REDIS'] === '1') throw new Error(redisNotice);
  const hasProxies = ['nginx', 'haproxy', 'prometheus', 'openssl'].every((name) => findProgram(name) !== undefined);
  if (!hasProxies && process.env['HCD_TEST_REQUIRE_PROXIES'] === '1') throw new Error(proxiesNotice);
  const hasGalera = isGaleraInstalled();
  if (!hasGalera && process.env['HCD_TEST_REQUIRE_GALERA'] === '1') throw new Error(galeraNotice);
  const notices = [
    ...(hasMariadb ? [] : [mariadbNotice]),
    ...(isRedisInstalled() ? [] : [redisNotice]),
    ...(hasProxies ? [] : [proxiesNotice]),
    ...(hasGalera ? [] : [galeraNotice]),
    ...(findBinaryNode() === undefined ? [binaryNotice] : []),
    ...(canBuildImages() ? [] : [imageNotice]),
    ...(fixtureDirectory() === undefined ? [fixtureNotice] : []),
  ];

  return async () => {
    await broker?.close();
    directory.remove();
    for (const notice of notices) process.stdout.write(`\nNOTICE: ${notice}\n`);
  };
}

interface Broker {
  readonly port: number;
  close(): Promise<void>;
}

/** A run makes and drops a hundred thousand tables, which files of their own and stored statistics make twice as dear. */
const cheapTables = ['--innodb-file-per-table=0', '--innodb-stats-persistent=0'];

/** Answers `shared` with the URL of the run's server and `template` with a data directory to copy. */
async function openBroker(): Promise<Broker> {
  let template: Promise<string> | undefined;
  let shared: Promise<MariadbServer> | undefined;
  const getTemplate = () => (template ??= installMariadbData());
  const getShared = () => (shared ??= getTemplate().then((template) => startMariadbFrom(template, cheapTables)));

  const answer = async (question: string): Promise<string> =>
    question === 'template' ? await getTemplate() : (await getShared()).url;

  const server = createServer((socket: Socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (chunk: Buffer) => {
      answer(chunk.toString().trim()).then(
        (text) => socket.end(JSON.stringify({ answer: text })),
        (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
      );
    });
  });
  return {
    port: await listen(server),
    async close() {
      server.close();
      await (await shared?.catch(() => undefined))?.stop();
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (typeof address === 'object' && address) resolve(address.port);
      else reject(new Error('no port given'));
    });
  });
}
