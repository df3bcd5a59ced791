/**
 * What an answer from memory costs: processor time of the server for one answer, in turn with a bare node:http server
 * that sends the same bytes. `npm run bench:kept`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { orderOfRound, ratiosOf, spreadOf } from './figures.js';
import { pinTo } from './find-program.js';
import { flood, requestText } from './flood.js';
import { provideSite } from './generate.js';
import { bestClient } from './load.js';
import { makeKey } from './make-key.js';
import { readOptions } from './options.js';
import { startServerProcess } from './processes.js';
import { basePath, fetchBytes, rootSecret } from './record.js';
import { withServer } from './run.js';
import { chooseScenarios } from './scenarios.js';

const count = 1000;
/** Answers of one round: so many that opening its connections does not count. */
const batch = 20_000;
/** Rounds that are not counted: the compiler of Node works on the side until then, for the program longer than for a bare server. */
const warmUp = 3;
const options = readOptions(process.argv.slice(2), bestClient());
const compiled = dirname(fileURLToPath(import.meta.url));
const program = join(compiled, '../../bin/hcd');
const say = (text: string): void => void process.stdout.write(`${text}\n`);

interface Question {
  readonly name: string;
  /** Paths below the gateway's base come from the scenario of this name. */
  readonly scenario: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly isUnchanged?: true;
}

await mkdir(options.folder, { recursive: true });
for (const database of options.databases) {
  await withServer({ database, options }, async (serverUrl) => {
    const databaseUrl = await provideSite({ database, count, folder: options.folder, serverUrl, say });
    await measure(database, databaseUrl);
  });
}

async function measure(database: string, databaseUrl: string): Promise<void> {
  const { folder } = options;
  const env = {
    HCD_DATABASE_URL: databaseUrl,
    HCD_SECRET: rootSecret,
    // Requests are counted, but one caller asks more often than any limit allows.
    HCD_GATEWAY_RATE_LIMIT_MAX_REQUESTS: '1000000000',
    NODE_ENV: 'production',
  };
  const known = { Authorization: `Bearer ${makeKey({ program, folder, env, scopes: 'resources.read' })}` };
  const start = (name: string, args: readonly string[]) =>
    startServerProcess({
      command: [...pinTo(0), process.execPath, ...args],
      env,
      cwd: folder,
      logFile: join(folder, `kept-${name}.log`),
    });
  const hcd = await start('hcd', [program, 'serve', 'gateway', '--port', '0']);
  const questions: readonly Question[] = [
    { name: '3 KB', scenario: 'page', headers: {} },
    { name: '60 KB', scenario: 'children', headers: {} },
    { name: '3 KB, unchanged (304)', scenario: 'page', headers: {}, isUnchanged: true },
    { name: '60 KB, unchanged (304)', scenario: 'children', headers: {}, isUnchanged: true },
    { name: '3 KB, known key', scenario: 'page', headers: known },
    { name: '60 KB, known key', scenario: 'children', headers: known },
  ];
  const wanted = questions.filter(({ name }) => options.scenarios.length === 0 || options.scenarios.includes(name));
  const pathOf = ({ scenario }: Question) => basePath + (chooseScenarios([scenario])[0]?.paths(count)[0] ?? '');
  const paths = [...new Set(questions.map(pathOf))];
  const bodies = await Promise.all(paths.map((path) => fetchBytes(hcd.port, path)));
  const targetFile = join(folder, 'kept-answers.json');
  const answers = paths.map((path, at) => ({ path, body: bodies[at]?.toString('base64') ?? '', statements: [] }));
  await writeFile(targetFile, JSON.stringify({ databaseUrl, answers }));
  const bare = await start('bare', [join(compiled, 'targets/kept.js'), targetFile]);
  try {
    for (const question of wanted) {
      const path = pathOf(question);
      const headers = question.isUnchanged
        ? { ...question.headers, 'If-None-Match': await tagOf(hcd.port, path) }
        : question.headers;
      const costs: number[][] = [[], []];
      for (let round = -warmUp; round < options.rounds; round += 1) {
        for (const at of orderOfRound([0, 1], round)) {
          const server = at === 0 ? hcd : bare;
          const before = server.cpuSeconds() ?? Number.NaN;
          const text = requestText(server.port, path, headers);
          await flood({ port: server.port, answers: batch, connections: options.connections, request: () => text });
          if (round >= 0) costs[at]?.push((((server.cpuSeconds() ?? Number.NaN) - before) / batch) * 1e6);
        }
      }
      for (const server of [hcd, bare]) server.emptyLog();
      const [own = [], bareOnes = []] = costs;
      const { median, least, most } = ratiosOf(bareOnes, own);
      const micros = (values: readonly number[]) => spreadOf(values).median.toFixed(1);
      say(
        `${database} | ${question.name} | ${median.toFixed(2)} | ${least.toFixed(2)} to ${most.toFixed(2)} | ${micros(own)} µs of ${micros(bareOnes)}`,
      );
    }
  } finally {
    await Promise.all([hcd.stop(), bare.stop()]);
  }
}

function tagOf(port: number, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.headers.etag ?? ''));
    }).on('error', reject);
  });
}
