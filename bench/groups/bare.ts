/** The program against a bare one: reads against their statements, kept answers against their bytes, short commands against Node.js. */
import { randomUUID } from 'node:crypto';
import { ask } from '../load.js';
import {
  checkout,
  once,
  openSampleSite,
  type Place,
  type Row,
  roundOf,
  runHcd,
  startBare,
  startHcd,
  uncached,
} from '../place.js';
import { basePath, openRecorder, recordWrites, siteSettings } from '../record.js';
import { type Asked, rowsNamed } from '../sample-rows.js';
import { chooseScenarios, type Scenario } from '../scenarios.js';
import type { ServerProcess } from '../servers.js';
import { openFreshSite, provideSite } from '../site/generate.js';
import { targetOf } from './builds.js';
import { commandCost, commands } from './commands.js';

const count = 1000;
/** Of a round. */
const writes = 100;

export function bare(place: Place): readonly Row[] {
  const site = once(() => provideSite({ ...place, count }));
  return [
    ...[...reads(place, site), ...keptAnswers(place, site), newResource(place)],
    ...[...sampleAnswers(place), ...shortCommands(place)],
  ];
}

/** Nothing is kept; the other side runs the statements through the bare driver and sends the rows as JSON. */
function reads(place: Place, site: () => Promise<string>): Row[] {
  const server = once(async () =>
    startHcd(place, { name: 'plain', databaseUrl: await site(), env: { ...siteSettings, ...uncached } }),
  );
  const recorder = once(async () => {
    const opened = await openRecorder(await site());
    place.atEnd(opened.close);
    return opened;
  });
  return chooseScenarios(['children', 'default', 'read', 'page']).map((scenario) => {
    const variants = once(async () => {
      return (await recorder()).record(scenario, count);
    });
    const question = async () => {
      const paths = (await variants()).map(({ path }) => path);
      return (turn: number) => ({ path: paths[turn % paths.length] ?? '' });
    };
    return {
      name: scenario.title,
      own: roundOf(place, async () => ({ server: await server(), question: await question() })),
      other: roundOf(place, async () => {
        const answers = (await variants()).map(({ path, again }) => ({ path, statements: again }));
        const told = { databaseUrl: await site(), answers };
        return { server: await startBare(place, `driver-${scenario.name}`, told), question: await question() };
      }),
    };
  });
}

/** The other side sends the same bytes, or a bare 304. */
function keptAnswers(place: Place, site: () => Promise<string>): Row[] {
  const server = once(async () => startHcd(place, { name: 'keeping', databaseUrl: await site() }));
  const key = once(async () => keyOf(place, await site(), 'resources.read'));
  return chooseScenarios(['page', 'children']).flatMap((scenario) => {
    const path = pathOf(scenario);
    const answer = once(async () => ask((await server()).port, { path }));
    const bareServer = once(async () => {
      const answers = [{ path, body: (await answer()).body.toString('base64') }];
      return startBare(place, `bytes-${scenario.name}`, { answers });
    });
    const row = (name: string, headersOf: () => Promise<Readonly<Record<string, string>>>): Row => {
      const open = async (side: () => Promise<ServerProcess>) => {
        const headers = await headersOf();
        return { server: await side(), question: () => ({ path, headers }) };
      };
      return {
        name: `${name}: ${scenario.title}`,
        own: roundOf(place, () => open(server)),
        other: roundOf(place, () => open(bareServer)),
      };
    };
    return [
      row('kept', async () => ({})),
      row('unchanged (304)', async () => ({ 'if-none-match': (await answer()).headers.etag ?? '' })),
      row('kept to a key', async () => ({ authorization: `Bearer ${await key()}` })),
    ];
  });
}

function pathOf(scenario: Scenario): string {
  return basePath + (scenario.paths(count)[0] ?? '');
}

/** One writer; the other side runs the same transactions through the bare driver and commits each to disk. */
function newResource(place: Place): Row {
  const question = (key: string) => () => ({
    ...{ method: 'POST', path: `${basePath}/resources` },
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ pagetitle: `Measured ${randomUUID()}`, content: '<p>Some text of a page.</p>'.repeat(40) }),
  });
  const asking = { connections: 1, requests: writes };
  return {
    name: 'POST of one writer',
    own: roundOf(
      place,
      async () => {
        const databaseUrl = await openFreshSite({ ...place, name: 'writes_served' });
        const server = await startHcd(place, { name: 'writes', databaseUrl });
        return { server, question: question(await keyOf(place, databaseUrl, 'resources.create')) };
      },
      asking,
    ),
    other: roundOf(
      place,
      async () => {
        const recorded = await openFreshSite({ ...place, name: 'writes_recorded' });
        const asked = question(await keyOf(place, recorded, 'resources.create'));
        const requests = writes * place.options.rounds;
        const transactions = await recordWrites({ databaseUrl: recorded, requests, question: asked });
        const databaseUrl = await openFreshSite({ ...place, name: 'writes_bare' });
        return { server: await startBare(place, 'writes-bare', { databaseUrl, transactions }), question: asked };
      },
      asking,
    ),
  };
}

/** Headers that the bare server sends too. */
const sentToo = ['content-type', 'location', 'set-cookie', 'cache-control'];

/** Clicks, pixels and slots of the sample site; the other side answers the same and records nothing. */
function sampleAnswers(place: Place): Row[] {
  const site = once(() => openSampleSite(place, 'sample'));
  const server = once(async () => startHcd(place, { name: 'sample', databaseUrl: (await site()).databaseUrl }));
  const names = ['slot', 'click of one visitor', 'click of new visitors', 'pixel of new visitors', 'page as HTML'];
  return rowsNamed(...names).map((row) => {
    const open = () => targetOf(row, { site, plain: server, keeping: server });
    return {
      name: row.name,
      own: roundOf(place, open, row),
      other: roundOf(
        place,
        async () => {
          const { question } = await open();
          const asked: Asked = { ...(await site()), tag: '' };
          const first = row.question(asked, 0);
          const { status, headers, body } = await ask((await server()).port, first);
          const sent = Object.entries(headers).filter(([name]) => sentToo.includes(name));
          const answer = { status, headers: Object.fromEntries(sent), body: body.toString('base64') };
          const answers = [{ path: first.path, ...answer }];
          return { server: await startBare(place, `same-${row.name.replaceAll(' ', '-')}`, { answers }), question };
        },
        row,
      ),
    };
  });
}

function shortCommands(place: Place): Row[] {
  const site = once(() => openFreshSite({ ...place, name: 'commands' }));
  return commands.map((words) => ({
    name: `hcd ${words.join(' ')}`,
    own: async () => commandCost(place, { words, program: checkout, databaseUrl: await site() }),
    other: async () => commandCost(place, { words: ['-e', '0'] }),
  }));
}

async function keyOf(place: Place, databaseUrl: string, scopes: string): Promise<string> {
  const words = ['key', 'create', '--name', 'bench', '--scopes', scopes, '--json'];
  return JSON.parse(await runHcd(place, { databaseUrl, words })).data.key;
}
