/**
 * `hcd migrate` is killed at random moments, and runs twice at once: the next run completes what was begun, and the store
 * is sound. `HCD_FAULTS=full` kills more often.
 */
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { migrations } from '../../migrations/list.js';
import { runCliProcess, startCli } from '../support/cli.js';
import { describeEachDatabase } from '../support/databases.js';
import { seededRandom } from '../support/seeded-random.js';
import { expectSound } from '../support/sound-store.js';

const stores = process.env['HCD_FAULTS'] === 'full' ? 12 : 2;
const kills = 4;

describeEachDatabase('migrations', (database) => {
  it('that are killed repeatedly are completed by the next run', async () => {
    const random = seededRandom(`killed migrations (${database.name})`);
    let cut = 0;
    for (let count = 0; count < stores; count += 1) {
      const words = ['migrate', '--quiet', '--database', await database.url()];
      let [earliest, latest] = [0, 1500];
      for (let kill = 0; kill < kills; kill += 1) {
        const process = startCli(words);
        // Between the start of the program and its end, wherever the machine has them now.
        const wait = earliest + (latest - earliest) * random();
        const ended = process.outcome.then(({ code }) => code);
        const code = await Promise.race([ended, setTimeout(wait, 'runs' as const)]);
        process.kill('SIGKILL');
        await process.outcome;
        if (code === 'runs') {
          cut += 1;
          earliest = wait / 2;
        } else latest = wait;
      }
      const last = await runCliProcess(words);
      expect([last.code, last.stderr]).toEqual([0, '']);
      await expectSound(words.at(-1) ?? '');
    }
    expect(cut).toBeGreaterThan(0);
  });

  it('that four processes run at once are applied once', async () => {
    const words = ['migrate', '--json', '--database', await database.url()];
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => runCliProcess(words)));
    expect(outcomes.map(({ code, stderr }) => [code, stderr])).toEqual(outcomes.map(() => [0, '']));
    const applied = outcomes.flatMap(({ stdout }) => JSON.parse(stdout).data.migrations);
    expect(applied.sort()).toEqual(migrations.map(({ name }) => name));
    await expectSound(words.at(-1) ?? '');
  });
});
