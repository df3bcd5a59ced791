/** The command line of the bench. */
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { DatabaseName } from './generate.js';

export interface BenchOptions {
  readonly rows: readonly number[];
  readonly databases: readonly DatabaseName[];
  readonly rounds: number;
  readonly seconds: number;
  /** Seconds of load for each target before the rounds: until then engines interpret much of what answers it. */
  readonly warmUp: number;
  readonly connections: number;
  /** Names of scenarios; empty means all. */
  readonly scenarios: readonly string[];
  /** Load with wrk where it is installed. */
  readonly client: 'wrk' | 'node';
  /** Whether servers are kept on one core; only the bench of tracking asks. */
  readonly isPinned: boolean;
  /** Folder of generated sites. */
  readonly folder: string;
  /** Folder that gets the JSON file and the table. */
  readonly out: string;
}

const databaseNames: readonly DatabaseName[] = ['sqlite', 'mariadb'];

/** Reads the arguments; throws an Error that names the wrong one. */
export function readOptions(argv: readonly string[], defaultClient: 'wrk' | 'node'): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    strict: true,
    options: {
      rows: { type: 'string', default: '1000,100000,1000000' },
      databases: { type: 'string', default: 'sqlite,mariadb' },
      rounds: { type: 'string', default: '7' },
      seconds: { type: 'string', default: '2' },
      'warm-up': { type: 'string', default: '10' },
      connections: { type: 'string', default: '32' },
      scenarios: { type: 'string', default: '' },
      client: { type: 'string', default: defaultClient },
      unpinned: { type: 'boolean', default: false },
      folder: { type: 'string', default: process.env['BENCH_DIR'] ?? join(tmpdir(), 'hcd-bench') },
      out: { type: 'string', default: '' },
    },
  });
  const { client } = values;
  if (client !== 'wrk' && client !== 'node') throw new Error('--client must be wrk or node');
  return {
    rows: list(values.rows).map((text) => whole({ name: 'rows', text, least: 500 })),
    databases: list(values.databases).map(toDatabase),
    rounds: whole({ name: 'rounds', text: values.rounds, least: 1 }),
    seconds: whole({ name: 'seconds', text: values.seconds, least: 1 }),
    warmUp: whole({ name: 'warm-up', text: values['warm-up'], least: 1 }),
    connections: whole({ name: 'connections', text: values.connections, least: 1 }),
    scenarios: list(values.scenarios),
    client,
    isPinned: !values.unpinned,
    folder: values.folder,
    out: values.out === '' ? join(values.folder, 'results') : values.out,
  };
}

/** As `readOptions`; large sites are kept where a restart of the system does not remove them. */
export function growthOptions(argv: readonly string[], defaultClient: 'wrk' | 'node'): BenchOptions {
  const defaults = [
    `--rows=1000,10000000`,
    // The sites have a server each, of the same age.
    '--warm-up=1',
    `--folder=${process.env['BENCH_DIR'] ?? join(homedir(), '.cache/hcd-bench')}`,
  ];
  return readOptions([...defaults, ...argv], defaultClient);
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function whole({
  name,
  text,
  least,
}: {
  readonly name: string;
  readonly text: string;
  readonly least: number;
}): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least)
    throw new Error(`--${name} must be a whole number of at least ${least}`);
  return value;
}

function toDatabase(text: string): DatabaseName {
  const name = databaseNames.find((known) => known === text);
  if (name === undefined) throw new Error(`--databases takes ${databaseNames.join(' and ')}, not ${text}`);
  return name;
}
