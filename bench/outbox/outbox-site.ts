/** Fresh migrated sites for the figures of the outbox: subscriptions at one receiver, queued events, finished rows. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import mariadb from 'mariadb';
import { migrationRun } from '../../commands/open-store.js';
import { migrateUp } from '../../src/store/migrations/migrate.js';
import { openStore, type Store } from '../../src/store/open/open.js';
import { webhookSealer } from '../../src/webhooks/administration/secrets.js';
import { insertSubscription } from '../../src/webhooks/models/subscriptions.js';
import { enqueue } from '../../src/webhooks/queue/enqueue.js';
import type { EventFacts } from '../../src/webhooks/rules/events.js';
import { openMariadbLoader } from '../bulk-mariadb.js';
import { openSqliteLoader } from '../bulk-sqlite.js';
import { type DatabaseName, prefix } from '../generate.js';

export interface OutboxSiteRequest {
  readonly database: DatabaseName;
  /** Of the private server, for MariaDB. */
  readonly serverUrl: string;
  readonly folder: string;
  readonly name: string;
}

export interface OutboxSite {
  readonly databaseUrl: string;
  readonly store: Store;
}

export const rootSecret = 'a root secret for the bench';

/** Throws away what an earlier run left under the name. */
export async function openOutboxSite({ database, serverUrl, folder, name }: OutboxSiteRequest): Promise<OutboxSite> {
  const path = join(folder, `${name}.sqlite`);
  const databaseUrl = database === 'sqlite' ? `sqlite:${path}` : `${serverUrl}/${name}`;
  if (database === 'sqlite') for (const rest of ['', '-wal', '-shm']) await rm(`${path}${rest}`, { force: true });
  else await recreate(serverUrl, name);
  const fresh = await openStore({ databaseUrl, prefix });
  await migrateUp(migrationRun(fresh));
  await fresh.close();
  return { databaseUrl, store: await openStore({ databaseUrl, prefix }) };
}

async function recreate(serverUrl: string, name: string): Promise<void> {
  const { hostname, port, username } = new URL(serverUrl);
  const connection = await mariadb.createConnection({ host: hostname, port: Number(port), user: username });
  await connection.query(`DROP DATABASE IF EXISTS \`${name}\``);
  await connection.query(`CREATE DATABASE \`${name}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
  await connection.end();
}

export interface SubscriptionsRequest {
  readonly count: number;
  readonly origin: string;
}

export async function subscribe({ store }: OutboxSite, { count, origin }: SubscriptionsRequest): Promise<void> {
  const secret = webhookSealer(rootSecret).seal('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq=');
  await store.own.write(async (tx) => {
    for (let at = 0; at < count; at += 1) {
      const row = { name: null, url: `${origin}/hook/${at}`, events: ['*'], active: true, createdBy: 'bench', secret };
      await insertSubscription(tx, row);
    }
  });
}

export const changed: EventFacts = {
  ...{ object: 'resources', action: 'updated', key: 42, context: 'web', uri: 'products/lamps.html', parent: 7 },
  revalidate: ['gateway:resources', 'gateway:resources:42', 'gateway:uri:products/lamps.html', 'gateway:context:web'],
};

/** Queues so many events for all subscriptions. */
export async function raise({ store }: OutboxSite, count: number): Promise<void> {
  await store.own.write(async (tx) => {
    for (let key = 1; key <= count; key += 1) await enqueue(tx, { ...changed, key });
  });
}

/** Adds finished deliveries of the first subscription. */
export async function addFinished(site: OutboxSite, count: number): Promise<void> {
  const { databaseUrl } = site;
  const isSqlite = databaseUrl.startsWith('sqlite:');
  const loader = isSqlite
    ? openSqliteLoader(databaseUrl.slice('sqlite:'.length), '')
    : await openMariadbLoader(databaseUrl, '');
  try {
    await loader.fill({ name: 'hcd_webhook_deliveries', columns, rows: finishedRows(count) });
    await loader.analyze();
  } finally {
    await loader.close();
  }
}

const columns = [
  ...['subscription_id', 'event_id', 'event', 'revision', 'body', 'url', 'secrets', 'status', 'visible_at'],
  ...['attempts', 'last_status', 'created_on'],
];

function* finishedRows(count: number): Generator<readonly (string | number)[]> {
  const body = 'x'.repeat(350);
  for (let at = 1; at <= count; at += 1) {
    const id = at.toString(16).padStart(32, '0');
    yield [1, id, 'resources.updated', at, body, 'http://127.0.0.1/hook', 'v1.secret', 'delivered', at, 1, 200, at];
  }
}
