/**
 * Groups that run on the dump of a real site database (see its own README for what is in it). The dump is test input
 * that is not part of this repository; where it is absent the groups are skipped and the run says so.
 */
import { spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { freshMariadbUrl, isMariadbAvailable } from './databases.js';
import { fixtureDirectory } from './fixture-directory.js';
import { findProgram } from './mariadb-server.js';

/** A group that needs the dump and a MariaDB server to load it into. */
export function describeWithFixture(name: string, body: () => void): void {
  describe.skipIf(fixtureDirectory() === undefined || !isMariadbAvailable())(name, body);
}

/** A group that needs only the files of expected results. */
export function describeWithFixtureFiles(name: string, body: () => void): void {
  describe.skipIf(fixtureDirectory() === undefined)(name, body);
}

/** One of the files of expected results next to the dump, decoded from JSON. */
export async function readFixtureJson(name: string): Promise<unknown> {
  return JSON.parse(await readFile(join(requireDirectory(), name), 'utf8'));
}

/** Loads the dump into a fresh MariaDB database and gives its URL. */
export async function loadFixture(): Promise<string> {
  const url = await freshMariadbUrl();
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const socketPath = searchParams.get('socketPath');
  const dump = await open(join(requireDirectory(), 'modx.sql'));
  const client = spawn(
    findProgram('mariadb') ?? 'mariadb',
    [
      '--no-defaults',
      ...(socketPath
        ? [`--socket=${socketPath}`]
        : ['--protocol=tcp', `--host=${hostname}`, `--port=${port || '3306'}`]),
      `--user=${decodeURIComponent(username)}`,
      '--default-character-set=utf8mb4',
      pathname.slice(1),
    ],
    { stdio: [dump.fd, 'ignore', 'pipe'], env: { ...process.env, MYSQL_PWD: decodeURIComponent(password) } },
  );
  try {
    await finished(client);
  } finally {
    await dump.close();
  }
  return url;
}

function finished(client: ReturnType<typeof spawn>): Promise<void> {
  let said = '';
  client.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    client.once('error', reject);
    client.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`loading the dump failed: ${said}`))));
  });
}

function requireDirectory(): string {
  const directory = fixtureDirectory();
  if (directory === undefined) throw new Error('no dump: wrap the group in describeWithFixture');
  return directory;
}
