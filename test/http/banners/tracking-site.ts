/** A served site with banners for tests of clicks, pixels, slots and conversions, and what came into its store. */
import { request } from 'node:http';
import type { Clock } from '../../../src/clock/clock.js';
import type { RawRow } from '../../../src/store/base/database.js';
import { movableClock } from '../../support/clock.js';
import { eventually } from '../../support/eventually.js';
import { startTestSite, type TestSite, type TestSiteOptions } from '../../support/site.js';

export const key = '0123456789abcdef0123456789abcdef';
export const entry = '/banners/api.php';

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
}

export interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly body?: unknown;
  /** Address of the visitor, as the trusted proxy names it. */
  readonly from?: string;
}

export interface TrackingSite extends TestSite {
  ask(path: string, asked?: Asked): Promise<Answered>;
  /** Rows of a statement on the program's own tables. */
  rows(sql: string): Promise<readonly RawRow[]>;
  /** Adds rows; columns not named have defaults. Gives the ids. Not seen by the server before it looks again. */
  addBanner(fields: Readonly<Record<string, string | number | null>>, at?: readonly At[]): Promise<number>;
  addPosition(name: string, context?: string): Promise<number>;
  /** Id of the link between banner and position. */
  link(ad: number, position: number): Promise<number>;
  /** Waits until the server has seen the newest change. */
  seen(adposition: number): Promise<void>;
}

export interface At {
  readonly position: number;
  readonly idx?: number;
  readonly weight?: number;
}

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

const dayMs = 86_400_000;

/** The machine's clock, set to noon: a visitor of one test must not come on two days. */
function noonClock(): Clock {
  const clock = movableClock();
  clock.forward(dayMs / 2 - (clock.now() % dayMs));
  return clock;
}

/** The banner API is on and may write; the machine itself is a trusted proxy, so that visitors have addresses. */
export async function startTrackingSite(
  databaseUrl: string,
  { env, ...options }: Partial<TestSiteOptions> = {},
): Promise<TrackingSite> {
  const site = await startTestSite({
    databaseUrl,
    clock: noonClock(),
    ...options,
    env: {
      ...{ HCD_BANNERS_API_ENABLED: '1', HCD_BANNERS_API_KEY: key, HCD_BANNERS_API_WRITE_ENABLED: '1' },
      ...{ HCD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1', ...env },
    },
  });
  const { own } = site.store;
  const insert = (table: string, values: Readonly<Record<string, string | number | null>>): Promise<number> =>
    own.write(async (tx) => {
      const names = Object.keys(values).map((name) => `\`${name}\``);
      const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
      const { lastId } = await tx.run({ sql, params: Object.values(values) });
      const audit =
        "INSERT INTO hcd_ad_audit (entity, entity_id, label, action, created_on, username, payload) VALUES ('ad', 1, 'test', 'create', 1, 'cli', '{}')";
      await tx.run({ sql: audit, params: [] });
      return lastId;
    });
  const rows = (sql: string) => own.primary.select({ sql, params: [] });
  const ask = (path: string, asked: Asked = {}): Promise<Answered> => send(site.url, path, asked);
  return {
    ...site,
    ask,
    rows,
    async addBanner(fields, at = []) {
      const times = { created_on: 1, edited_on: 1 };
      const ad = await insert('hcd_ads', { name: 'A banner', url: 'https://shop.example/', ...times, ...fields });
      for (const { position, idx = 0, weight = 1 } of at) {
        await insert('hcd_ad_links', { ad, position, idx, weight });
      }
      return ad;
    },
    addPosition: (name, context = '') =>
      insert('hcd_ad_positions', { name, context_key: context, created_on: 1, edited_on: 1 }),
    async link(ad, position) {
      const found = await rows(`SELECT id FROM hcd_ad_links WHERE ad = ${ad} AND position = ${position}`);
      return Number(found[0]?.[0]);
    },
    async seen(adposition) {
      await eventually(async () => {
        const { status } = await ask(`/bannerimpression/${adposition}`, { method: 'HEAD' });
        if (status !== 200) throw new Error(`the server does not see the banner: ${status}`);
      });
    },
  };
}

/** Bytes as they are, without following redirects. */
function send(origin: string, path: string, { headers = {}, method = 'GET', body, from }: Asked): Promise<Answered> {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const visitor = from === undefined ? {} : { 'x-forwarded-for': from };
  return new Promise((resolve, reject) => {
    const sent = request(
      `${origin}${path}`,
      { method, headers: { 'user-agent': browser, ...visitor, ...json, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const bytes = Buffer.concat(chunks);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() });
        });
      },
    );
    sent.once('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
