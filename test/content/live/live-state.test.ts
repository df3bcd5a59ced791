/** The live view of settings and rights: of two readings at once the later one counts, and a lasting failure is logged once. */
import { expect, it } from 'vitest';
import { LiveState } from '../../../src/content/live/live-state.js';
import { AppError } from '../../../src/errors/app-error.js';
import type { Observation } from '../../../src/log/observation.js';
import type { Database, RawRow, Statement } from '../../../src/store/base/database.js';
import { fakeClock } from '../../support/clock.js';
import { deferred } from '../../support/deferred.js';

/** A store in which only the settings matter. */
function storeOf(settings: () => Promise<readonly RawRow[]>): Database {
  const select = async ({ sql }: Statement): Promise<readonly RawRow[]> =>
    sql.includes('system_settings') ? settings() : [];
  const reader = { dialect: 'sqlite', select } as const;
  return { ...reader, primary: reader } as unknown as Database;
}

function liveOver(settings: () => Promise<readonly RawRow[]>) {
  const log: Observation[] = [];
  const clock = fakeClock();
  const store = storeOf(settings);
  const live = new LiveState({ content: store, own: store, prefix: '', env: {}, clock, log: (fact) => log.push(fact) });
  return { live, clock, log };
}

it('a slow reading does not replace what a later one found', async () => {
  const slow = deferred<readonly RawRow[]>();
  const answers = [slow.promise, Promise.resolve([['gateway_max_limit', '7']])];
  const { live } = liveOver(() => answers.shift() ?? Promise.resolve([]));
  const first = live.refresh();
  await live.refresh();
  expect(live.current().settings.values.gateway_max_limit).toBe(7);
  slow.resolve([['gateway_max_limit', '5']]);
  await first;
  expect(live.current().settings.values.gateway_max_limit).toBe(7);
});

it('logs a lasting failure once, and its end once', async () => {
  let isBroken = false;
  const { live, clock, log } = liveOver(async () => {
    if (isBroken) throw new TypeError('damaged');
    return [];
  });
  await live.refresh();
  live.start();
  isBroken = true;
  await clock.advance(5000);
  isBroken = false;
  await clock.advance(5000);
  live.stop();
  expect(log.map(({ kind }) => kind)).toEqual(['unexpected_error', 'store_recovered']);
});

it('does not log a reading that was under way when it stopped', async () => {
  const closed = deferred();
  let read = async (): Promise<readonly RawRow[]> => [];
  const { live, clock, log } = liveOver(() => read());
  await live.refresh();
  live.start();
  read = () => closed.promise.then(() => Promise.reject(new AppError('unavailable')));
  await clock.advance(500);
  live.stop();
  closed.resolve();
  await clock.advance(500);
  expect(log).toEqual([]);
});
