/** What webhooks cost: a change with ten subscriptions against one with none, and deliveries among many finished ones. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openStore } from '../../src/store/open/open.js';
import { webhookSealer } from '../../src/webhooks/administration/secrets.js';
import { insertSubscription } from '../../src/webhooks/models/subscriptions.js';
import { load, type Question } from '../load.js';
import { once, openSampleSite, type Place, type Row, roundOf, startHcd } from '../place.js';
import { rowsNamed } from '../sample-rows.js';
import { cpuOf, pause, type ServerProcess } from '../servers.js';
import { openMariadbLoader } from '../site/bulk-mariadb.js';
import { openSqliteLoader } from '../site/bulk-sqlite.js';
import { prefix, rootSecret } from '../site/generate.js';
import { targetOf } from './builds.js';

const subscriptions = 10;
/** Changes in a second of a round of deliveries. */
const changesOfSecond = 200;

interface Side {
  readonly server: ServerProcess;
  readonly worker: ServerProcess;
  question(turn: number): Question;
  /** Deliveries that arrived. */
  received(): number;
}

export function outbox(place: Place): readonly Row[] {
  const [, finished] = place.options.sizes;
  const none = once(() => openSide(place, { name: 'none', receivers: 0, finished: 0 }));
  const ten = once(() => openSide(place, { name: 'ten', receivers: subscriptions, finished: 0 }));
  const full = once(() => openSide(place, { name: 'full', receivers: subscriptions, finished }));
  return [
    {
      name: 'PATCH with ten subscriptions, against none',
      own: roundOf(place, ten, { connections: 1 }),
      other: roundOf(place, none, { connections: 1 }),
    },
    {
      name: `delivery among ${finished} finished ones, against none`,
      own: async () => deliver(place, await full()),
      other: async () => deliver(place, await ten()),
    },
  ];
}

async function openSide(
  place: Place,
  { name, receivers, finished }: { readonly name: string; readonly receivers: number; readonly finished: number },
): Promise<Side> {
  const site = await openSampleSite(place, `outbox_${name}`);
  const { databaseUrl } = site;
  let received = 0;
  const receiver = createServer((asked, answer) => {
    received += 1;
    asked.resume().once('end', () => answer.writeHead(204).end());
  });
  await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready));
  place.atEnd(async () => void receiver.close());
  const { port } = receiver.address() as AddressInfo;
  await subscribe(databaseUrl, { receivers, origin: `http://127.0.0.1:${port}` });
  await addFinished(databaseUrl, finished);
  const server = once(() => startHcd(place, { name: `outbox-${name}`, databaseUrl }));
  // It says nothing when it begins.
  const worker = await startHcd(place, { name: `worker-${name}`, databaseUrl, words: ['worker'], ready: /^/ });
  const [patch] = rowsNamed('PATCH');
  if (patch === undefined) throw new Error('there is no row PATCH');
  const target = await targetOf(patch, { site: async () => site, plain: server, keeping: server });
  return { ...target, worker, received: () => received };
}

/** As `hcd webhook add` does it, at once. */
async function subscribe(
  databaseUrl: string,
  { receivers, origin }: { readonly receivers: number; readonly origin: string },
): Promise<void> {
  const store = await openStore({ databaseUrl, prefix });
  const secret = webhookSealer(rootSecret).seal('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq=');
  const row = { name: null, events: ['*'], active: true, createdBy: 'bench', secret };
  await store.own.write(async (tx) => {
    for (let at = 0; at < receivers; at += 1) await insertSubscription(tx, { ...row, url: `${origin}/${at}` });
  });
  await store.close();
}

/** Processor time of the worker, and of MariaDB, for a delivery. */
async function deliver({ databasePid, options }: Place, { server, worker, question, received }: Side): Promise<number> {
  const computed = () => worker.cpuSeconds() + (databasePid === undefined ? 0 : cpuOf(databasePid));
  const [before, first, changes] = [computed(), received(), Math.ceil(changesOfSecond * options.seconds)];
  await load({ port: server.port, connections: 1, requests: changes, question: (turn) => question(turn + first) });
  const wanted = first + changes * subscriptions;
  while (received() < wanted) {
    worker.checkRunning();
    await pause(20);
  }
  return ((computed() - before) / (changes * subscriptions)) * 1e6;
}

const columns = [
  ...['subscription_id', 'event_id', 'event', 'revision', 'body', 'url', 'secrets', 'status', 'visible_at'],
  ...['attempts', 'last_status', 'created_on'],
];

/** Finished deliveries of the first subscription, of just now: older ones would be removed. */
async function addFinished(databaseUrl: string, count: number): Promise<void> {
  if (count === 0) return;
  const loader = databaseUrl.startsWith('sqlite:')
    ? openSqliteLoader(databaseUrl.slice('sqlite:'.length), '')
    : await openMariadbLoader(databaseUrl, '');
  await loader.fill({ name: 'hcd_webhook_deliveries', columns, rows: finishedRows(count) });
  await loader.analyze();
  await loader.close();
}

function* finishedRows(count: number): Generator<readonly (string | number)[]> {
  const [body, now] = ['x'.repeat(350), Date.now()];
  for (let at = 1; at <= count; at += 1) {
    const id = at.toString(16).padStart(32, '0');
    yield [1, id, 'resources.updated', at, body, 'http://127.0.0.1/hook', 'v1.secret', 'delivered', now, 1, 200, now];
  }
}
