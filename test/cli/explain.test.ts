/** `hcd explain`: every error code, and requests that a server refused. */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { type ErrorCode, errorCodes } from '../../src/errors/catalogue.js';
import { openRecorder } from '../../src/operations/processes/recorder.js';
import { openStore } from '../../src/store/open/open.js';
import { runCli } from '../support/cli.js';
import { describeEachDatabase } from '../support/databases.js';
import { startTestSite } from '../support/site.js';

const ofCommands = new Set<ErrorCode>([
  ...(['usage', 'port_in_use', 'target_not_empty', 'target_in_use'] as const),
  ...(['backup_invalid', 'backup_newer', 'passphrase_needed', 'passphrase_wrong'] as const),
]);

describe('hcd explain of a code', () => {
  it.each(errorCodes())('%s needs no database', async (code) => {
    const outcome = await runCli(`explain ${code} --json`);
    expect(outcome.code).toBe(0);
    expect(JSON.parse(outcome.stdout)).toEqual({
      data: {
        code,
        status: ofCommands.has(code) ? null : expect.any(Number),
        title: expect.stringMatching(/./),
        cause: expect.stringMatching(/\.$/),
        fix: expect.stringMatching(/\.$/),
      },
    });
  });

  it('names the code that was probably meant', async () => {
    const { code, stdout } = await runCli('explain scope_denyed --json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout).error).toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('Did you mean scope_denied?'),
    });
  });

  it('shows a line for each member on a terminal', async () => {
    const { stdout } = await runCli('explain rate_limited --no-color', { terminal: { columns: 60 } });
    expect(stdout).toMatch(/^status +429$/m);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
  });
});

describeEachDatabase('hcd explain of a request', (database) => {
  it('shows the check that refused it and what would have let it pass', async () => {
    const databaseUrl = await database.url();
    const site = await startTestSite({ databaseUrl });
    const recorder = openRecorder({
      ...{ own: site.store.own, clock: systemClock, log: () => undefined, role: 'server', version: '1', apis: [] },
    });
    await site.get('/resources?limit=0', { headers: { 'x-request-id': 'my-request-1' } });
    for (const fact of site.log) recorder.log(fact);
    await recorder.started();
    await recorder.close();
    const options = { env: { HCD_DATABASE_URL: databaseUrl }, clock: systemClock, openStore };
    const { code, stdout } = await runCli('explain my-request-1 --json', options);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).data).toEqual({
      ...{ code: 'validation_failed', status: 422, title: 'Validation failed' },
      ...{ cause: expect.any(String), fix: expect.any(String) },
      request_id: 'my-request-1',
      time: expect.stringMatching(/Z$/),
      ...{ api: 'gateway', method: 'GET', route: '/resources', check: 'handler', reason: 'Invalid limit' },
      would_pass: 'limit: must be an integer of at least 1',
    });
    const unknown = await runCli('explain no-such-request --json', options);
    expect(unknown.code).toBe(1);
    expect(JSON.parse(unknown.stdout).error.code).toBe('not_found');
  });
});
