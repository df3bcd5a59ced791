/** A served site whose banner API may write, for tests of the management routes. */
import type { Clock } from '../../../src/clock/clock.js';
import type { RawRow } from '../../../src/store/base/database.js';
import { execute } from '../../support/execute.js';
import { startTestSite, type TestSite, type TestSiteOptions } from '../../support/site.js';

export const key = '0123456789abcdef0123456789abcdef';
const entry = '/banners/api.php';

type Json = Readonly<Record<string, unknown>>;

export interface Told {
  readonly status: number;
  readonly headers: Headers;
  // A test looks into bodies freely; what it expects is stated by its assertions.
  readonly body: Record<string, unknown>;
  readonly text: string;
}

export interface ManagementSite extends TestSite {
  /** A request of the API: route and query, JSON of the body; text is sent as it is. */
  api(method: string, route: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Told>;
  /** GET, and the rows of the answer, which must be right. */
  list(route: string): Promise<readonly Json[]>;
  /** POST /ads, and the id of the banner. */
  make(fields: Json): Promise<number>;
  /** Rows of a statement on the program's own tables. */
  rows(sql: string): Promise<readonly RawRow[]>;
  own(...statements: readonly string[]): Promise<void>;
}

export interface ManagementOptions extends Partial<TestSiteOptions> {
  readonly clock?: Clock;
}

export async function startManagementSite(
  databaseUrl: string,
  { env, ...options }: ManagementOptions = {},
): Promise<ManagementSite> {
  const site = await startTestSite({
    databaseUrl,
    ...options,
    env: { HCD_BANNERS_API_ENABLED: '1', HCD_BANNERS_API_KEY: key, HCD_BANNERS_API_WRITE_ENABLED: '1', ...env },
  });
  const api: ManagementSite['api'] = async (method, route, body, headers = {}) => {
    const [path = '', query = ''] = route.split('?');
    const target = `${entry}?route=${path}${query === '' ? '' : `&${query}`}`;
    const response = await fetch(`${site.url}${target}`, {
      method,
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: text === '' ? {} : JSON.parse(text) };
  };
  return {
    ...site,
    api,
    async list(route) {
      const { status, body, text } = await api('GET', route);
      if (status !== 200 || !Array.isArray(body['data'])) throw new Error(`${route}: ${status} ${text}`);
      return body['data'];
    },
    async make(fields) {
      const { status, body, text } = await api('POST', '/ads', fields);
      if (status !== 201) throw new Error(`a banner was not made: ${status} ${text}`);
      return Number((body['data'] as Json)['id']);
    },
    rows: (sql) => site.store.own.primary.select({ sql, params: [] }),
    own: (...statements) => execute(site.store.own, ...statements),
  };
}
