/**
 * Imports are killed at random moments: the store is sound after each, and the next import completes it to the content
 * of one that was left alone. `HCD_FAULTS=full` kills more often.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { openStore } from '../../src/store/open/open.js';
import { makeOwnStore } from '../operations/copy/stores.js';
import { fileOf, type Line } from '../operations/transfer/transfer-store.js';
import { type CliOutcome, runCli, runCliProcess, startCli } from '../support/cli.js';
import { describeEachDatabase } from '../support/databases.js';
import { seededRandom } from '../support/seeded-random.js';
import { expectSound } from '../support/sound-store.js';
import { makeTempDir } from '../support/temp-dir.js';

const kills = process.env['HCD_FAULTS'] === 'full' ? 40 : 4;
const pages = 800;

/** Each page leads to one that comes later, so that it waits for it. */
function siteOf(version: number): string {
  const uri = (at: number): string => (at % 50 === 0 ? `section-${at}/` : `section-${at - (at % 50)}/page-${at}.html`);
  const lines = Array.from({ length: pages }, (_, at): Line => {
    const section = at - (at % 50);
    return [
      'resources',
      {
        ...{ context_key: 'web', uri: uri(at), alias: at % 50 === 0 ? `section-${at}` : `page-${at}` },
        ...{ pagetitle: `Page ${at} of version ${version}`, published: true, template: 'Plain' },
        // Without them they are the time of the import.
        ...{ createdon: '2026-11-21T08:00:00Z', publishedon: '2026-11-21T08:00:00Z' },
        ...(at % 50 === 0 ? { isfolder: true } : { parent: { context: 'web', uri: uri(section) } }),
        content: `<a href="[[~web:${uri((at * 7 + 1) % pages)}]]">${version}</a>`,
        tvs: { version: String(version) },
      },
    ];
  });
  return fileOf(
    ['tvs', { name: 'version' }],
    ['templates', { templatename: 'Plain', content: '', tvs: ['version'] }],
    ...lines,
    '',
  );
}

/** Runs a command inside this process: no test kills it. */
function run(words: readonly string[]): Promise<CliOutcome> {
  return runCli(words, { openStore, clock: systemClock });
}

/** The lines of an export, without its time. */
async function contentOf(url: string): Promise<readonly string[]> {
  const { code, stdout, stderr } = await run(['export', '-', '--quiet', '--database', url]);
  expect([code, stderr]).toEqual([0, '']);
  return stdout.split('\n').slice(1);
}

describeEachDatabase('a killed import', (database) => {
  it('leaves a sound store, which the next import completes', async () => {
    const random = seededRandom(`killed imports (${database.name})`);
    const folder = await makeTempDir('imports');
    const [alone, target] = [await database.url(), await database.url()];
    for (const url of [alone, target]) await makeOwnStore(url);
    const expected: (readonly string[])[] = [];
    const files: string[] = [];
    let duration = 0;
    for (const version of [1, 2]) {
      const file = join(folder, `${version}.ndjson`);
      writeFileSync(file, siteOf(version));
      const start = performance.now();
      const outcome = await runCliProcess(['import', '--quiet', file, '--database', alone]);
      expect([outcome.code, outcome.stderr]).toEqual([0, '']);
      duration = performance.now() - start;
      files.push(file);
      expected.push(await contentOf(alone));
    }
    let ended = 0;
    for (let count = 0; count < kills; count += 1) {
      const version = count % 2;
      const words = ['import', '--quiet', files[version] ?? '', '--database', target];
      const atomic = random() < 0.3 ? ['--atomic'] : [];
      const before = atomic.length > 0 ? await contentOf(target) : [];
      const started = startCli([...words, ...atomic]);
      const timer = setTimeout(duration * (0.2 + 0.6 * random())).then(() => started.kill('SIGKILL'));
      const { code } = await started.outcome;
      await timer;
      if (code === 0) ended += 1;
      await expectSound(target);
      const after = await contentOf(target);
      const known = atomic.length > 0 ? [before, expected[version]] : [];
      if (known.length > 0) expect(known).toContainEqual(after);
      const completed = await run(words);
      expect([completed.code, completed.stderr]).toEqual([0, '']);
      expect(await contentOf(target)).toEqual(expected[version]);
      await expectSound(target);
    }
    process.stdout.write(`${kills} imports were started and ${kills - ended} of them killed\n`);
  });
});
