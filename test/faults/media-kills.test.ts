/** Changes of files are killed before each step: a running server announces each change that took effect. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { changes } from '../../src/content/models/changes.js';
import { findMediaFile } from '../../src/files/media-folder.js';
import { deliveries } from '../../src/webhooks/models/deliveries.js';
import { insertSubscription } from '../../src/webhooks/models/subscriptions.js';
import { runCliProcess } from '../support/cli.js';
import { fakeClock } from '../support/clock.js';
import { describeEachDatabase } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { startTestSite } from '../support/site.js';
import { makeTempDir } from '../support/temp-dir.js';

/** Kills the process at its step of that number in the folder of the files. */
const killer = `
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
let step = 0;
for (const name of ['writeFile', 'link', 'rename', 'rm', 'open']) {
  const call = fs[name];
  fs[name] = (...given) => {
    const counts = /[/]files([/]|$)/.test(given[0]) && !given[0].endsWith('.gitignore');
    if (counts && ++step === Number(process.env.HCD_TEST_STEP)) process.kill(process.pid, 'SIGKILL');
    return call(...given);
  };
}
syncBuiltinESMExports();`;
const preload = `--import data:text/javascript,${encodeURIComponent(killer)}`;

describeEachDatabase('a killed change of a file', (database) => {
  it.each([
    { line: 'media put new.txt lamp.txt --events', before: null, event: 'media.created' },
    { line: 'media put new.txt lamp.txt --overwrite', before: 'old', event: null },
    { line: 'media remove lamp.txt --yes --events', before: 'old', event: 'media.deleted' },
  ])(
    'is announced later: $line',
    async ({ line, before, event }) => {
      const cwd = await makeTempDir('kills');
      const filesDir = join(cwd, 'files');
      const [file, uploads] = [join(filesDir, 'lamp.txt'), join(filesDir, '.hcd', 'uploads')];
      await mkdir(uploads, { recursive: true });
      await writeFile(join(cwd, 'new.txt'), 'new');
      const databaseUrl = await database.url();
      // A minute ahead: no process that lives is as slow.
      const clock = fakeClock(systemClock.now() + 3_000_000);
      const { store } = await startTestSite({ databaseUrl, filesDir, clock });
      const subscription = { name: null, url: 'https://example.com/', events: ['*'], active: true, secret: 'x' };
      await store.own.write((tx) => insertSubscription(tx, { ...subscription, createdBy: 'test' }));
      const version = async () => (await findMediaFile(filesDir, 'lamp.txt'))?.version;
      const announced = async () => ({
        changes: (await changes.on(store.own.primary).findAll()).filter(({ payload }) => payload?.includes('lamp.txt')),
        events: await deliveries.on(store.own.primary).findAll({ attributes: ['event'], order: ['id'] }),
      });
      const outcomes = new Set<string>();
      for (let step = 1, code: number | null = null; code === null; step += 1) {
        await rm(file, { force: true });
        if (before !== null) await writeFile(file, before);
        const [old, known] = [await version(), await announced()];
        const env = { HCD_DATABASE_URL: databaseUrl, HCD_TEST_STEP: String(step), NODE_OPTIONS: preload };
        ({ code } = await runCliProcess(line.split(' '), { cwd, env }));
        const atKill = await announced();
        await clock.advance(60_000);
        await eventually(async () =>
          expect((await readdir(uploads)).filter((name) => name.endsWith('.note'))).toEqual([]),
        );
        const now = await announced();
        const isChanged = (await version()) !== old;
        outcomes.add(`${isChanged} ${atKill.changes.length > known.changes.length}`);
        expect([step, now.changes.length > known.changes.length]).toEqual([step, isChanged]);
        const events = now.events.slice(known.events.length).map((one) => one.event);
        expect([step, [...new Set(events)]]).toEqual([step, isChanged && event !== null ? [event] : []]);
      }
      // Killed before the change, between it and its announcement, and after that.
      expect(outcomes).toEqual(new Set(['false false', 'true false', 'true true']));
    },
    300_000,
  );
});
