/** Copies that were interrupted, by a failure or a kill, go on; a source or target that changed meanwhile is found out. */
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/errors/app-error.js';
import { readProgress } from '../../../src/operations/models/copy-progress.js';
import type { Database, Tx } from '../../../src/store/base/database.js';
import { openStore, type Store } from '../../../src/store/open/open.js';
import { runCli, startCli } from '../../support/cli.js';
import { describeEachDatabase, describeWithMariadb, freshMariadbUrl, freshSqliteUrl } from '../../support/databases.js';
import { expectSound } from '../../support/sound-store.js';
import { change, columnsOf, copy, makeOwnStore, reportOf, rowsOf, withDatabase } from './stores.js';

/** More than two batches. */
const many = 2500;

async function makeSource(url: string): Promise<string> {
  await makeOwnStore(url);
  await withDatabase(url, (database) =>
    database.write(async (tx) => {
      for (let id = 1; id <= many; id += 1) await insert(tx, id);
    }),
  );
  return url;
}

async function insert(tx: Tx, id: number): Promise<void> {
  const sql = 'INSERT INTO modx_site_content (id, pagetitle, description, content) VALUES (?, ?, ?, ?)';
  await tx.run({ sql, params: [id, `page ${id}`, '', `text of page ${id}`] });
}

/** Opens stores of which the one at `url` fails at the given batch of resources. */
function failingAt(url: string, batch: number): typeof openStore {
  return async (options) => {
    const store = await openStore(options);
    if (options.databaseUrl !== url) return store;
    const failing = failingDatabase(store.content, batch);
    return { ...store, content: failing, own: failing } satisfies Store;
  };
}

function failingDatabase(database: Database, batch: number): Database {
  let batches = 0;
  return new Proxy(database, {
    get(target, name) {
      if (name !== 'write') {
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      }
      const write: Database['write'] = (work, options) =>
        target.write((tx) => {
          let counted = false;
          return work({
            dialect: tx.dialect,
            select: (statement) => tx.select(statement),
            query: (table, work) => tx.query(table, work),
            run(statement) {
              if (!counted && statement.sql.startsWith('INSERT INTO `modx_site_content`')) {
                counted = true;
                batches += 1;
              }
              if (batches < batch) return tx.run(statement);
              throw new AppError('unavailable');
            },
          });
        }, options);
      return write;
    },
  });
}

async function expectSame(source: string, target: string): Promise<void> {
  const columns = await columnsOf(source, 'modx_site_content');
  expect(await rowsOf(target, 'modx_site_content', columns)).toEqual(
    await rowsOf(source, 'modx_site_content', columns),
  );
}

describeEachDatabase('an interrupted copy', (database) => {
  test('goes on after the last committed batch', async () => {
    const [source, target] = [await makeSource(await freshSqliteUrl()), await database.url()];
    const first = await copy(source, target, { openStore: failingAt(target, 3) });
    expect(first).toMatchObject({ code: 3, error: { code: 'unavailable' } });
    const done = await rowsOf(target, 'modx_site_content', ['id']);
    expect(done.length).toBeGreaterThan(0);
    expect(done.length).toBeLessThan(many);
    const second = await copy(source, target);
    expect(second).toMatchObject({ code: 0, data: { complete: true } });
    expect(reportOf(second, 'modx_site_content')).toMatchObject({
      copied: many,
      resumed_rows: done.length,
      verified: true,
    });
    expect(second.data?.notes.filter((note) => note.includes('changed'))).toEqual([]);
    await expectSame(source, target);
  });

  test('copies a table again and reports it when the source has changed its copied rows', async () => {
    const [source, target] = [await makeSource(await freshSqliteUrl()), await database.url()];
    await copy(source, target, { openStore: failingAt(target, 3) });
    await change(source, [
      "UPDATE modx_site_content SET pagetitle = 'changed meanwhile' WHERE id = 5",
      "INSERT INTO modx_site_content (id, description) VALUES (9000, '')",
      'DELETE FROM modx_site_content WHERE id = 7',
    ]);
    const second = await copy(source, target);
    expect(second.code).toBe(0);
    expect(reportOf(second, 'modx_site_content')).toMatchObject({ source_rows: many, copied: many, resumed_rows: 0 });
    expect(second.data?.notes).toContain(
      'The source has changed since the interrupted run; copied again: modx_site_content.',
    );
    await expectSame(source, target);
  });

  test('adds rows that were appended to the source without starting again', async () => {
    const [source, target] = [await makeSource(await freshSqliteUrl()), await database.url()];
    await copy(source, target, { openStore: failingAt(target, 3) });
    await withDatabase(source, (opened) => opened.write((tx) => insert(tx, 100_000)));
    const second = await copy(source, target);
    expect(reportOf(second, 'modx_site_content')).toMatchObject({ copied: many + 1, verified: true });
    expect(reportOf(second, 'modx_site_content')?.['resumed_rows']).not.toBe(0);
    await expectSame(source, target);
  });

  test('finds a row that was changed in the target and corrects it in the next run', async () => {
    const [source, target] = [await makeSource(await freshSqliteUrl()), await database.url()];
    await copy(source, target, { openStore: failingAt(target, 3) });
    await change(target, ["UPDATE modx_site_content SET pagetitle = 'meddled' WHERE id = 2"]);
    const second = await copy(source, target);
    expect(second).toMatchObject({ code: 1, data: { complete: false } });
    expect(second.data?.tables.filter((table) => table['verified'] !== true).map((table) => table['table'])).toEqual([
      'modx_site_content',
    ]);
    expect((await copy(source, target)).code).toBe(0);
    await expectSame(source, target);
  });

  test('belongs to the process that came last, and both never report success for a mixture', async () => {
    const [source, target] = [await makeSource(await freshSqliteUrl()), await database.url()];
    await copy(source, target, { openStore: failingAt(target, 2) });
    const outcomes = await Promise.all([copy(source, target), copy(source, target)]);
    // The later one may find the copy complete, compare it and say so.
    expect(outcomes.map(({ code }) => code)).toContain(0);
    for (const { code, error, data } of outcomes) {
      if (code === 0) expect(data?.complete).toBe(true);
      else expect([code, error?.message]).toEqual([1, expect.stringMatching(/^Another process copies into the same/)]);
    }
    await expectSame(source, target);
  });

  test('is continued with the same choice only', async () => {
    const [source, other, target] = [
      await makeSource(await freshSqliteUrl()),
      await freshSqliteUrl(),
      await database.url(),
    ];
    await makeOwnStore(other);
    await copy(source, target, { openStore: failingAt(target, 2) });
    const refusals = [await copy(other, target), await copy(source, target, { tables: 'core' })];
    for (const refused of refusals) {
      expect(refused).toMatchObject({ code: 1, error: { code: 'refused' } });
      expect(refused.error?.message).toMatch(
        /holds an unfinished copy that was started with other options \(source sqlite:.* modx_, tables all, include nothing\)/,
      );
    }
    const fromHere = await copy(target, await freshSqliteUrl());
    expect(fromHere.error?.message).toMatch(/is itself an unfinished copy/);
  });
});

describeWithMariadb('a copy that is killed', () => {
  test.each([
    ['SQLite', freshSqliteUrl],
    ['MariaDB', freshMariadbUrl],
  ])(
    'goes on in %s',
    async (_name, fresh) => {
      const [source, target] = [await makeSource(await freshMariadbUrl()), await fresh()];
      await withDatabase(source, (opened) =>
        opened.write(async (tx) => {
          const copies =
            'INSERT INTO modx_site_content (pagetitle, description, content) SELECT pagetitle, description, REPEAT(pagetitle, 40) FROM modx_site_content';
          for (const _again of [1, 2, 3]) await tx.run({ sql: copies, params: [] });
        }),
      );
      const child = startCli(['db', 'copy', '--from', source, '--to', target]);
      await copiedRows(target, { wanted: 2000, child: child.outcome });
      child.kill('SIGKILL');
      expect((await child.outcome).code).toBeNull();
      const half = await runCli('resource list', { openStore, env: { HCD_DATABASE_URL: target } });
      expect([half.code, half.stderr]).toEqual([
        3,
        expect.stringContaining('A copy into this database is not finished'),
      ]);
      const second = await copy(source, target);
      expect(second.code).toBe(0);
      const report = reportOf(second, 'modx_site_content');
      expect(report).toMatchObject({ source_rows: many * 8, copied: many * 8, verified: true });
      expect(Number(report?.['resumed_rows'])).toBeGreaterThanOrEqual(2000);
      await expectSame(source, target);
      await expectSound({ url: target, except: ['uris'] });
    },
    60_000,
  );
});

/** Waits until the copy into the database has committed so many resources; fails when it ends before. */
async function copiedRows(
  url: string,
  { wanted, child }: { readonly wanted: number; readonly child: Promise<{ readonly stderr: string }> },
): Promise<void> {
  let ended: string | undefined;
  void child.then(({ stderr }) => {
    ended = stderr;
  });
  await withDatabase(url, async (database) => {
    for (;;) {
      const copied = (await readProgress(database.primary).catch(() => null))?.tables.get('modx_site_content')?.copied;
      if ((copied ?? 0) >= wanted) return;
      if (ended !== undefined) throw new Error(`the copy ended too early: ${ended}`);
      // The child needs the processor, and the turn has to go on for a failed one to be noticed.
      await setTimeout(5);
    }
  });
}
