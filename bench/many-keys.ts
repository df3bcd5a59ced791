/**
 * What a million different questions, each of another client, leave behind: processor time of usual answers before and
 * after them, and the memory of the server. `npm run bench:many-keys`.
 */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endOnSignals } from './children.js';
import { ratiosOf, spreadOf } from './figures.js';
import { pinTo } from './find-program.js';
import { flood, requestText } from './flood.js';
import { type DatabaseName, provideSite } from './generate.js';
import { makeKey } from './make-key.js';
import { canStartMariadb } from './mariadb-server.js';
import { readOptions } from './options.js';
import { type ServerProcess, startServerProcess } from './processes.js';
import { basePath, rootSecret } from './record.js';
import { withServer } from './run.js';
import { chooseScenarios } from './scenarios.js';

endOnSignals();
const count = 1000;
const keys = 1_000_000;
/** Answers of one round. */
const batch = 5000;
const options = readOptions(process.argv.slice(2), 'node');
const { folder, connections } = options;
const program = join(dirname(fileURLToPath(import.meta.url)), '../../bin/hcd');
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Lists that were asked for outside the keys. */
let asked = 0;

interface Usual {
  readonly name: string;
  readonly request: (at: number) => Buffer;
}

await mkdir(folder, { recursive: true });
say('| database | answer | after a million keys, of before | least and most of the rounds | µs before and after |');
say('| --- | --- | --- | --- | --- |');
for (const database of options.databases) {
  if (database === 'mariadb' && !canStartMariadb()) continue;
  await withServer({ database, options }, async (serverUrl) => {
    await measure(database, await provideSite({ database, count, folder, serverUrl, say: () => undefined }));
  });
}

async function measure(database: DatabaseName, databaseUrl: string): Promise<void> {
  const env = {
    HCD_DATABASE_URL: databaseUrl,
    HCD_SECRET: rootSecret,
    HCD_GATEWAY_RATE_LIMIT_MAX_REQUESTS: '1000000000',
    HCD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1',
    NODE_ENV: 'production',
  };
  const server = await startServerProcess({
    command: [...pinTo(0), process.execPath, program, 'serve', 'gateway', '--port', '0'],
    ...{ env, cwd: folder, logFile: join(folder, 'many-keys.log') },
  });
  try {
    const usual = usualAnswers(server.port, makeKey({ program, folder, env, scopes: 'resources.read' }));
    const ask = (answers: number, request: Usual['request']) =>
      flood({ port: server.port, answers, connections, request });
    for (const { request } of usual) await ask(batch * 4, request);
    const before = await costs(server, usual);
    const memoryBefore = server.memory()?.now;
    await ask(keys, (at) => requestText(server.port, newQuestion(at), { 'X-Forwarded-For': newClient(at) }));
    const memoryAfter = server.memory();
    const after = await costs(server, usual);
    for (const [at, { name }] of usual.entries()) {
      const [first = [], second = []] = [before[at], after[at]];
      const { median, least, most } = ratiosOf(second, first);
      const micros = [first, second].map((values) => spreadOf(values).median.toFixed(1)).join(' and ');
      say(`| ${database} | ${name} | ${median.toFixed(2)} | ${least.toFixed(2)} to ${most.toFixed(2)} | ${micros} |`);
    }
    say(
      `\n${database}: ${mebibytes(memoryBefore)} MiB before the keys, ${mebibytes(memoryAfter?.now)} after them, ${mebibytes(memoryAfter?.peak)} at most\n`,
    );
  } finally {
    await server.stop();
  }
}

/** Microseconds of processor time for an answer, by answer and round. */
async function costs(server: ServerProcess, usual: readonly Usual[]): Promise<readonly (readonly number[])[]> {
  const found: number[][] = usual.map(() => []);
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [at, { request }] of usual.entries()) {
      const start = server.cpuSeconds() ?? Number.NaN;
      await flood({ port: server.port, answers: batch, connections, request });
      found[at]?.push((((server.cpuSeconds() ?? Number.NaN) - start) / batch) * 1e6);
    }
    server.emptyLog();
  }
  return found;
}

function usualAnswers(port: number, key: string): readonly Usual[] {
  const pathOf = (name: string) => basePath + (chooseScenarios([name])[0]?.paths(count)[0] ?? '');
  const known = { Authorization: `Bearer ${key}` };
  const page = requestText(port, pathOf('page'), {});
  const list = requestText(port, pathOf('children'), {});
  const pageToKey = requestText(port, pathOf('page'), known);
  return [
    { name: 'kept page', request: () => page },
    { name: 'kept list', request: () => list },
    { name: 'kept page to a key', request: () => pageToKey },
    {
      name: 'list that was never asked for',
      request: () => {
        asked += 1;
        return requestText(port, newQuestion(keys + asked), {});
      },
    },
  ];
}

/** A list of one row; no two numbers give the same. */
function newQuestion(at: number): string {
  return `${basePath}/resources?limit=1&fields=id&filter%5Bid%5D%5Bneq%5D=${count + 1 + at}`;
}

function newClient(at: number): string {
  return `20.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`;
}

function mebibytes(value: number | undefined): string {
  return value === undefined ? '?' : value.toFixed(0);
}
