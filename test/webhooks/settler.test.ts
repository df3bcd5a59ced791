/** How the ends of attempts are gathered into transactions. */
import { expect, test } from 'vitest';
import type { Database } from '../../src/store/base/database.js';
import { databaseClock } from '../../src/webhooks/rules/deciding-time.js';
import { classify } from '../../src/webhooks/rules/retry.js';
import { claim, lookAhead } from '../../src/webhooks/worker/claim.js';
import type { Ended } from '../../src/webhooks/worker/settle.js';
import { Settler } from '../../src/webhooks/worker/settler.js';
import { describeEachDatabase } from '../support/databases.js';
import { answer, openOutbox } from './outbox-store.js';

describeEachDatabase('the ends of attempts', (database) => {
  test('that come in one turn of the event loop share a transaction', async () => {
    const outbox = await openOutbox(database);
    const { own } = outbox.store;
    await outbox.subscribe();
    await outbox.raise(6);
    const deps = { own, time: databaseClock, claimedBy: 'test', random: () => 0 };
    const { due } = await lookAhead(deps);
    const shares = due.map(({ subscriptionId }) => ({ subscriptionId, places: 6 }));
    const { won } = await claim(deps, { shares, isCrowded: false, ended: new Set() });
    const ends = won.map((delivery): Ended => ({ delivery, attempt: { ...classify(answer(200)), durationMs: 1 } }));
    let writes = 0;
    const counting: Database = Object.create(own, { primary: { value: own.primary } });
    counting.write = (work, options) => {
      writes += 1;
      return own.write(work, options);
    };
    const settled: number[] = [];
    const settler = new Settler({
      ...{ clock: outbox.clock, ending: new AbortController().signal },
      ...{ own: counting, time: databaseClock, random: () => 0, maxAttempts: () => 12, disableAfterDays: () => 5 },
      onSettled: (settlement) => settled.push(settlement.settled.length),
      onError: (error) => {
        throw error;
      },
    });
    // As answers arrive: each in a callback of its own, several of them before the loop turns.
    await Promise.all(
      ends.map(
        (ended) =>
          new Promise((resolve) => {
            setImmediate(() => void settler.add(ended).then(resolve));
          }),
      ),
    );
    expect([writes, settled]).toEqual([1, [6]]);
    expect(await outbox.deliveries('status')).toEqual(won.map(() => ({ status: 'delivered' })));
  });
});
