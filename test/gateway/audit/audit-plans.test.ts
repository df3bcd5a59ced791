/** Lists of the audit log look up an index, by the plans of both databases. */
import { beforeAll, expect, test, vi } from 'vitest';
import { type AuditFilter, countAuditRows, newestAuditRows } from '../../../src/gateway/audit/manage-audit.js';
import { insertAuditRows } from '../../../src/gateway/models/audit.js';
import type { Reader } from '../../../src/store/base/database.js';
import { openStore } from '../../../src/store/open/open.js';
import { migrated, openHandle } from '../../identity/keys/key-store.js';
import { describeEachDatabase } from '../../support/databases.js';
import { patientLimits } from '../../support/patient-limits.js';

const everything: AuditFilter = { since: null, identity: null, method: null, status: null, requestId: null };

describeEachDatabase('the audit log with 4,000 rows', (kind) => {
  let url: string;

  beforeAll(async () => {
    url = await migrated(await kind.url());
    const store = await openStore({ databaseUrl: url, prefix: 'modx_', limits: patientLimits });
    const rows = Array.from({ length: 4000 }, (_, index) => ({
      requestId: `request-${index}`,
      identity: index % 10 === 0 ? `session:${index % 7}` : `api_key:key-${index % 200}`,
      method: 'POST',
      path: '/api/v1/resources',
      context: 'web',
      status: 201,
      durationMs: 1,
      age: index * 1000,
    }));
    await store.own.write((tx) => insertAuditRows(tx, rows));
    if (kind.name === 'mariadb') await store.own.select({ sql: 'ANALYZE TABLE hcd_audit', params: [] });
    await store.close();
  });

  test.each<[name: string, filter: Partial<AuditFilter>, index: string, sorts: boolean]>([
    ['all rows', {}, 'created_on', false],
    ['rows since a time', { since: Date.now() - 60_000 }, 'created_on', false],
    ['rows of one identity', { identity: 'api_key:key-7' }, 'identity', false],
    ['one request', { requestId: 'request-77' }, 'request_id', true],
  ])('lists %s by an index', async (_name, filter, index, maySort) => {
    const { own } = await openHandle(url);
    const statements: unknown[] = [];
    const reader: Reader = {
      dialect: own.dialect,
      select: own.select.bind(own),
      query: (table, work) =>
        own.query(table, async (connection) => {
          const asked = vi.spyOn(connection.sequelize, 'query');
          const found = await work(connection);
          statements.push(...asked.mock.calls.map(([sql]) => sql));
          asked.mockRestore();
          return found;
        }),
    };
    const rows = await newestAuditRows(reader, { ...everything, ...filter }, { limit: 20 });
    expect(rows.length).toBeGreaterThan(0);
    const explain = own.dialect === 'mariadb' ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN';
    const explained = await own.select({ sql: `${explain} ${String(statements[0])}`, params: [] });
    const plan = explained.map((row) => row.map(String).join(' ')).join('; ');
    expect(plan).toMatch(
      own.dialect === 'mariadb' ? new RegExp(` ${index} `) : new RegExp(`INDEX hcd_audit_${index}\\b`),
    );
    if (!maySort) expect(plan).not.toMatch(/filesort|TEMP B-TREE/);
  });

  test('counts what it lists', async () => {
    const { own } = await openHandle(url);
    expect(await countAuditRows(own, { ...everything, identity: 'session' })).toBe(400);
    expect(await countAuditRows(own, { ...everything, identity: 'api_key:key-7' })).toBe(20);
  });
});
