/** Heavy statements wait for their turn by a clock of the test: limits, shares, and what is refused. */
import { describe, expect, it } from 'vitest';
import type { Heavy, RawRow } from '../../src/store/base/database.js';
import { HeavyQueue } from '../../src/store/base/heavy-queue.js';
import { servingLimits } from '../../src/store/base/limits.js';
import { fakeClock } from '../support/clock.js';

interface Ask {
  readonly caller: string;
  readonly api?: string;
  /** Milliseconds that the statement runs unless its limit ends it before. */
  readonly takes: number;
  /** The text of the statement; one of its own for each time when left out. */
  readonly sql?: string;
  readonly heavy?: Heavy;
  readonly asker?: { readonly group: string; readonly caller: string };
}

function setUp(places = 2) {
  const clock = fakeClock();
  const queue = new HeavyQueue({ places, limits: servingLimits, clock });
  const log: string[] = [];
  const ask = ({
    caller,
    api = 'gateway',
    takes,
    sql = `SELECT ${takes}`,
    heavy = true,
    asker = { group: api, caller },
  }: Ask) => {
    const askedAt = clock.elapsed();
    const seconds = () => (clock.elapsed() - askedAt) / 1000;
    const rows = queue.run({ sql, params: [], heavy, asker }, (limit) => {
      const isTooLong = limit > 0 && takes > limit;
      const done = new Promise<readonly RawRow[]>((resolve, reject) => {
        clock.after(isTooLong ? limit : takes, () => {
          if (isTooLong) reject(new Error('too slow'));
          else resolve([[takes]]);
        });
      });
      return { rows: done, freed: done.catch(() => undefined) };
    });
    return rows.then(
      () => void log.push(`${caller} ${seconds()}`),
      (error: { message: string }) => void log.push(`${caller} ${seconds()} ${error.message}`),
    );
  };
  return { clock, queue, log, ask };
}

describe('the line of heavy statements', () => {
  it('answers the statistics of the owner at once while anonymous callers search without end', async () => {
    const { clock, log, ask } = setUp();
    for (let count = 0; count < 6; count += 1) void ask({ caller: '192.0.2.1', takes: 5000, heavy: 'search' });
    await clock.advance(500);
    void ask({ caller: 'key', api: 'banners', takes: 100 });
    await clock.advance(200);
    expect(log).toEqual(['key 0.1']);
  });

  it('answers an ordinary search within 2.5 s while two other callers fill all places with slow ones', async () => {
    const { clock, log, ask } = setUp();
    for (let count = 0; count < 3; count += 1) {
      for (const caller of ['192.0.2.1', '192.0.2.2']) void ask({ caller, takes: 60_000, heavy: 'search' });
    }
    await clock.advance(100);
    void ask({ caller: '192.0.2.3', takes: 400, heavy: 'search' });
    await clock.advance(10_000);
    expect(log.filter((line) => line.startsWith('192.0.2.3'))).toEqual(['192.0.2.3 2.3']);
  });

  it('refuses no short statement because those before it were slow', async () => {
    const { clock, log, ask } = setUp();
    for (let count = 0; count < 6; count += 1) {
      void ask({ caller: 'slow', takes: 4000 });
      await clock.advance(4000);
    }
    log.length = 0;
    for (let count = 0; count < 6; count += 1) void ask({ caller: 'quick', takes: 2 });
    await clock.advance(100);
    expect(log.filter((line) => line.endsWith('searches'))).toEqual([]);
    expect(log).toHaveLength(6);
  });

  it('ends a search after two seconds, and other reads later', async () => {
    const { clock, log, ask } = setUp();
    void ask({ caller: 'a', takes: 60_000, heavy: 'search' });
    void ask({ caller: 'b', takes: 60_000 });
    await clock.advance(10_000);
    expect(log).toEqual(['a 2 too slow', 'b 5 too slow']);
  });

  it('gives all searches of one request the time of one', async () => {
    const { clock, log, ask } = setUp();
    const asker = { group: 'gateway', caller: 'a' };
    const both = ask({ caller: 'a', takes: 1500, heavy: 'search', asker }).then(() =>
      ask({ caller: 'a', takes: 1500, heavy: 'search', asker }),
    );
    await clock.advance(5000);
    await both;
    expect(log).toEqual(['a 1.5', 'a 0.5 too slow']);
  });

  it('takes 150 short reads at once', async () => {
    const { clock, log, ask } = setUp();
    for (let count = 0; count < 150; count += 1) void ask({ caller: `${count}`, api: 'banners', takes: 2 });
    await clock.advance(1000);
    expect(log.filter((line) => /[a-z]/.test(line))).toEqual([]);
    expect(log).toHaveLength(150);
  });

  it('takes 150 short reads at once after one of them was held up', async () => {
    const { clock, log, ask } = setUp();
    for (const takes of [2, 500]) {
      void ask({ caller: 'a', takes, sql: 'SELECT 1' });
      await clock.advance(takes);
    }
    for (let count = 0; count < 150; count += 1) void ask({ caller: 'a', takes: 2, sql: 'SELECT 1' });
    await clock.advance(1000);
    expect(log).toHaveLength(152);
    expect(log.filter((line) => line.includes('Too many'))).toEqual([]);
  });

  it('refuses above four times what it can do in a second, and says to come back in one', async () => {
    const { clock, queue, ask } = setUp();
    void ask({ caller: 'warm', takes: 1000 });
    await clock.advance(1000);
    const asked = Array.from({ length: 20 }, (_, at) =>
      queue.run({ sql: 'SELECT 1000', params: [], asker: { group: 'gateway', caller: `${at}` } }, () => ({
        rows: new Promise(() => undefined),
        freed: new Promise(() => undefined),
      })),
    );
    const outcomes = await Promise.all(
      asked
        .map((one) => Promise.race([one.catch((error: unknown) => error), clock.sleep(1).then(() => null)]))
        .concat([clock.advance(1).then(() => null)]),
    );
    const refused = outcomes.filter((one) => one !== null);
    // Two run and eight of a second each wait.
    expect(refused).toHaveLength(10);
    expect(refused[0]).toMatchObject({ code: 'unavailable', details: { retryAfter: 1, isLoad: true } });
  });

  it('refuses a read that has waited for four seconds', async () => {
    const { clock, log, ask } = setUp(1);
    void ask({ caller: 'a', takes: 4900 });
    void ask({ caller: 'b', takes: 10 });
    await clock.advance(6000);
    expect(log).toEqual(['b 4 Too many searches run at once', 'a 4.9']);
  });

  it('refuses what waits when it is closed, and everything afterwards', async () => {
    const { clock, queue, log, ask } = setUp(1);
    void ask({ caller: 'a', takes: 100 });
    void ask({ caller: 'b', takes: 100 });
    // The first has begun.
    await clock.advance(0);
    queue.close();
    await clock.advance(50);
    void ask({ caller: 'c', takes: 100 });
    await clock.advance(100);
    expect(log.map((line) => line.slice(0, 1))).toEqual(['b', 'c', 'a']);
  });
});
