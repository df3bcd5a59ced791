/** `npm run bench -- GROUP`: two sides of each row of the group in turn, round after round, as one table. */
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
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
  readonly sizes?: string;
  readonly seconds?: string;
  /** Rounds that do not count: code that is not hot yet is slow, a bare program's for a shorter time. */
  readonly warmUp?: string;
}

const groups: Readonly<Record<string, Group>> = {
  builds: { rows: builds },
  bare: { rows: bare, warmUp: '20' },
  growth: { rows: growth, sizes: '1000,10000000' },
  statistics: { rows: statistics, sizes: '10000,10000000' },
  outbox: { rows: outbox, sizes: '0,1000000' },
  workers: { rows: workers, warmUp: '10' },
  'calm-caller': { rows: calmCaller, seconds: '8', warmUp: '1' },
};

endOnSignals();
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '' },
    databases: { type: 'string', default: 'sqlite,mariadb' },
    rounds: { type: 'string', default: '15' },
    'warm-up': { type: 'string' },
    seconds: { type: 'string' },
    connections: { type: 'string', default: '8' },
    sizes: { type: 'string' },
    workers: { type: 'string', default: '2' },
    before: { type: 'string' },
    folder: { type: 'string' },
    profiles: { type: 'string' },
  },
});
const [name = ''] = positionals;
const group = groups[name];
if (group === undefined) throw new Error(`name a group: ${Object.keys(groups).join(', ')}`);
const [rounds, warmUp] = [whole('rounds', values.rounds), whole('warm-up', values['warm-up'] ?? group.warmUp ?? '3')];
const [small = 0, large = 0] = (values.sizes ?? group.sizes ?? '').split(',').map(Number);
const options: Options = {
  ...{ before: values.before, workers: values.workers, profiles: values.profiles, sizes: [small, large] },
  rounds: rounds + warmUp,
  seconds: Number(values.seconds ?? group.seconds ?? 0.5),
  connections: whole('connections', values.connections),
};
// Large sites are kept.
const kept = values.folder ?? (name === 'growth' ? join(homedir(), '.cache/hcd-bench') : undefined);
const folder = kept ?? (await mkdtemp(join(tmpdir(), 'hcd-bench-')));
const print = (...cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);
try {
  print(name, 'database', 'times', 'half of the rounds', 'cost', 'of the other');
  print(...Array.from({ length: 6 }, () => '---'));
  for (const database of values.databases.split(',')) await measure(group, toDatabase(database));
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
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const side of orderOfRound(['own', 'other'] as const, round)) {
      const cost = await row[side]();
      if (round >= 0) costs[side].push(cost);
    }
  }
  return costs;
}

function chosen(rows: readonly Row[]): readonly Row[] {
  const names = values.rows.split(',').filter(Boolean);
  const unknown = names.find((one) => !rows.some((row) => row.name.startsWith(one)));
  if (unknown !== undefined)
    throw new Error(`no row begins with ${unknown}: ${rows.map((row) => row.name).join(', ')}`);
  return names.length === 0 ? rows : rows.filter((row) => names.some((one) => row.name.startsWith(one)));
}

function shown(costs: readonly number[]): string {
  const cost = quarterOf(costs, 1);
  return cost < 10_000 ? `${cost.toFixed(0)} µs` : `${(cost / 1000).toFixed(0)} ms`;
}

function whole(flag: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new Error(`--${flag} must be a whole number`);
  return value;
}

function toDatabase(text: string): DatabaseName {
  if (text !== 'sqlite' && text !== 'mariadb') throw new Error(`--databases takes sqlite and mariadb, not ${text}`);
  return text;
}
