/** `npm run bench -- GROUP`: two sides of each row of the group in turn, round after round, as one table. */
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { orderOfRound, quarterOf, ratioOf } from './figures.js';
import { bare } from './groups/bare.js';
import { builds } from './groups/builds.js';
import { calmCaller } from './groups/calm-caller.js';
import { growth } from './groups/growth.js';
import { outbox } from './groups/outbox.js';
import { statistics } from './groups/statistics.js';
import { workers } from './groups/workers.js';
import { type Options, type Place, type Row, withPlace } from './place.js';
import { endOnSignals } from './servers.js';
import type { DatabaseName } from './site/generate.js';
import { canStartMariadb } from './site/mariadb-server.js';

interface Group {
  rows(place: Place): readonly Row[];
  /** Of the two sites, where their numbers differ. */
  readonly sizes?: Options['sizes'];
  readonly seconds?: number;
  /** Rounds that do not count: code that is not hot yet is slow, a bare program's for a shorter time. */
  readonly warmUp?: number;
}

const groups: Readonly<Record<string, Group>> = {
  builds: { rows: builds },
  bare: { rows: bare, warmUp: 20 },
  growth: { rows: growth, sizes: [1000, 10_000_000] },
  statistics: { rows: statistics, sizes: [10_000, 10_000_000] },
  outbox: { rows: outbox, sizes: [0, 1_000_000] },
  workers: { rows: workers, warmUp: 10 },
  'calm-caller': { rows: calmCaller, seconds: 8, warmUp: 1 },
};

endOnSignals();

interface Flags extends Partial<Pick<Options, 'sizes' | 'seconds' | 'before' | 'profiles'>> {
  readonly rows: readonly string[];
  readonly databases: readonly DatabaseName[];
  readonly rounds: number;
  readonly warmUp?: number;
  readonly connections: number;
  readonly workers: string;
  readonly folder?: string;
}

const program = new Command('npm run bench --')
  .description('Runs the two sides of each row of a group in turn, and prints their costs and how these compare.')
  .addArgument(new Argument('<group>').choices(Object.keys(groups)))
  .option('--rows <names>', 'only rows whose names begin so, with commas between', list, [])
  .option('--databases <names>', 'sqlite, mariadb or both', toDatabases, ['sqlite', 'mariadb'])
  .option('--rounds <n>', 'rounds that count', whole, 15)
  .option('--warm-up <n>', 'rounds before them (default: 3, more where a group needs it)', whole)
  .option('--seconds <n>', 'of each side in a round (default: 0.5, more where a group needs it)', Number)
  .option('--connections <n>', 'of the load', whole, 8)
  .option('--sizes <small,large>', 'rows of the two sites of a group that compares sizes', (text) =>
    list(text).map(whole),
  )
  .option('--workers <n>', 'processes of the group workers', '2')
  .option('--before <folder>', 'another checkout, built, for the group builds')
  .option('--folder <folder>', 'where the sites are kept (default: a temporary folder, but for growth)')
  .option('--profiles <folder>', 'gets a profile of each server')
  .parse();
const [name = ''] = program.args;
const flags = program.opts<Flags>();
const group: Group = { rows: () => [], ...groups[name] };
const { warmUp = group.warmUp ?? 3 } = flags;
const options: Options = {
  ...{ before: undefined, profiles: undefined, sizes: [0, 0], seconds: 0.5, ...group, ...flags },
  rounds: flags.rounds + warmUp,
};
// Large sites are kept.
const kept = flags.folder ?? (name === 'growth' ? join(homedir(), '.cache/hcd-bench') : undefined);
const folder = kept ?? (await mkdtemp(join(tmpdir(), 'hcd-bench-')));
const print = (...cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);
try {
  print(name, 'database', 'times', 'half of the rounds', 'cost', 'of the other');
  print(...Array.from({ length: 6 }, () => '---'));
  for (const database of flags.databases) await measure(group, database);
} finally {
  if (kept === undefined) await rm(folder, { recursive: true, force: true });
}

async function measure({ rows }: Group, database: DatabaseName): Promise<void> {
  if (database === 'mariadb' && !canStartMariadb()) return void process.stderr.write('mariadbd is not installed\n');
  await withPlace({ database, options, folder }, async (place) => {
    for (const row of chosen(rows(place))) {
      const { own, other } = await costsOf(row);
      const { times, from, to } = ratioOf(own, other);
      const range = `${from.toFixed(2)} to ${to.toFixed(2)}`;
      print(row.name, database, times.toFixed(2), range, shown(own), shown(other));
    }
  });
}

async function costsOf(row: Row): Promise<Record<'own' | 'other', number[]>> {
  const costs: Record<'own' | 'other', number[]> = { own: [], other: [] };
  for (let round = -warmUp; round < flags.rounds; round += 1) {
    for (const side of orderOfRound(['own', 'other'] as const, round)) {
      const cost = await row[side]();
      if (round >= 0) costs[side].push(cost);
    }
  }
  return costs;
}

function chosen(rows: readonly Row[]): readonly Row[] {
  const names = flags.rows;
  const unknown = names.find((one) => !rows.some((row) => row.name.startsWith(one)));
  if (unknown !== undefined)
    throw new Error(`no row begins with ${unknown}: ${rows.map((row) => row.name).join(', ')}`);
  return names.length === 0 ? rows : rows.filter((row) => names.some((one) => row.name.startsWith(one)));
}

function shown(costs: readonly number[]): string {
  const cost = quarterOf(costs, 1);
  return cost < 10_000 ? `${cost.toFixed(0)} µs` : `${(cost / 1000).toFixed(0)} ms`;
}

function list(text: string): string[] {
  return text.split(',');
}

function whole(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('It must be a whole number.');
  return value;
}

function toDatabases(text: string): DatabaseName[] {
  return list(text).map((name) => {
    if (name !== 'sqlite' && name !== 'mariadb') throw new InvalidArgumentError('It takes sqlite and mariadb.');
    return name;
  });
}
