/** `hcd audit`: filters, what is shown in each form, and every refusal. That rows are written is tested over HTTP. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { insertAuditRows, type NewAuditRow } from '../../src/gateway/models/audit.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { printed } from './outcomes.js';

const minute = 60_000;
const day = 86_400_000;
const on = { env: { HCD_GATEWAY_AUDIT_ENABLED: '1' } };

const rows: readonly NewAuditRow[] = [
  {
    requestId: 'request-oldest',
    identity: 'session:7',
    method: 'DELETE',
    path: '/api/v1/resources/1',
    context: 'web',
    status: 204,
    durationMs: 12,
    age: 100 * day,
  },
  {
    requestId: 'request-old',
    identity: 'api_key:aaaa',
    method: 'POST',
    path: '/api/v1/resources',
    context: 'web',
    status: 201,
    durationMs: 30,
    age: 2 * day,
  },
  {
    requestId: 'request-refused',
    identity: 'api_key:bbbb',
    method: 'PATCH',
    path: '/api/v1/resources/7',
    context: '',
    status: 403,
    durationMs: 2,
    age: 2 * minute,
  },
  {
    requestId: 'request-newest',
    identity: 'anonymous',
    method: 'POST',
    path: '/api/v1/auth/token',
    context: 'shop',
    status: 400,
    durationMs: 4,
    age: minute,
  },
];

describeEachDatabase('hcd audit', (kind) => {
  let db: CliDatabase;

  beforeAll(async () => {
    db = await prepareCliDatabase(await kind.url());
  });

  beforeEach(async () => {
    await db.change(async ({ own }) => {
      await own.write(async (tx) => {
        await tx.run({ sql: 'DELETE FROM hcd_audit', params: [] });
        await insertAuditRows(tx, rows);
      });
    });
  });

  async function listed(words: readonly string[]): Promise<unknown> {
    const shown = (await db.json(['audit', 'list', ...words], on)) as { data: { request_id: string }[]; meta: unknown };
    return [shown.data.map((row) => row.request_id.replace('request-', '')), shown.meta];
  }

  test.each<[name: string, words: readonly string[], ids: readonly string[], total: number]>([
    ['one identity', ['--identity', 'anonymous'], ['newest'], 1],
    ['a kind of identity', ['--identity', 'api_key'], ['refused', 'old'], 2],
    ['a method', ['--method', 'POST'], ['newest', 'old'], 2],
    ['one status', ['--status', '204'], ['oldest'], 1],
    ['a class of status', ['--status', '4xx'], ['newest', 'refused'], 2],
    ['a request id', ['--request-id', 'request-old'], ['old'], 1],
    ['several at once', ['--method', 'POST', '--status', '2XX'], ['old'], 1],
    ['nothing that fits', ['--identity', 'session:8'], [], 0],
    ['a number of rows, with the total', ['--limit', '2'], ['newest', 'refused'], 4],
  ])('list takes %s', async (_name, words, ids, total) => {
    expect(await listed(words)).toEqual([ids, { total }]);
  });

  test('list takes a time, as ISO 8601 and as Unix seconds', async () => {
    const since = Math.floor((Date.now() - 10 * minute) / 1000);
    expect(await listed(['--since', String(since)])).toEqual([['newest', 'refused'], { total: 2 }]);
    expect(await listed(['--since', new Date(Date.now() - 3 * day).toISOString()])).toEqual([
      ['newest', 'refused', 'old'],
      { total: 3 },
    ]);
  });

  test('list says when the log is not written', async () => {
    const { code, stdout, stderr } = await db.run('audit list --limit 1');
    expect([code, stdout.split('\t')[1]]).toEqual([0, 'anonymous']);
    expect(stderr).toBe('The audit log is off. Turn it on: hcd setting set gateway_audit_enabled 1\n');
  });

  test.each([
    ['a kind that there is not', 'audit list --identity robot:1', '--identity must be anonymous, studio, a kind'],
    ['a status that there is not', 'audit list --status 600', '--status must be a status from 100 to 599'],
    ['half a class', 'audit list --status 4x', '--status must be a status from 100 to 599'],
    ['a method that changes nothing', 'audit list --method HEAD', '--method must be one of POST, PUT'],
    ['a time without a zone', 'audit list --since 2026-11-21T09:30:00', '--since must be a time'],
    ['an invalid request id', 'audit list --request-id a/b', '--request-id must be a request id'],
    ['no rows at all', 'audit list --limit 0', '--limit must be an integer from 1 to 10000'],
    ['no days at all', 'audit prune --days 0', '--days must be an integer from 1 to 36500'],
    ['a word too many', 'audit prune now', 'hcd: takes no arguments'],
  ])('refuses %s as wrong usage', async (_name, line, message) => {
    const { code, stdout, stderr } = await db.run(line, on);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  test('prune removes what is older than the setting says, and prints how many', async () => {
    expect(await db.run('audit prune --yes', on)).toEqual(
      printed('Removed 1 row of the audit log older than 90 days.\n'),
    );
    expect(await listed([])).toEqual([['newest', 'refused', 'old'], { total: 3 }]);
    const shorter = { env: { HCD_GATEWAY_AUDIT_RETENTION_DAYS: '1' } };
    expect(await db.json('audit prune --yes', shorter)).toEqual({ data: { removed: 1, days: 1 } });
    expect(await listed([])).toEqual([['newest', 'refused'], { total: 2 }]);
  });

  test('prune takes the days of its flag', async () => {
    expect(await db.json('audit prune --days 1 --yes', on)).toEqual({ data: { removed: 2, days: 1 } });
    expect(await db.json('audit prune --days 1 --yes', on)).toEqual({ data: { removed: 0, days: 1 } });
    expect(await listed([])).toEqual([['newest', 'refused'], { total: 2 }]);
  });

  test('prune asks on a terminal when there is something to remove, and not with --yes', async () => {
    const terminal = { columns: 120 };
    const no = await db.run('audit prune --days 1', { terminal, stdin: 'n\r' });
    expect(no.code).toBe(1);
    expect(no.stderr).toContain('Remove 2 rows of the audit log older than 1 day?');
    expect(no.stderr).toContain('Nothing was changed');
    expect(await listed([])).toEqual([['newest', 'refused', 'old', 'oldest'], { total: 4 }]);
    expect(await db.run('audit prune --days 1000', { terminal })).toEqual(
      printed('Removed 0 rows of the audit log older than 1000 days.\n'),
    );
    expect((await db.run('audit prune --days 1', { terminal, stdin: 'y\r' })).code).toBe(0);
    expect(await listed([])).toEqual([['newest', 'refused'], { total: 2 }]);
    expect(await db.run('audit prune --yes', { terminal })).toMatchObject({ code: 0, stderr: '' });
  });
});
