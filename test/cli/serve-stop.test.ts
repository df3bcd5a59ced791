/** A server that gets the signal to stop before it serves ends at once and starts no worker process. */
import { expect, it } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { openStore } from '../../src/store/open/open.js';
import { runCli } from '../support/cli.js';
import { freshSqliteUrl } from '../support/databases.js';

it.each(['1', '3'])('hcd serve with %s workers ends on a signal while it opens its database', async (workers) => {
  const { code, stderr } = await runCli('serve gateway', {
    clock: systemClock,
    openStore,
    stop: AbortSignal.abort(),
    env: { HCD_DATABASE_URL: await freshSqliteUrl(), HCD_WORKERS: workers, HCD_PORT: '0' },
  });
  expect([code, stderr.includes('listening on')]).toEqual([0, workers === '1']);
});
