/**
 * Server processes are killed while keyed POST requests run: sent again until each is answered, every one has made
 * exactly one resource, whatever moment the kills met. `HCD_FAULTS=full` runs the long form.
 */
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openStore, type Store } from '../../src/store/open/open.js';
import { openWebhookSealer } from '../../src/webhooks/administration/secrets.js';
import { insertSubscription } from '../../src/webhooks/models/subscriptions.js';
import { type CliProcess, runCliProcess, startCli } from '../support/cli.js';
import { describeEachDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { seededRandom } from '../support/seeded-random.js';
import { expectSound } from '../support/sound-store.js';
import { makeTempDir } from '../support/temp-dir.js';

const isFull = process.env['HCD_FAULTS'] === 'full';
const size = isFull ? { requests: 5000, kills: 100 } : { requests: 1500, kills: 20 };
/** Enough that many commits wait for the disk together. */
const clients = 50;
/**
 * Milliseconds before a request is repeated that was refused for now or met a dead server: so many clients would take the
 * processor from the server that starts.
 */
const pauseMs = 100;

interface Item {
  readonly key: string;
  readonly title: string;
  /** Sent twice at the same time. */
  readonly isDoubled: boolean;
}

interface Given {
  readonly text: string;
  readonly isReplay: boolean;
}

describeEachDatabase('keyed requests to two servers that are killed repeatedly', (database) => {
  it(
    'make one resource, one record and one event each',
    async () => {
      const random = seededRandom(`keyed posts (${database.name})`);
      const url = await database.url();
      const cwd = await makeTempDir('keyed-posts');
      const env = { HCD_DATABASE_URL: url, HCD_GATEWAY_RATE_LIMIT_ENABLED: '0' };
      expect((await runCliProcess('migrate', { cwd, env })).code).toBe(0);
      await prepareSite(url);
      const created = await runCliProcess('key create --scopes resources.create --name posts --json', { cwd, env });
      const credential: string = JSON.parse(created.stdout).data.key;
      const servers = await Promise.all([startServer({ cwd, env }), startServer({ cwd, env })]);
      const items = Array.from({ length: size.requests }, (_, at): Item => {
        return { key: `key-${at}`, title: `Title ${at}`, isDoubled: at % 5 === 0 };
      });
      const given = new Map(items.map(({ key }) => [key, [] as Given[]]));
      const unexpected: string[] = [];
      let answered = 0;
      let kills = 0;
      let broken = 0;
      let refusals = 0;

      /** One try; null when it is to be repeated. */
      const post = async ({ key, title }: Item, server: Server): Promise<Given | null> => {
        try {
          const answer = await fetch(`http://127.0.0.1:${server.port}/api/v1/resources`, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${credential}`,
              'content-type': 'application/json',
              'idempotency-key': key,
            },
            body: JSON.stringify({ pagetitle: title }),
          });
          const text = await answer.text();
          if (answer.status === 201) return { text, isReplay: answer.headers.get('idempotency-replayed') === 'true' };
          const isForNow = answer.status === 503 || (answer.status === 409 && text.includes('"idempotency_conflict"'));
          if (!isForNow) unexpected.push(`${answer.status} ${text}`);
          return null;
        } catch (error) {
          // The server is dead, or it died before or after it did what it was asked.
          if (!isRefusal(error)) broken += 1;
          return null;
        }
      };
      const postUntilAnswered = async (item: Item): Promise<void> => {
        while (unexpected.length === 0) {
          const answer = await post(item, pick(servers, random));
          if (answer !== null) return void given.get(item.key)?.push(answer);
          await setTimeout(pauseMs);
        }
      };
      /** Requests that are refused for their content or their caller: they must leave no row and no event. */
      const beRefused = async (key: string, server: Server): Promise<void> => {
        const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' };
        const resources = `http://127.0.0.1:${server.port}/api/v1/resources`;
        const tries = [
          { status: 422, url: resources, method: 'POST', body: { pagetitle: 'Refused', nosuch: 1 } },
          { status: 403, url: `${resources}/1`, method: 'DELETE', body: undefined },
        ];
        for (const { status, url: address, method, body } of tries) {
          const answer = await fetch(address, {
            ...{ method, headers: { ...headers, 'idempotency-key': `${key}-${status}` } },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          }).catch(() => null);
          if (answer !== null && answer.status !== status && answer.status !== 503) {
            unexpected.push(`${answer.status} instead of ${status}`);
          }
          if (answer?.status === status) refusals += 1;
          await answer?.arrayBuffer().catch(() => undefined);
        }
      };
      const queue = [...items];
      const client = async (): Promise<void> => {
        for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
          await Promise.all((item.isDoubled ? [item, item] : [item]).map(postUntilAnswered));
          answered += 1;
          if (answered % 10 === 0) await beRefused(item.key, pick(servers, random));
          // Spread over the whole run, each while the other clients have requests under way.
          if (answered * (size.kills + 1) > (kills + 1) * size.requests && kills < size.kills) {
            kills += 1;
            void pick(servers, random).kill();
          }
        }
      };
      try {
        await Promise.all(Array.from({ length: clients }, client));
        expect(unexpected).toEqual([]);
        expect(answered).toBe(size.requests);
        expect(kills).toBe(size.kills);
        expect(refusals).toBeGreaterThan(0);
        // Each answer again, from a server that has not given it itself.
        for (const server of servers) await server.kill();
        const sample = items.filter((_item, at) => at % 10 === 0);
        for (const item of sample) {
          const again = await post(item, pick(servers, random));
          expect(again).toEqual({ text: given.get(item.key)?.[0]?.text, isReplay: true });
        }
      } finally {
        await Promise.all(servers.map((server) => server.end()));
      }
      const replays = items.filter(({ key, isDoubled }) => !isDoubled && given.get(key)?.[0]?.isReplay === true).length;
      process.stdout.write(
        `${kills} kills, ${broken} requests cut off, ${replays} effects without an answer, ${refusals} refusals\n`,
      );
      const several = [...given].filter(([, answers]) => new Set(answers.map(({ text }) => text)).size !== 1);
      expect(several).toEqual([]);
      await expectOneEach(url, { items, given });
      await expectSound(url);
    },
    isFull ? 900_000 : 600_000,
  );
});

/** Two subscriptions get events of new resources, one does not; a resource that is made twice is not refused for its address. */
async function prepareSite(url: string): Promise<void> {
  const store = await openStore({ databaseUrl: url, prefix: 'modx_' });
  const sealer = await openWebhookSealer(store, null);
  await store.content.write(async (tx) => {
    const sql = "UPDATE modx_system_settings SET value = '0' WHERE `key` = 'friendly_urls'";
    await tx.run({ sql, params: [] });
    for (const [at, events] of [['resources.created'], ['*'], ['resources.deleted']].entries()) {
      const common = { name: null, url: 'https://example.com/hook', active: true, createdBy: 'test' };
      await insertSubscription(tx, { ...common, events, secret: sealer.seal(`secret ${at}`) });
    }
  });
  await store.close();
}

async function expectOneEach(
  url: string,
  { items, given }: { readonly items: readonly Item[]; readonly given: ReadonlyMap<string, readonly Given[]> },
): Promise<void> {
  const store = await openStore({ databaseUrl: url, prefix: 'modx_' });
  try {
    const titles = await select(store, 'SELECT pagetitle, id FROM modx_site_content ORDER BY id');
    expect(titles.length).toBe(items.length);
    const ids = new Map(titles.map(([title, id]) => [String(title), Number(id)]));
    const wrong = items.filter(({ key, title }) => {
      const { data } = JSON.parse(given.get(key)?.[0]?.text ?? '{"data":{}}');
      return data.id === undefined || data.id !== ids.get(title);
    });
    expect(wrong).toEqual([]);
    const counted = 'SELECT COUNT(*), COUNT(DISTINCT idempotency_key), COUNT(status) FROM hcd_idempotency_keys';
    expect(await select(store, counted)).toEqual([[items.length, items.length, items.length]]);
    // One event for each resource, queued for both who asked for it.
    const queued =
      'SELECT COUNT(*), COUNT(DISTINCT event_id), COUNT(DISTINCT subscription_id) FROM hcd_webhook_deliveries';
    expect(await select(store, queued)).toEqual([[2 * items.length, items.length, 2]]);
  } finally {
    await store.close();
  }
}

/** The connection was refused, so the request was never read. */
function isRefusal(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'ECONNREFUSED';
}

function select({ content }: Store, sql: string) {
  return content.select({ sql, params: [] });
}

interface Server {
  readonly port: number;
  /** SIGKILL, then started again on the same port; resolves when it listens. Calls follow one another. */
  kill(): Promise<void>;
  end(): Promise<void>;
}

async function startServer(options: { readonly cwd: string; readonly env: Record<string, string> }): Promise<Server> {
  const port = await freePort();
  const start = async (): Promise<CliProcess> => {
    const started = startCli('serve gateway', { ...options, env: { ...options.env, HCD_PORT: String(port) } });
    await started.waitForStderr('listening on http://');
    return started;
  };
  let running = start();
  await running;
  const kill = (): Promise<CliProcess> =>
    running.then(async (process) => {
      process.kill('SIGKILL');
      await process.outcome;
      return start();
    });
  return {
    port,
    async kill() {
      running = kill();
      await running;
    },
    async end() {
      const process = await running;
      process.kill('SIGKILL');
      await process.outcome;
    },
  };
}

function pick<T>(values: readonly [T, T], random: () => number): T {
  return random() < 0.5 ? values[0] : values[1];
}
