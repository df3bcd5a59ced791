/**
 * Backups and restores are killed at random moments: a backup leaves a whole file or none, a restore the old store or the
 * new one. `HCD_FAULTS=full` kills more often.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { openStore } from '../../src/store/open/open.js';
import { change, makeOwnStore, tablesOf, withDatabase } from '../operations/copy/stores.js';
import { runCli, runCliProcess, startCli } from '../support/cli.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { seededRandom } from '../support/seeded-random.js';
import { expectSound } from '../support/sound-store.js';
import { makeTempDir } from '../support/temp-dir.js';

const kills = process.env['HCD_FAULTS'] === 'full' ? 60 : 8;
const rows = 6000;

/** A store whose every row of a table says which store it is, large enough to be killed in its middle. */
async function makeStore(url: string, name: string): Promise<void> {
  await makeOwnStore(url, { site_content: [{ id: 1, pagetitle: name, uri: `${name}.html` }] });
  await change(url, [
    'CREATE TABLE modx_bulk (id INTEGER NOT NULL PRIMARY KEY, store VARCHAR(20) NOT NULL, filler VARCHAR(1000) NOT NULL)',
  ]);
  await withDatabase(url, (database) =>
    database.write(async (tx) => {
      for (let at = 0; at < rows; at += 500) {
        const values = Array.from(
          { length: 500 },
          (_, more) => `(${at + more}, '${name}', '${String(at * 7919 + more).repeat(60)}')`,
        );
        await tx.run({ sql: `INSERT INTO modx_bulk VALUES ${values.join(', ')}`, params: [] });
      }
    }),
  );
}

/** What the store says of itself: name and number of the rows in both tables, and whether the engine finds it sound. */
async function describeStore(url: string): Promise<unknown> {
  return withDatabase(url, async (database) => {
    const select = (sql: string) => database.select({ sql, params: [] });
    return {
      pages: await select('SELECT pagetitle FROM modx_site_content'),
      bulk: await select('SELECT store, COUNT(*) FROM modx_bulk GROUP BY store'),
      sound: database.dialect === 'sqlite' ? await select('PRAGMA integrity_check') : 'ok',
    };
  });
}

/** Runs the program and kills it after the time, unless it ended before. */
async function killAfter(words: readonly string[], milliseconds: number): Promise<number | null> {
  const process = startCli(words);
  const timer = new AbortController();
  const killed = setTimeout(milliseconds, undefined, { signal: timer.signal }).then(
    () => process.kill('SIGKILL'),
    () => undefined,
  );
  const { code } = await process.outcome;
  timer.abort();
  await killed;
  return code;
}

/** Milliseconds that the program takes when it is left alone. */
async function durationOf(words: readonly string[]): Promise<number> {
  const start = performance.now();
  const outcome = await runCliProcess(words);
  expect([words[0], outcome.code, outcome.stderr]).toEqual([words[0], 0, '']);
  return performance.now() - start;
}

describeEachDatabase('a killed process', (database) => {
  it('that backs up leaves a whole file or none, and earlier ones stay', async () => {
    const random = seededRandom(`killed backups (${database.name})`);
    const [source, folder] = [await database.url(), await makeTempDir('backups')];
    await makeStore(source, 'old');
    const words = ['backup', '--quiet', '--dir', folder, '--database', source];
    const duration = await durationOf(words);
    let ended = 1;
    for (let count = 0; count < kills; count += 1) {
      if ((await killAfter([...words, '--keep', '1000'], duration * (0.3 + 0.8 * random()))) === 0) ended += 1;
    }
    await durationOf(words);
    ended += 1;
    const files = readdirSync(folder);
    expect(files.filter((name) => name.endsWith('.partial'))).toEqual([]);
    // One may be killed after the file has its name and before the process has ended.
    expect(files.length).toBeGreaterThanOrEqual(ended);
    for (const name of files) {
      const target = await freshSqliteUrl();
      const restored = await runCli(['restore', join(folder, name), '--database', target], {
        openStore,
        clock: systemClock,
      });
      expect(restored.code).toBe(0);
      expect(await describeStore(target)).toMatchObject({ bulk: [['old', rows]], sound: [['ok']] });
      await expectSound(target);
    }
  });

  it('that restores leaves the old store or the new one, and the next restore succeeds', async () => {
    const random = seededRandom(`killed restores (${database.name})`);
    const [target, folder] = [await database.url(), await makeTempDir('backups')];
    const files = new Map<string, string>();
    for (const name of ['even', 'odd']) {
      const source = await freshSqliteUrl();
      await makeStore(source, name);
      files.set(name, join(folder, name));
      await durationOf(['backup', '--quiet', join(folder, name), '--database', source]);
    }
    const restore = (name: string) => ['restore', '--quiet', '--yes', files.get(name) ?? '', '--database', target];
    const duration = await durationOf(restore('even'));
    let present = 'even';
    let exchanges = 0;
    for (let count = 0; count < kills; count += 1) {
      const next = present === 'even' ? 'odd' : 'even';
      // The end, where the stores change places, is met more often.
      const share = random() < 0.5 ? random() : 0.8 + 0.3 * random();
      const code = await killAfter(restore(next), duration * share);
      const found = await describeStore(target);
      const name = JSON.stringify(found).includes(next) ? next : present;
      expect(found).toMatchObject({ pages: [[name]], bulk: [[name, rows]] });
      if (code === 0) expect(name).toBe(next);
      await expectSound(target);
      if (name === next) exchanges += 1;
      present = name;
    }
    await durationOf(restore('even'));
    expect(await describeStore(target)).toMatchObject({ pages: [['even']], bulk: [['even', rows]] });
    expect(await tablesOf(target, 'hcd_restore')).toEqual([]);
    const path = target.startsWith('sqlite:') ? target.slice('sqlite:'.length) : null;
    for (const end of ['.restore', '.restore-wal', '-journal'])
      expect(path !== null && existsSync(path + end)).toBe(false);
    process.stdout.write(`${kills} restores were killed or ended, ${exchanges} of them after the exchange\n`);
  });
});
