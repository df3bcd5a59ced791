/** This build against another one on the sample site: what users feel, and starts. */
import { ask, load } from '../load.js';
import {
  checkout,
  once,
  openSampleSite,
  type Place,
  type Row,
  roundOf,
  type SampleSite,
  startHcd,
  type Target,
  uncached,
} from '../place.js';
import { keptList, type SampleRow, sampleRows } from '../sample-rows.js';
import type { ServerProcess } from '../servers.js';
import { commandCost, commands } from './commands.js';

interface Build {
  readonly name: string;
  readonly program: string;
  /** The site is made when the first row is measured. */
  site(): Promise<SampleSite>;
  plain(): Promise<ServerProcess>;
  keeping(): Promise<ServerProcess>;
}

export function builds(place: Place): readonly Row[] {
  const { before } = place.options;
  if (before === undefined) throw new Error('--before names the checkout of the other build, compiled');
  const [own, other] = [openBuild(place, 'after', checkout), openBuild(place, 'before', before)];
  const rows = sampleRows.map((row) => ({
    name: row.name,
    own: roundOf(place, () => targetOf(row, own), row),
    other: roundOf(place, () => targetOf(row, other), row),
  }));
  const short = commands.map((words) => ({
    name: `hcd ${words.join(' ')}`,
    own: () => commandOf(place, own, words),
    other: () => commandOf(place, other, words),
  }));
  const start = { name: 'start of a server', own: () => startOf(place, own), other: () => startOf(place, other) };
  return [...rows, ...short, start];
}

function openBuild(place: Place, name: string, program: string): Build {
  const site = once(() => openSampleSite(place, `sample_${name}`, program));
  const start = async (kind: string, env: Readonly<Record<string, string>>) =>
    startHcd(place, { name: `${name}-${kind}`, databaseUrl: (await site()).databaseUrl, program, env });
  return {
    name,
    program,
    site,
    plain: once(() => start('plain', uncached)),
    keeping: once(() => start('keeping', {})),
  };
}

export async function targetOf(
  { isKept, question }: SampleRow,
  build: Omit<Build, 'name' | 'program'>,
): Promise<Target> {
  const site = await build.site();
  const server = await (isKept ? build.keeping() : build.plain());
  const { headers } = await ask(server.port, { path: keptList });
  const asked = { ...site, tag: headers.etag ?? '' };
  return { server, question: (turn) => question(asked, turn) };
}

async function commandOf(place: Place, { program, site }: Build, words: readonly string[]): Promise<number> {
  return commandCost(place, { words, program, databaseUrl: (await site()).databaseUrl });
}

/** Processor time until the first answer. */
async function startOf(place: Place, { name, program, site }: Build): Promise<number> {
  const server = await startHcd(place, { name: `${name}-start`, databaseUrl: (await site()).databaseUrl, program });
  await load({ port: server.port, connections: 1, requests: 1, question: () => ({ path: keptList }) });
  const cost = server.cpuSeconds() * 1e6;
  await server.stop();
  return cost;
}
