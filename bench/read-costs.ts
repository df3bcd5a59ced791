/**
 * `npm run bench:read-costs`: what an option adds to the answer that it changes, by the processor time of the server and its
 * database, both in turn on one site whose contents have links and files: typed values, links, addresses and trees.
 */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openStore } from '../src/store/open/open.js';
import { endOnSignals } from './children.js';
import { orderOfRound, ratiosOf } from './figures.js';
import { pinTo } from './find-program.js';
import { prefix, provideSite } from './generate.js';
import { bestClient, load } from './load.js';
import { canStartMariadb, startBenchMariadb } from './mariadb-server.js';
import { readOptions } from './options.js';
import { cpuOf, type ServerProcess, startServerProcess } from './processes.js';
import { basePath, fetchBytes, rootSecret, siteSettings } from './record.js';
import { fullParents } from './site-shape.js';

const program = join(dirname(fileURLToPath(import.meta.url)), '../../bin/hcd');
// Few connections: on a busy machine 32 would make trees on MariaDB wait for so long that they are refused.
const defaults = ['--rows=1300', '--rounds=15', '--seconds=1', '--connections=8'];
const options = readOptions([...defaults, ...process.argv.slice(2)], bestClient());
const [count = 1300] = options.rows;
const folder = join(options.folder, 'read-costs');

interface Comparison {
  readonly title: string;
  readonly without: readonly string[];
  readonly with: readonly string[];
  /** The second may cost so many times the first. */
  readonly bound: number;
  /** Answers and links are kept as usual, but for two seconds only, in which no address of a side comes twice. */
  readonly isUsual?: true;
}

const lists = (more: string, parents = 16) =>
  fullParents(count, parents).map((parent) => `${basePath}/resources?filter[parent]=${parent}&sort=menuindex${more}`);
const manyLists = (more: string) =>
  Array.from({ length: 80 }, (_, index) => lists(`&limit=${20 + index}${more}`, 64)).flat();

const comparisons: readonly Comparison[] = [
  { title: 'typed values', without: lists('&include=tvs'), with: lists('&include=tvs&tv_format=typed'), bound: 1.1 },
  ...[
    { title: 'resolved links', more: '&links=resolve', bound: 1.1 },
    { title: 'absolute addresses', more: '&urls=absolute', bound: 1.1 },
    { title: 'resolved links and absolute addresses', more: '&links=resolve&urls=absolute', bound: 1.2 },
  ].map(({ title, more, bound }) => ({
    ...{ title, bound, isUsual: true as const },
    without: manyLists(''),
    with: manyLists(more),
  })),
  {
    title: 'tree of about 1,000 against a list of 100',
    without: [`${basePath}/resources?limit=100`],
    with: [`${basePath}/tree?hidden=1`],
    bound: 3,
  },
];

endOnSignals();
await mkdir(folder, { recursive: true });
print('| database | option | with / without | least and most of the rounds | KB without | KB with | bound |');
print('| --- | --- | --- | --- | --- | --- | --- |');
for (const database of options.databases) {
  if (database === 'mariadb' && !canStartMariadb()) continue;
  const databaseServer =
    database === 'mariadb' ? await startBenchMariadb(join(folder, 'mariadb'), pinTo(1)) : undefined;
  try {
    const serverUrl = databaseServer?.url ?? '';
    const site = { database, count, folder, serverUrl, say: (text: string) => void process.stderr.write(`${text}\n`) };
    const databaseUrl = await provideSite(site);
    await addLinks(databaseUrl);
    for (const comparison of comparisons) {
      // One for both sides: two processes with the same code differ by up to 5 %.
      const server = await startServerProcess({
        command: [...pinTo(0), process.execPath, program, 'serve', 'gateway', '--port', '0'],
        env: {
          ...{ NODE_ENV: 'production', HCD_DATABASE_URL: databaseUrl, HCD_SECRET: rootSecret, ...siteSettings },
          ...(comparison.isUsual === true ? { HCD_GATEWAY_CACHE_TTL: '2' } : { HCD_GATEWAY_CACHE_ENABLED: '0' }),
        },
        ...{ cwd: folder, logFile: join(folder, 'server.log') },
      });
      try {
        print(`| ${[database, ...(await compare(comparison, server, databaseServer?.pid))].join(' | ')} |`);
      } finally {
        await server.stop();
      }
    }
  } finally {
    await databaseServer?.stop();
  }
}

interface Side {
  readonly paths: readonly string[];
  readonly costs: number[];
  at: number;
}

/** The cells of a comparison in the table. */
async function compare(
  { title, bound, ...asked }: Comparison,
  server: ServerProcess,
  databasePid: number | undefined,
): Promise<readonly string[]> {
  const computed = () =>
    (server.cpuSeconds() ?? Number.NaN) + (databasePid === undefined ? 0 : (cpuOf(databasePid) ?? Number.NaN));
  const costOf = async (side: Side, seconds: number) => {
    // It goes on where it ended: the last answers may be kept.
    const paths = [...side.paths.slice(side.at), ...side.paths.slice(0, side.at)];
    const before = computed();
    const { answers, bad } = await load({ ...options, folder, port: server.port, paths, seconds });
    if (bad > 0) throw new Error(`${bad} answers to ${paths[0]} were not good: the logs in ${folder} say why`);
    side.at = (side.at + answers) % paths.length;
    return (computed() - before) / answers;
  };
  const without: Side = { paths: asked.without, costs: [], at: 0 };
  const more: Side = { paths: asked.with, costs: [], at: 0 };
  for (const side of [without, more]) await costOf(side, options.warmUp);
  for (let round = 0; round < options.rounds; round += 1)
    for (const side of orderOfRound([without, more], round)) side.costs.push(await costOf(side, options.seconds));
  const { median, least, most } = ratiosOf(more.costs, without.costs);
  const sizes = await Promise.all(
    [without, more].map(async ({ paths }) => kilobytes(await fetchBytes(server.port, paths[0] ?? ''))),
  );
  const kept = `${bound}${median <= bound ? '' : ', missed'}`;
  return [title, median.toFixed(2), `${least.toFixed(2)} to ${most.toFixed(2)}`, ...sizes, kept];
}

/** The site gets an address, each content a link, a file and an image, and template variables get types; a second run changes nothing. */
async function addLinks(databaseUrl: string): Promise<void> {
  const store = await openStore({ databaseUrl, prefix });
  const added = `'<p><a href="[[~', id % 900 + 1, ']]">One</a> <a href="assets/files/', id, '.pdf">file</a> <img src="assets/', id, '.jpg"></p>'`;
  const statements = [
    `INSERT INTO ${prefix}system_settings (\`key\`, value) SELECT 'site_url', 'https://www.example.org/' WHERE NOT EXISTS (SELECT 1 FROM ${prefix}system_settings WHERE \`key\` = 'site_url')`,
    `UPDATE ${prefix}site_content SET content = CONCAT(content, ${added}) WHERE content NOT LIKE '%[[~%'`,
    `UPDATE ${prefix}site_tmplvars SET type = CASE id % 3 WHEN 0 THEN 'image' WHEN 1 THEN 'number' ELSE 'listbox-multiple' END`,
    `UPDATE ${prefix}site_tmplvar_contentvalues SET value = CASE tmplvarid % 3 WHEN 0 THEN 'assets/one.jpg' WHEN 1 THEN '12.5' ELSE 'one||two||three' END`,
  ];
  try {
    await store.content.write(async (tx) => {
      for (const sql of statements) await tx.run({ sql, params: [] });
    });
  } finally {
    await store.close();
  }
}

function kilobytes({ length }: Buffer): string {
  return (length / 1000).toFixed(1);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
