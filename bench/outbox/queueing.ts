/** What ten subscriptions add to a change through the gateway, against the same change without a subscription. */
import { join } from 'node:path';
import type { Store } from '../../src/store/open/open.js';
import { ratiosOf, type Spread, spreadOf } from '../figures.js';
import { pinTo } from '../find-program.js';
import { makeKey } from '../make-key.js';
import { type ServerProcess, startServerProcess } from '../processes.js';
import { type OutboxSiteRequest, openOutboxSite, rootSecret, subscribe } from './outbox-site.js';

export interface QueueingRequest extends OutboxSiteRequest {
  /** Folder of the package. */
  readonly root: string;
  readonly rounds: number;
}

export interface QueueingFigures {
  /** Milliseconds of one PATCH, one after the other. */
  readonly none: Spread;
  readonly ten: Spread;
  readonly ratio: Spread;
}

const changesOfRound = 200;
/** Changes after which the deliveries are taken for received: a worker keeps the queue as short. */
const changesOfQueue = 20;

interface Side {
  readonly server: ServerProcess;
  readonly key: string;
  readonly store: Store;
}

export async function measureQueueing(request: QueueingRequest): Promise<QueueingFigures> {
  const sides: Side[] = [];
  const times = { none: [] as number[], ten: [] as number[] };
  try {
    const none = await startSide({ ...request, name: `${request.name}_none` }, 0);
    sides.push(none);
    const ten = await startSide({ ...request, name: `${request.name}_ten` }, 10);
    sides.push(ten);
    // What is loaded and prepared at the first changes is not part of the figures.
    await timeRound({ none, ten });
    for (let round = 0; round < request.rounds; round += 1) {
      const medians = await timeRound({ none, ten });
      times.none.push(medians.none);
      times.ten.push(medians.ten);
    }
  } finally {
    await Promise.all(sides.map(({ server }) => server.stop()));
    await Promise.all(sides.map(({ store }) => store.close()));
  }
  return { none: spreadOf(times.none), ten: spreadOf(times.ten), ratio: ratiosOf(times.ten, times.none) };
}

async function startSide(request: OutboxSiteRequest & { readonly root: string }, count: number): Promise<Side> {
  const { root, folder, name } = request;
  const site = await openOutboxSite(request);
  await subscribe(site, { count, origin: 'http://127.0.0.1:9' });
  const program = join(root, 'bin/hcd');
  const env = {
    ...{ HCD_DATABASE_URL: site.databaseUrl, HCD_SECRET: rootSecret, NODE_ENV: 'production' },
    HCD_GATEWAY_RATE_LIMIT_ENABLED: '0',
  };
  const key = makeKey({ program, folder, env, scopes: 'resources.create,resources.update' });
  const server = await startServerProcess({
    command: [...pinTo(0), process.execPath, program, 'serve', 'gateway', '--port', '0'],
    ...{ env, cwd: folder, logFile: join(folder, `${name}.log`) },
  });
  const side = { server, key, store: site.store };
  await send(side, { method: 'POST', path: '', body: { pagetitle: 'Measured' } });
  return side;
}

interface Change {
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly body: unknown;
}

/** What a worker does to the queue, at once. */
async function emptyQueue({ store }: Side): Promise<void> {
  await store.own.write((tx) =>
    tx.run({
      sql: "UPDATE `hcd_webhook_deliveries` SET `status` = 'delivered' WHERE `status` = 'pending'",
      params: [],
    }),
  );
}

async function send({ server, key }: Side, { method, path, body }: Change): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/resources${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} was answered with ${answer.status}: ${text}`);
}

let change = 0;

/** Median milliseconds of a change on each side: in turn, so that a slow moment of the machine meets both. */
async function timeRound(sides: { readonly none: Side; readonly ten: Side }): Promise<{ none: number; ten: number }> {
  const taken = { none: [] as number[], ten: [] as number[] };
  for (let at = 0; at < changesOfRound; at += 1) {
    const order = at % 2 === 0 ? (['none', 'ten'] as const) : (['ten', 'none'] as const);
    for (const kind of order) {
      change += 1;
      const started = performance.now();
      await send(sides[kind], { method: 'PATCH', path: '/1', body: { introtext: `Text ${change}` } });
      taken[kind].push(performance.now() - started);
    }
    if ((at + 1) % changesOfQueue === 0) await emptyQueue(sides.ten);
  }
  return { none: spreadOf(taken.none).median, ten: spreadOf(taken.ten).median };
}
