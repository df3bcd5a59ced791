/** `npm run bench:peers`: the same pages and questions for `hcd` and for other products, in turn. */
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { endOnSignals } from './children.js';
import { orderOfRound, ratiosOf, spreadOf } from './figures.js';
import { pinTo } from './find-program.js';
import { canStartMariadb } from './mariadb-server.js';
import { readOptions } from './options.js';
import { type Answers, askFor } from './peers/client.js';
import { startDirectus } from './peers/directus.js';
import { startHcd } from './peers/hcd.js';
import { requestsOf } from './peers/pages.js';
import { startPayload } from './peers/payload.js';
import { type Place, type Question, questions, type RunningPeer, type Target } from './peers/peer.js';
import { startPhp } from './peers/php.js';
import { type Row, toMarkdown } from './peers/report.js';
import { startStrapi } from './peers/strapi.js';
import { withServer } from './run.js';

const starters: Readonly<Record<string, (place: Place) => Promise<RunningPeer>>> = {
  hcd: startHcd,
  directus: startDirectus,
  strapi: startStrapi,
  payload: startPayload,
  php: startPhp,
};
const cacheable: readonly Question[] = ['list', 'read', 'address', 'search', 'words'];

endOnSignals();
const cacheFolder = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
const { only, rest } = takeOnly(process.argv.slice(2));
const defaults = ['--rows', '1000', '--rounds', '5', '--seconds', '1', '--connections', '8'];
const options = readOptions([...defaults, '--folder', join(cacheFolder, 'hcd-bench-peers'), ...rest], 'node');
const { rounds, seconds, connections } = options;
const leftOut: string[] = [];
const rows: Row[] = [];
await mkdir(options.folder, { recursive: true });
for (const database of options.databases) {
  if (database === 'mariadb' && !canStartMariadb()) {
    leave('mariadbd is not installed: MariaDB is left out.');
    continue;
  }
  await withServer({ database, options }, async (serverUrl) => {
    for (const count of options.rows) {
      rows.push(...(await compare({ database, serverUrl, folder: options.folder, rows: count, say })));
    }
  });
}
const pinned = pinTo(0).length > 0 ? 'servers on one core' : 'servers on all cores';
const how = `${options.rows.join(' and ')} pages, ${pinned}, ${connections} connections, ${rounds} rounds of ${seconds} s.`;
const report = { date: new Date().toISOString().slice(0, 10), how, rows, leftOut };
await mkdir(options.out, { recursive: true });
await writeFile(join(options.out, 'peers.json'), `${JSON.stringify(report, null, 2)}\n`);
await writeFile(join(options.out, 'peers.md'), toMarkdown(report));
process.stdout.write(toMarkdown(report));
say(`written to ${options.out}`);

/** Starts the servers one after the other, so that one that fails only leaves a line. */
async function compare(place: Place): Promise<Row[]> {
  const running: RunningPeer[] = [];
  try {
    for (const name of only) {
      try {
        const peer = await starters[name]?.(place);
        if (peer !== undefined) running.push(peer);
      } catch (error) {
        if (name === 'hcd') throw error;
        leave(`${name} on ${place.database} is left out: ${error instanceof Error ? error.message : error}`);
      }
    }
    const targets = running.flatMap((peer) => peer.targets);
    const measured: Row[] = [];
    for (const question of questions) measured.push(...(await measure(question, { targets, place })));
    return measured;
  } finally {
    await Promise.all(running.map((peer) => peer.stop()));
  }
}

/** Answers of one round with the seconds that the server computed. */
type Round = Answers & { readonly computed: number };

async function measure(
  question: Question,
  { targets, place }: { readonly targets: readonly Target[]; readonly place: Place },
): Promise<Row[]> {
  const asked = targets
    .filter(({ isCached, asked }) => (!isCached || cacheable.includes(question)) && asked?.includes(question) !== false)
    .map((target) => ({ target, results: [] as Round[], next: requestsOf(question, target.dialect, place.rows) }));
  const run = async ({ target, next }: (typeof asked)[number], seconds: number): Promise<Round> => {
    const { server, port } = target;
    server.checkRunning();
    const before = server.cpuSeconds() ?? Number.NaN;
    const answers = await askFor(next, { port, seconds, connections });
    return { ...answers, computed: (server.cpuSeconds() ?? Number.NaN) - before };
  };
  for (const one of asked) await run(one, options.warmUp);
  for (let round = 0; round < rounds; round += 1) {
    for (const one of orderOfRound(asked, round)) one.results.push(await run(one, seconds));
  }
  const costsOf = (results: readonly Round[]) => results.map(({ computed, count }) => (computed / count) * 1e6);
  const costsOfHcd = (isCached: boolean) =>
    costsOf(asked.find(({ target }) => target.name.startsWith('hcd') && target.isCached === isCached)?.results ?? []);
  const kept = costsOfHcd(true);
  return asked.map(({ target, results }) => {
    target.server.emptyLog();
    const sum = (figure: (round: Round) => number) => results.reduce((total, round) => total + figure(round), 0);
    const row: Row = {
      ...{ database: place.database, pages: place.rows, question, name: target.name, version: target.version },
      bytes: Math.round(sum(({ bytes }) => bytes) / sum(({ count }) => count)),
      errors: sum(({ errors }) => errors),
      firstError: results.find(({ firstError }) => firstError !== undefined)?.firstError,
      cost: spreadOf(costsOf(results)),
      rate: spreadOf(results.map((round) => (round.count - round.errors) / round.seconds)),
      toHcd: ratiosOf(costsOf(results), costsOfHcd(false)),
      toKept: kept.length === 0 ? undefined : ratiosOf(costsOf(results), kept),
    };
    say(`${place.database} ${question} ${target.name}: ${row.cost.median.toFixed(0)} µs, ${row.errors} errors`);
    return row;
  });
}

function takeOnly(argv: readonly string[]): { readonly only: readonly string[]; readonly rest: readonly string[] } {
  const at = argv.indexOf('--only');
  if (at < 0) return { only: Object.keys(starters), rest: argv };
  const names = ['hcd', ...(argv[at + 1] ?? '').split(',')];
  const unknown = names.find((name) => starters[name] === undefined);
  if (unknown !== undefined) throw new Error(`--only takes ${Object.keys(starters).join(', ')}, not ${unknown}`);
  return { only: [...new Set(names)], rest: argv.toSpliced(at, 2) };
}

function leave(text: string): void {
  leftOut.push(text);
  say(text);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
