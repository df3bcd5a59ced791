/**
 * An outbox in which tests let real `hcd worker` processes work: subscriptions at a receiver on this machine that
 * remembers every copy, the rows of the deliveries, and a way to be done with leases without waiting for them.
 */
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { expect, onTestFinished } from 'vitest';
import type { Store } from '../../src/store/open/open.js';
import { readNow } from '../../src/store/state/state.js';
import { openWebhookSealer } from '../../src/webhooks/administration/secrets.js';
import { isOpen } from '../../src/webhooks/models/deliveries.js';
import { insertSubscription } from '../../src/webhooks/models/subscriptions.js';
import { enqueue } from '../../src/webhooks/queue/enqueue.js';
import { atFileEnd } from '../support/at-file-end.js';
import { type CliProcess, startCli } from '../support/cli.js';
import { openMigrated } from '../support/migrate.js';
import { expectSound } from '../support/sound-store.js';
import { makeTempDir } from '../support/temp-dir.js';
import { resourceUpdated } from '../webhooks/outbox-store.js';

export const isFull = process.env['HCD_FAULTS'] === 'full';

/** One request as the receiver got it. */
export interface Copy {
  readonly deliveryId: number;
  readonly eventId: string;
  /** SHA-256 of the body. */
  readonly hash: string;
}

export interface WorkerSite {
  readonly url: string;
  readonly store: Store;
  /** Starts `hcd worker` with these flags; what still runs at the end of the test is killed. */
  startWorker(flags?: string): CliProcess;
  /** Adds subscriptions to all events; gives their ids. */
  subscribe(urls: readonly string[]): Promise<number[]>;
  /** Queues so many events for every subscription. */
  raise(count: number): Promise<void>;
  /**
   * Queues events until each of the workers has delivered something, and waits for all of it: one that was started just
   * now does not hear signals yet. Gives how many events were queued.
   */
  allWork(workers: readonly CliProcess[]): Promise<number>;
  /** Columns of all deliveries in order of their id, as values or as the database gives them. */
  deliveries(columns: string): Promise<readonly (readonly unknown[])[]>;
  select(sql: string): Promise<readonly (readonly unknown[])[]>;
  /** Ids of the open deliveries that this process has claimed. */
  claimsOf(worker: Pick<CliProcess, 'pid'>): Promise<number[]>;
  /** Ends the leases of deliveries whose worker is dead or stands still. */
  endLeases(ids: readonly number[]): Promise<void>;
  /** Resolves when every lease is over by time. */
  leasesEnd(): Promise<void>;
  /** Resolves when no delivery is open. */
  allDone(limitMs?: number): Promise<void>;
}

export const rootSecret = 'a root secret for tests of the outbox';

/** Migrates the database; everything is closed and ended with the test. */
export async function openWorkerSite(url: string): Promise<WorkerSite> {
  const store = await openMigrated({ databaseUrl: url, prefix: 'modx_' });
  const workers: CliProcess[] = [];
  onTestFinished(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await Promise.all(workers.map(({ outcome }) => outcome));
    await store.close();
    await expectSound({ url, secret: rootSecret });
  });
  const cwd = await makeTempDir('worker-site');
  const env = { HCD_DATABASE_URL: url, HCD_SECRET: rootSecret, HCD_GATEWAY_WEBHOOK_ALLOW_PRIVATE_URLS: '1' };
  const sealer = await openWebhookSealer(store, rootSecret);
  const raise: WorkerSite['raise'] = async (count) => {
    await store.own.write(async (tx) => {
      for (let key = 1; key <= count; key += 1) await enqueue(tx, { ...resourceUpdated, key });
    });
  };
  const allDone: WorkerSite['allDone'] = async (limitMs = isFull ? 600_000 : 240_000) => {
    const open = `SELECT COUNT(*) FROM hcd_webhook_deliveries WHERE ${isOpen}`;
    await expect.poll(async () => Number((await select(open))[0]?.[0]), { timeout: limitMs, interval: 100 }).toBe(0);
  };
  const select: WorkerSite['select'] = (sql) => store.own.primary.select({ sql, params: [] });
  return {
    url,
    store,
    startWorker(flags = '') {
      const worker = startCli(`worker ${flags}`, { cwd, env });
      workers.push(worker);
      return worker;
    },
    subscribe: (urls) =>
      store.own.write(async (tx) => {
        const ids: number[] = [];
        for (const receiver of urls) {
          const secret = sealer.seal('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYq=');
          const row = { name: null, url: receiver, events: ['*'], active: true, createdBy: 'test', secret };
          ids.push(await insertSubscription(tx, row));
        }
        return ids;
      }),
    raise,
    async allWork(others) {
      let raised = 0;
      let isOver = false;
      const end = () => {
        isOver = true;
      };
      const idle = new Set(others.map(({ pid }) => pid));
      const all = Promise.all(
        others.map((worker) =>
          worker.waitForStderr('"message":"delivery delivered"').then(() => idle.delete(worker.pid)),
        ),
      );
      all.then(end, end);
      const deadline = performance.now() + 240_000;
      for (; !isOver; raised += 5) {
        if (performance.now() > deadline) throw new Error(`${[...idle]} of ${others.length} workers delivered nothing`);
        await raise(5);
        await allDone();
      }
      await all;
      return raised;
    },
    deliveries: (columns) => select(`SELECT ${columns} FROM hcd_webhook_deliveries ORDER BY id`),
    select,
    async claimsOf({ pid }) {
      const rows = await store.own.primary.select({
        sql: `SELECT id FROM hcd_webhook_deliveries WHERE claimed_by = ? AND ${isOpen}`,
        params: [`${hostname()}:${pid}`],
      });
      return rows.map(([id]) => Number(id));
    },
    async endLeases(ids) {
      if (ids.length === 0) return;
      await store.own.write((tx) =>
        tx.run({ sql: `UPDATE hcd_webhook_deliveries SET visible_at = 0 WHERE id IN (${ids.join(', ')})`, params: [] }),
      );
    },
    async leasesEnd() {
      await expect
        .poll(
          async () => {
            const [[latest] = []] = await select(`SELECT MAX(visible_at) FROM hcd_webhook_deliveries WHERE ${isOpen}`);
            return Number(latest) <= (await readNow(store.own.primary));
          },
          { timeout: 60_000, interval: 500 },
        )
        .toBe(true);
    },
    allDone,
  };
}

export interface Receiver {
  readonly origin: string;
  /** In order of arrival. */
  readonly copies: readonly Copy[];
  /** Copies of each delivery. */
  copiesOf(): ReadonlyMap<number, readonly Copy[]>;
  /** Resolves when so many copies have come, these included that came already. */
  arrived(count: number): Promise<void>;
}

/** Answers each request with the status that the function gives when it is done; remembers it at its arrival. */
export async function startReceiver(answer: (copy: Copy, path: string) => Promise<number>): Promise<Receiver> {
  const copies: Copy[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const hash = createHash('sha256');
    request.on('data', (chunk: Buffer) => hash.update(chunk));
    request.on('end', () => {
      const copy = {
        deliveryId: Number(request.headers['x-gateway-delivery-id']),
        eventId: String(request.headers['webhook-id']),
        hash: hash.digest('hex'),
      };
      copies.push(copy);
      for (const look of waiting) look();
      void answer(copy, request.url ?? '').then((status) => response.writeHead(status).end());
    });
    response.on('error', () => undefined);
  });
  atFileEnd(() => closeServer(server));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    copies,
    copiesOf() {
      const byId = new Map<number, Copy[]>();
      for (const copy of copies) byId.set(copy.deliveryId, [...(byId.get(copy.deliveryId) ?? []), copy]);
      return byId;
    },
    arrived: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (copies.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((done) => server.close(() => done()));
}

/** So many addresses at one receiver, each of which is a receiver of its own for the worker. */
export function addresses({ origin }: Pick<Receiver, 'origin'>, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${origin}/hook/${at}`);
}

/** SHA-256 of a text as the receiver computes it. */
export function hashOf(body: unknown): string {
  return createHash('sha256').update(String(body)).digest('hex');
}

/** What is wrong with the copies of deliveries that all are to have come: missing, other id, other bytes. */
export async function wrongCopies(site: WorkerSite, receiver: Receiver): Promise<unknown[]> {
  const byId = receiver.copiesOf();
  const rows = await site.deliveries('id, event_id, body, status');
  return rows.flatMap(([id, eventId, body, status]) => {
    const copies = byId.get(Number(id)) ?? [];
    const isRight = copies.every((copy) => copy.eventId === eventId && copy.hash === hashOf(body));
    return copies.length > 0 && isRight && status === 'delivered' ? [] : [{ id, status, copies }];
  });
}

/** Lines about faults in the log of a process that has ended, and whatever the runtime itself has said. */
export function faultsIn(stderr: string): string[] {
  const isOfNote = (line: string) => line !== '' && (!line.startsWith('{') || /"level":"error"/.test(line));
  return stderr.split('\n').filter(isOfNote);
}
