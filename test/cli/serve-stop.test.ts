/** A server that is told to end before it serves: no worker is started that nobody would end. And what it says first. */
import { expect, it } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { openStore } from '../../src/store/open/open.js';
import { runCli } from '../support/cli.js';
import { freshSqliteUrl } from '../support/databases.js';

it.each(['1', '3'])(
  'hcd serve with %s workers ends when it is told to while it opens its database',
  async (workers) => {
    const { code, stderr } = await runCli('serve gateway', {
      clock: systemClock,
      openStore,
      stop: AbortSignal.abort(),
      env: { HCD_DATABASE_URL: await freshSqliteUrl(), HCD_WORKERS: workers, HCD_PORT: '0' },
    });
    expect([code, stderr.includes('listening on')]).toEqual([0, workers === '1']);
  },
);

it.each(['serve --port 0', 'worker --once'])('hcd %s says which variable is set and does nothing yet', async (line) => {
  const env = { HCD_DATABASE_URL: await freshSqliteUrl(), HCD_LOG_FORMAT: 'text', HCD_ADMIN_PORT: '9100' };
  await runCli('migrate', { clock: systemClock, openStore, env });
  const { stderr } = await runCli(line, { clock: systemClock, openStore, stop: AbortSignal.abort(), env });
  expect(stderr.split('HCD_ADMIN_PORT is set and does nothing yet')).toHaveLength(2);
  const without = await runCli(line, {
    ...{ clock: systemClock, openStore, stop: AbortSignal.abort() },
    env: { ...env, HCD_ADMIN_PORT: '' },
  });
  expect(without.stderr).not.toContain('HCD_ADMIN_PORT');
});
