/** An outbox for tests: a migrated store, subscriptions and events in it, and workers whose time the test moves. */
import { onTestFinished } from 'vitest';
import { makeSealer, type Sealer } from '../../src/crypto/seal.js';
import type { Observation } from '../../src/log/observation.js';
import type { Database } from '../../src/store/base/database.js';
import type { Store } from '../../src/store/open/open.js';
import { readNow } from '../../src/store/state/state.js';
import { makeOutboundPolicy } from '../../src/webhooks/addresses/outbound-policy.js';
import type { OutboundRequest, SendOutcome } from '../../src/webhooks/client/outbound.js';
import { insertSubscription } from '../../src/webhooks/models/subscriptions.js';
import { enqueue } from '../../src/webhooks/queue/enqueue.js';
import type { EventFacts } from '../../src/webhooks/rules/events.js';
import { runWorker, type WorkerOptions, type WorkerReport } from '../../src/webhooks/worker/worker.js';
import { type FakeClock, fakeClock } from '../support/clock.js';
import type { TestDatabase } from '../support/databases.js';
import { openMigrated } from '../support/migrate.js';
import { everyAttempt } from './every-attempt.js';

export type Send = (request: OutboundRequest) => Promise<SendOutcome>;

export interface Outbox {
  readonly databaseUrl: string;
  readonly store: Store;
  /** The own database as the workers have it: `pass` waits for its open calls, also through another object. */
  readonly own: Database;
  readonly sealer: Sealer;
  /** Starts at the time of the database and stands still; decides what is due. */
  readonly clock: FakeClock;
  readonly log: readonly Observation[];
  /** Adds a subscription and gives its id. */
  subscribe(
    subscription?: Partial<{ url: string; events: readonly string[]; secret: string; active: boolean }>,
  ): Promise<number>;
  /** Queues so many events about resources. */
  raise(count?: number, facts?: Partial<EventFacts>): Promise<void>;
  /** Runs a worker until nothing is due. */
  once(send: Send, options?: Partial<WorkerOptions>): Promise<WorkerReport>;
  options(send: Send, options?: Partial<WorkerOptions>): WorkerOptions;
  /**
   * Lets time pass, no faster than the database works: what the workers have begun at a time ends before time goes on.
   */
  pass(ms: number): Promise<void>;
  /** Values of columns of the deliveries in order of their id. */
  deliveries(columns: string): Promise<Record<string, unknown>[]>;
  /** Values of columns of the attempts, those of one delivery together, the oldest first. */
  attempts(columns: string): Promise<Record<string, unknown>[]>;
  /** Values of columns of any table, in order of the id. */
  rows(table: string, columns: string): Promise<Record<string, unknown>[]>;
  run(sql: string): Promise<void>;
}

/** Less than anything that a worker waits for when others have claimed or the database is away. */
const timeStepMs = 250;
/** Turns of the event loop without a question to the database after which none follows at this time. */
const quietTurns = 50;

export const plainSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq=';

export async function openOutbox(database: TestDatabase): Promise<Outbox> {
  const databaseUrl = await database.url();
  const store = await openMigrated({ databaseUrl, prefix: 'modx_' });
  onTestFinished(() => store.close());
  const sealer = makeSealer({ rootSecret: 'a root secret for tests', purpose: 'webhook secrets' });
  // Ahead by more than a test takes, so that whatever the database queues in it is due, however slow the machine.
  const clock = fakeClock((await readNow(store.own.primary)) + 120_000);
  const log: Observation[] = [];
  const watched = watch(store.own);
  const select = async (columns: string, from: string) => {
    const names = columns.split(', ');
    const list = names.map((name) => `\`${name}\``).join(', ');
    const found = await store.own.primary.select({ sql: `SELECT ${list} FROM ${from}`, params: [] });
    return found.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
  };
  const rows: Outbox['rows'] = (table, columns) => select(columns, `\`${table}\` ORDER BY \`id\``);
  const options: Outbox['options'] = (send, given) => ({
    own: watched.own,
    clock,
    log: (fact) => log.push(fact),
    sealer,
    send,
    policy: () => makeOutboundPolicy({ allowPrivate: true }),
    settings: () => settings,
    random: () => 0.5,
    name: 'test worker',
    signals: { stop: new AbortController().signal, end: new AbortController().signal },
    once: true,
    limit: null,
    intervalMs: 1000,
    time: () => String(clock.now()),
    ...given,
  });
  return {
    databaseUrl,
    store,
    own: watched.own,
    sealer,
    clock,
    log,
    subscribe: (given = {}) =>
      store.own.write((tx) =>
        insertSubscription(tx, {
          name: null,
          url: 'http://127.0.0.1:9/hook',
          events: ['*'],
          active: true,
          createdBy: 'test',
          ...given,
          secret: sealer.seal(given.secret ?? plainSecret),
        }),
      ),
    async raise(count = 1, facts = {}) {
      await store.own.write(async (tx) => {
        for (let key = 1; key <= count; key += 1) await enqueue(tx, { ...resourceUpdated, key, ...facts });
      });
    },
    once: (send, given) => runWorker(options(send, given)),
    options,
    async pass(ms) {
      const end = clock.now() + ms;
      while (clock.now() < end) {
        await watched.quiet();
        await clock.advance(Math.min(timeStepMs, end - clock.now()));
      }
      await watched.quiet();
    },
    deliveries: (columns) => rows('hcd_webhook_deliveries', columns),
    attempts: (columns) => select(columns, `${everyAttempt} ORDER BY \`delivery_id\`, \`ended_on\`, \`number\``),
    rows,
    run: async (sql) => void (await store.own.write((tx) => tx.run({ sql, params: [] }))),
  };
}

export const settings = Object.freeze({
  gateway_webhook_max_attempts: 12,
  gateway_webhook_worker_limit: 100_000,
  gateway_webhook_keep_answers: true,
  gateway_webhook_concurrency: 16,
  gateway_webhook_disable_after_days: 5,
  gateway_webhook_retention_days: 30,
});

/** What the report of a worker says where no chore did anything of note. */
export const noChores = Object.freeze({ published: 0, withdrawn: 0, removed: 0, errors: 0 });

export const resourceUpdated: EventFacts = Object.freeze({
  object: 'resources',
  action: 'updated',
  key: 1,
  context: 'web',
  uri: 'about.html',
  parent: 7,
  revalidate: ['gateway:resources', 'gateway:resources:1'],
});

/** The same database, and when nothing is asked of it. */
function watch(own: Database): { readonly own: Database; quiet(): Promise<void> } {
  const underWay = new Set<Promise<unknown>>();
  const noted = <T>(work: Promise<T>): Promise<T> => {
    const ended: Promise<unknown> = work
      .catch(() => undefined)
      .finally(() => {
        underWay.delete(ended);
      });
    underWay.add(ended);
    return work;
  };
  const watched = Object.create(own) as Database;
  watched.write = (work, options) => noted(own.write(work, options));
  const primary: Database['primary'] = {
    dialect: own.dialect,
    select: (one) => noted(own.primary.select(one)),
    query: (table, work) => noted(own.primary.query(table, work)),
  };
  Object.defineProperty(watched, 'primary', { value: primary });
  return {
    own: watched,
    async quiet() {
      for (let turns = 0; turns < quietTurns; turns += 1) {
        if (underWay.size > 0) turns = 0;
        await Promise.all(underWay);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

/** An answer with this status. */
export function answer(status: number, retryAfter: string | null = null): SendOutcome {
  return { kind: 'answered', status, retryAfter, bodyStart: '' };
}
