/** The audit log over HTTP, on both kinds of database: which requests get a row, what stands in it, and what never does. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Identity } from '../../../src/access/identity.js';
import { type AuditRow, newestAuditRows } from '../../../src/gateway/audit/manage-audit.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { eventually } from '../../support/eventually.js';
import { startTestSite, type TestSite } from '../../support/site.js';

const everything = { since: null, identity: null, method: null, status: null, requestId: null };

const identities: Readonly<Record<string, Identity>> = {
  reader: { kind: 'api_key', id: '0123456789abcdef', scopes: new Set(['resources.read']), userId: null },
  token: { kind: 'access_token', id: 'fedcba9876543210', scopes: new Set(['chunks.read']), userId: null },
};

interface Sent {
  readonly method: string;
  readonly as?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends to any path of the server, with a request id of its own when the headers have one. */
async function send(site: TestSite, path: string, { method, as, headers = {}, body }: Sent): Promise<number> {
  const response = await fetch(`${site.url}${path}`, {
    method,
    headers: { ...(as === undefined ? {} : { authorization: `Bearer ${as}` }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  await response.arrayBuffer();
  return response.status;
}

async function rowsOf(site: TestSite, requestId: string): Promise<AuditRow[]> {
  return newestAuditRows(site.store.own, { ...everything, requestId }, { limit: 100 });
}

describeEachDatabase('the audit log', (kind) => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startTestSite({
      databaseUrl: await kind.url(),
      identities,
      env: { HCD_GATEWAY_AUDIT_ENABLED: '1', HCD_GATEWAY_OAUTH_ENABLED: '1' },
    });
  });

  const json = { headers: { 'content-type': 'application/json' }, body: '{}' };
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'grant_type=x' };
  const byKey = { identity: 'api_key:0123456789abcdef', path: '/api/v1/resources/7' };
  const byToken = { identity: 'access_token:fedcba9876543210', path: '/api/v1/resources/7' };
  const post = (context: string): Sent => ({ method: 'POST', headers: { 'x-context': context } });
  const list = '/api/v1/resources';

  test.each<[name: string, path: string, sent: Sent, status: number, row: Partial<AuditRow>]>([
    ['no credential', list, { method: 'POST', ...json }, 401, { identity: 'anonymous', path: list, context: 'web' }],
    ['a key without the scope', `${list}/7`, { method: 'DELETE', as: 'reader' }, 403, byKey],
    ['a token without the scope', `${list}/7`, { method: 'PATCH', as: 'token', ...json }, 403, byToken],
    ['a wrong credential', `${list}/7`, { method: 'DELETE', as: 'unknown' }, 401, { identity: 'anonymous' }],
    ['a path that is not there', '/api/v1/nothing/here', { method: 'POST' }, 404, { path: '/api/v1/nothing/here' }],
    ['a method that is not there', list, { method: 'PUT', as: 'reader' }, 405, { method: 'PUT' }],
    [
      'a token endpoint that refuses',
      '/api/v1/auth/token',
      { method: 'POST', ...form },
      400,
      { identity: 'anonymous' },
    ],
    ['the context of the header', `${list}?context=other`, post(' shop-2 '), 401, { context: 'shop-2', path: list }],
    ['else of the query', `${list}?context=other`, { method: 'POST' }, 401, { context: 'other' }],
    ['no context for what is no key of one', list, post("a' OR 1=1"), 401, { context: '' }],
    ['another entry, by its route', '/api.php?path=/v1/resources&secret=1', { method: 'POST' }, 401, { path: list }],
  ])('has one row for %s', async (name, path, sent, status, row) => {
    const requestId = `audit-${name.replace(/[^a-z]/g, '-')}`.slice(0, 64);
    const headers = { 'x-request-id': requestId, ...sent.headers };
    const before = Date.now();
    expect(await send(site, path, { ...sent, headers })).toBe(status);
    const rows = await eventually(async () => {
      const found = await rowsOf(site, requestId);
      expect(found).not.toEqual([]);
      return found;
    });
    expect(rows).toEqual([
      {
        ...{ id: expect.any(Number), requestId, method: sent.method, status, identity: expect.any(String) },
        ...{ path: expect.any(String), context: expect.any(String), durationMs: expect.any(Number) },
        ...{ createdOn: expect.any(Number), ...row },
      },
    ]);
    const [{ createdOn, durationMs } = { createdOn: 0, durationMs: -1 }] = rows;
    expect(createdOn).toBeGreaterThan(before - 2000);
    expect(createdOn).toBeLessThan(Date.now() + 2000);
    expect(durationMs).toBeGreaterThanOrEqual(0);
  });

  test('has no row for GET, HEAD and OPTIONS, and none for the other interfaces', async () => {
    const requestId = 'audit-reads-without-rows';
    const headers = { 'x-request-id': requestId };
    for (const method of ['GET', 'HEAD', 'OPTIONS']) await send(site, '/api/v1/health', { method, headers });
    await send(site, '/pages/api/v1.php/pages', { method: 'POST', headers });
    await send(site, '/banners/api.php/ads', { method: 'POST', headers });
    await send(site, '/nowhere', { method: 'POST', headers });
    // Rows are written in order: what comes later is there, so what came before would be.
    await send(site, '/api/v1/resources', { method: 'POST', headers: { 'x-request-id': 'audit-after-the-reads' } });
    await eventually(async () => expect(await rowsOf(site, 'audit-after-the-reads')).toHaveLength(1));
    expect(await rowsOf(site, requestId)).toEqual([]);
  });

  test('never holds anything that was sent except method, path, context and request id', async () => {
    const canary = (name: string): string => `canary${name}`;
    const headers = {
      'x-request-id': 'audit-with-canaries',
      'x-api-key': canary('ApiKey'),
      cookie: `hcd_session=${canary('Cookie')}; PHPSESSID=${canary('Php')}`,
      'idempotency-key': canary('Idempotency'),
      'x-csrf-token': canary('Csrf'),
      'user-agent': canary('Agent'),
      referer: `http://example.com/?${canary('Referer')}`,
      'x-forwarded-for': '192.0.2.77',
      'x-context': `${canary('Context')} with more`,
      'content-type': 'application/json',
    };
    const query = `?api_key=${canary('Query')}&filter[pagetitle]=${canary('Filter')}&${canary('Name')}=1`;
    const bodies = [`{"pagetitle":"${canary('Body')}","${canary('Member')}":1}`, `{"broken ${canary('Broken')}`];
    const credentials = [`Bearer ${canary('Bearer')}`, `Basic ${btoa(`${canary('User')}:${canary('Password')}`)}`];
    let sent = 0;
    for (const authorization of [...credentials, 'Bearer reader']) {
      for (const body of bodies) {
        for (const method of ['POST', 'PATCH', 'DELETE']) {
          await send(site, `/api/v1/resources/7${query}`, { method, headers: { ...headers, authorization }, body });
          sent += 1;
        }
      }
    }
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
    const body = `grant_type=client_credentials&client_id=${canary('Client')}&client_secret=${canary('Secret')}`;
    await send(site, `/api/v1/auth/token${query}`, { method: 'POST', headers: form, body });
    await eventually(async () => expect(await rowsOf(site, 'audit-with-canaries')).toHaveLength(sent + 1));
    const stored = await site.store.own.select({ sql: 'SELECT * FROM hcd_audit', params: [] });
    const text = JSON.stringify(stored, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    expect(text).toContain('audit-with-canaries');
    expect(text).not.toMatch(/canary|192\.0\.2\.77|with more/i);
    expect(text).not.toContain(btoa('canary').slice(0, 8));
  });

  test('is complete when the server has closed, under load too', async () => {
    const databaseUrl = await kind.url();
    const short = await startTestSite({ databaseUrl, identities, env: { HCD_GATEWAY_AUDIT_ENABLED: '1' } });
    const requests = Array.from({ length: 200 }, (_, index) =>
      send(short, '/api/v1/resources', { method: 'POST', headers: { 'x-request-id': `audit-load-${index}` } }),
    );
    expect(new Set(await Promise.all(requests))).toEqual(new Set([401]));
    await short.close();
    const again = await startTestSite({ databaseUrl });
    const rows = await newestAuditRows(again.store.own, everything, { limit: 1000 });
    expect(rows.map((row) => row.requestId).sort()).toEqual(
      Array.from({ length: 200 }, (_, index) => `audit-load-${index}`).sort(),
    );
    await again.close();
  });
});

describe('the settings of the audit log', () => {
  test('turn it on and off while the server runs, and reads with it', async () => {
    const site = await startTestSite({ databaseUrl: await freshSqliteUrl(), identities });
    const set = (key: string, value: string) =>
      site.change([
        `INSERT INTO modx_system_settings (\`key\`, \`value\`, xtype, namespace, area) VALUES ('${key}', '${value}', 'textfield', 'hcd', '') ON CONFLICT (\`key\`) DO UPDATE SET \`value\` = excluded.\`value\``,
      ]);
    const ask = async (name: string): Promise<void> => {
      for (const method of ['POST', 'GET', 'HEAD']) {
        await send(site, '/api/v1/resources', { method, headers: { 'x-request-id': `audit-${name}-${method}` } });
      }
    };
    await ask('off');
    await set('gateway_audit_enabled', '1');
    await ask('on');
    await set('gateway_audit_log_get', '1');
    await ask('reads');
    await set('gateway_audit_enabled', '0');
    await ask('off-again');
    await eventually(async () => {
      const rows = await newestAuditRows(site.store.own, everything, { limit: 100 });
      const ids = rows.map(({ requestId }) => requestId).sort();
      expect(ids).toEqual(['audit-on-POST', 'audit-reads-GET', 'audit-reads-POST']);
    });
  });
});
