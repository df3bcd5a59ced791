/** Requests that wait for a connection before anything is done for them. */
import { describe, expect, test } from 'vitest';
import { Door } from '../../src/store/mariadb/door.js';
import { openDatabase } from '../../src/store/open/open.js';
import { fakeClock } from '../support/clock.js';
import { describeWithMariadb, freshMariadbUrl, freshSqliteUrl } from '../support/databases.js';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

function openDoor(use: { using: number; waiting: number }) {
  const clock = fakeClock();
  const door = new Door({ clock, connections: 10, use: () => use });
  const entered: string[] = [];
  const ask = (name: string): boolean => {
    const pass = door.pass();
    if (pass === null) entered.push(name);
    else void pass.then(() => entered.push(name));
    return pass === null;
  };
  return { clock, door, entered, ask };
}

describe('door', () => {
  test('lets as many enter in a turn as find connections, and four more', async () => {
    const use = { using: 7, waiting: 0 };
    const { ask, entered } = openDoor(use);
    const names = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
    expect(names.map(ask)).toEqual([...Array<boolean>(7).fill(true), false, false]);
    use.using = 10;
    use.waiting = 4;
    await nextTurn();
    await nextTurn();
    expect(entered).toEqual(names.slice(0, 7));
    use.waiting = 3;
    await nextTurn();
    expect(entered).toEqual(names.slice(0, 7));
  });

  test('lets them enter in the order of asking when a connection is free', async () => {
    const use = { using: 10, waiting: 4 };
    const { ask, door, entered } = openDoor(use);
    expect(['first', 'second', 'third'].map(ask)).toEqual([false, false, false]);
    await nextTurn();
    use.waiting = 3;
    door.look();
    await nextTurn();
    expect(entered).toEqual(['first', 'second']);
    // Who comes now waits behind who came before.
    use.waiting = 4;
    expect(ask('fourth')).toBe(false);
    use.waiting = 0;
    door.look();
    await nextTurn();
    expect(entered).toEqual(['first', 'second', 'third', 'fourth']);
  });

  test('lets a request enter after a quarter of a second in any case', async () => {
    const { ask, clock, door, entered } = openDoor({ using: 10, waiting: 4 });
    expect(ask('one')).toBe(false);
    await nextTurn();
    await clock.advance(249);
    door.look();
    await nextTurn();
    expect(entered).toEqual([]);
    await clock.advance(1);
    door.look();
    await nextTurn();
    expect(entered).toEqual(['one']);
  });
});

test('an embedded database has none', async () => {
  const database = await openDatabase({ url: await freshSqliteUrl() });
  expect(database.entrance).toBeUndefined();
  await database.close();
});

describeWithMariadb('on MariaDB', () => {
  test('who waits enters when a statement has ended', async () => {
    const database = await openDatabase({ url: await freshMariadbUrl() });
    const slow = Array.from({ length: 30 }, () => database.select({ sql: 'SELECT SLEEP(0.05)', params: [] }));
    await nextTurn();
    const began = performance.now();
    const pass = database.entrance?.();
    expect(pass).toBeInstanceOf(Promise);
    await pass;
    // On a busy machine it may have waited for as long as it has to.
    if (performance.now() - began < 250) expect(database.poolUse()?.waiting).toBeLessThanOrEqual(4);
    await Promise.all(slow);
    expect(database.entrance?.()).toBeNull();
    await database.close();
  });
});
