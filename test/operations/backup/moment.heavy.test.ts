/** A backup that is taken while others write restores to one committed state. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/clock/clock.js';
import { maintenanceLimits } from '../../../src/store/base/limits.js';
import { openDatabase, openStore } from '../../../src/store/open/open.js';
import { runCli } from '../../support/cli.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { makeTempDir } from '../../support/temp-dir.js';
import { change, makeOwnStore, withDatabase } from '../copy/stores.js';

const accounts = 40;
const each = 1000;

/** Sums of the two tables, and the number of transfers that their journal holds. */
async function balance(url: string): Promise<{ sum: number; moved: number; journal: number }> {
  return withDatabase(url, async (database) => {
    const one = async (sql: string) => Number((await database.select({ sql, params: [] }))[0]?.[0]);
    return {
      sum: (await one('SELECT SUM(amount) FROM modx_first')) + (await one('SELECT SUM(amount) FROM modx_second')),
      moved: await one('SELECT SUM(moves) FROM modx_second'),
      journal: await one('SELECT COUNT(*) FROM modx_journal'),
    };
  });
}

describeEachDatabase('backups while sums are transferred', (database) => {
  test('hold one committed state each, later ones a later one, while transfers go on', async () => {
    const source = await database.url();
    await makeOwnStore(source);
    const columns = 'id INTEGER NOT NULL PRIMARY KEY, amount INTEGER NOT NULL, moves INTEGER NOT NULL';
    await change(source, [
      `CREATE TABLE modx_first (${columns})`,
      'CREATE TABLE modx_journal (id INTEGER NOT NULL PRIMARY KEY)',
      // The names decide the order of reading: the journal is read between the tables.
      `CREATE TABLE modx_second (${columns})`,
    ]);
    const rows = Array.from({ length: accounts }, (_, at) => `(${at}, ${each}, 0)`).join(', ');
    await change(source, [`INSERT INTO modx_first VALUES ${rows}`, `INSERT INTO modx_second VALUES ${rows}`]);

    const writer = await openDatabase({ url: source, limits: maintenanceLimits });
    let isEnded = false;
    let transfers = 0;
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const transferring = (async () => {
      while (!isEnded) {
        const [amount, from, to, id] = [random(50), random(accounts), random(accounts), transfers];
        await writer.write(async (tx) => {
          await tx.run({ sql: 'UPDATE modx_first SET amount = amount - ? WHERE id = ?', params: [amount, from] });
          await tx.run({ sql: 'INSERT INTO modx_journal VALUES (?)', params: [id] });
          await tx.run({
            sql: 'UPDATE modx_second SET amount = amount + ?, moves = moves + 1 WHERE id = ?',
            params: [amount, to],
          });
        });
        transfers += 1;
        // The backup runs in the same process.
        await new Promise(setImmediate);
      }
    })();
    const folder = await makeTempDir('backup');
    const states: { sum: number; moved: number; journal: number }[] = [];
    let before = 0;
    for (const name of ['a', 'b']) {
      before = transfers;
      const file = join(folder, name);
      expect((await runCli(['backup', file, '--database', source], { openStore, clock: systemClock })).code).toBe(0);
      expect(transfers).toBeGreaterThan(before);
      const target = await freshSqliteUrl();
      expect((await runCli(['restore', file, '--database', target], { openStore, clock: systemClock })).code).toBe(0);
      states.push(await balance(target));
      expect(states.at(-1)?.journal).toBeGreaterThanOrEqual(before);
    }
    isEnded = true;
    await transferring;
    await writer.close();
    for (const { sum, moved, journal } of states) {
      expect({ sum, moved }).toEqual({ sum: 2 * accounts * each, moved: journal });
    }
    expect(states.map(({ journal }) => journal)).toEqual(states.map(({ journal }) => journal).sort((a, b) => a - b));
  });
});
