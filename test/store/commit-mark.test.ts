/** What tells of commits of every program on MariaDB. */
import { expect, test } from 'vitest';
import type { RawRow, Statement } from '../../src/store/base/database.js';
import { CommitMark } from '../../src/store/mariadb/commit-mark.js';
import { openDatabase } from '../../src/store/open/open.js';
import { fakeClock } from '../support/clock.js';
import { describeWithMariadb, freshMariadbUrl } from '../support/databases.js';

function fakeServer({ exceptions = 0 } = {}) {
  const clock = fakeClock();
  const server: { position: number | null; looks: number; exceptions: number; delayMs: number } = {
    ...{ position: 1, looks: 0, delayMs: 0 },
    exceptions,
  };
  const mark = new CommitMark(async ({ sql }: Statement): Promise<readonly RawRow[]> => {
    if (!sql.startsWith('SHOW')) return [[server.exceptions]];
    server.looks += 1;
    const { position } = server;
    if (server.delayMs > 0) await clock.sleep(server.delayMs);
    return position === null ? [] : [['Innodb_lsn_current', String(position)]];
  }, clock);
  return { clock, server, mark };
}

test('a position counts when it has stood for a while', async () => {
  const { clock, server, mark } = fakeServer();
  expect(await mark.read()).toBeNaN();
  await clock.advance(9);
  expect(await mark.read()).toBeNaN();
  await clock.advance(1);
  expect(await mark.read()).toBe(1);
  server.position = 2;
  expect(await mark.read()).toBeNaN();
  await clock.advance(10);
  expect(await mark.read()).toBe(2);
});

test('the mark is not a number with tables of other engines and on clusters', async () => {
  const { clock, server, mark } = fakeServer({ exceptions: 1 });
  await mark.read();
  await clock.advance(1000);
  expect(await mark.read()).toBeNaN();
  const { looks } = server;
  expect(await mark.read()).toBeNaN();
  expect(server.looks).toBe(looks);
});

test('the mark is not a number once a table has got another engine', async () => {
  const { clock, server, mark } = fakeServer();
  const settled = async () => {
    await mark.read();
    await clock.advance(10);
    return mark.read();
  };
  expect(await settled()).toBe(1);
  // It is looked for again after a second at most.
  server.exceptions = 1;
  server.position = 2;
  await settled();
  await clock.advance(1000);
  expect(await mark.read()).toBeNaN();
  await clock.advance(1000);
  expect(await mark.read()).toBeNaN();
});

test('a server that does not answer delays no caller for long, and is asked again only after its answer', async () => {
  const { clock, server, mark } = fakeServer();
  await mark.read();
  await clock.advance(10);
  server.delayMs = 4000;
  const ended: string[] = [];
  const ask = (name: string) => void mark.read().then((found) => ended.push(`${name} ${found}`));
  ask('first');
  await clock.advance(100);
  ask('second');
  await clock.advance(250);
  expect(ended).toEqual(['first NaN', 'second NaN']);
  server.delayMs = 0;
  const { looks } = server;
  expect(await mark.read()).toBeNaN();
  expect(server.looks).toBe(looks);
  await clock.advance(4000);
  expect(await mark.read()).toBe(1);
});

describeWithMariadb('on MariaDB', () => {
  const settled = async (read: () => Promise<number>): Promise<number> => {
    let found = Number.NaN;
    while (Number.isNaN(found)) found = await read();
    return found;
  };

  test('each commit of another connection gives another mark, and reads give none', async () => {
    const url = await freshMariadbUrl();
    const [one, other] = await Promise.all([openDatabase({ url }), openDatabase({ url })]);
    const run = (sql: string) => other.write((tx) => tx.run({ sql, params: [] }));
    const read = () => settled(() => one.laterVersion?.() ?? Promise.reject(new Error('no mark')));
    await run('CREATE TABLE numbers (id INT PRIMARY KEY, number INT)');
    let before = await read();
    for (const sql of [
      'INSERT INTO numbers VALUES (1, 1)',
      'UPDATE numbers SET number = 2',
      'ALTER TABLE numbers ADD COLUMN more INT NULL',
      'DELETE FROM numbers',
    ]) {
      await run(sql);
      expect(await one.laterVersion?.()).not.toBe(before);
      before = await read();
    }
    await Promise.all([one.close(), other.close()]);
  });
});
