/** Groups and roles of the users behind keys and tokens: read once in a while, and never older than the promised second. */
import { expect, it } from 'vitest';
import type { Principal } from '../../src/access/acl.js';
import type { Clock } from '../../src/clock/clock.js';
import { type DatabaseMark, knownMark, rememberVerified } from '../../src/memory/seen-memory.js';
import type { Database, Reader } from '../../src/store/base/database.js';
import { fakeClock } from '../support/clock.js';

const member = (group: number): Principal => ({ userId: 4, sudo: false, groups: new Map([[group, 0]]) });

function remember(
  read: (userId: number) => Promise<Principal | null>,
  known: { readonly clock: Pick<Clock, 'elapsed' | 'now'>; readonly mark: () => DatabaseMark },
): (userId: number) => Promise<Principal | null> {
  const principalBy = rememberVerified<Principal>({ own: {} as Database, ...known });
  return async (userId) =>
    principalBy(`${userId}`, async () => {
      const value = await read(userId);
      return value === null ? null : { value, endsOn: Number.POSITIVE_INFINITY };
    });
}

let mark = 1;

it('reads a user again after 800 milliseconds, and each user by itself', async () => {
  const clock = fakeClock();
  const reads: number[] = [];
  const principal = remember(
    async (userId) => {
      reads.push(userId);
      return userId === 4 ? member(reads.length) : null;
    },
    { clock, mark: () => mark },
  );
  expect([await principal(4), await principal(4), await principal(5), await principal(5)]).toEqual([
    member(1),
    member(1),
    null,
    null,
  ]);
  await clock.advance(799);
  expect(await principal(4)).toEqual(member(1));
  await clock.advance(1);
  expect(await principal(4)).toEqual(member(4));
  expect(reads).toEqual([4, 5, 5, 4]);
});

it('reads a user again once the database was changed, and always while it cannot tell', async () => {
  let count = 0;
  const clock = fakeClock();
  const principal = remember(
    async () => {
      count += 1;
      return member(count);
    },
    { clock, mark: () => mark },
  );
  expect([await principal(4), await principal(4)]).toEqual([member(1), member(1)]);
  mark = 2;
  expect([await principal(4), await principal(4)]).toEqual([member(2), member(2)]);
  mark = Number.NaN;
  expect([await principal(4), await principal(4)]).toEqual([member(3), member(4)]);
  mark = 1;
});

it('counts from when the user was asked for, not from when the answer came', async () => {
  const clock = fakeClock();
  let count = 0;
  const principal = remember(
    async () => {
      count += 1;
      await clock.sleep(500);
      return member(count);
    },
    { clock, mark: () => mark },
  );
  const first = principal(4);
  await clock.advance(500);
  expect(await first).toEqual(member(1));
  await clock.advance(300);
  const second = principal(4);
  await clock.advance(500);
  expect(await second).toEqual(member(2));
});

it('does not remember a failure', async () => {
  let isDown = true;
  const principal = remember(
    async () => {
      if (isDown) throw new Error('away');
      return member(1);
    },
    { clock: fakeClock(), mark: () => mark },
  );
  await expect(principal(4)).rejects.toThrow('away');
  isDown = false;
  expect(await principal(4)).toEqual(member(1));
});

it('reads a user again once a database that is asked for its state has told another one', async () => {
  let version = 1;
  let count = 0;
  const reader = { dialect: 'mariadb', knownVersion: () => version } as unknown as Reader;
  const principal = remember(
    async () => {
      count += 1;
      return member(count);
    },
    { clock: fakeClock(), mark: knownMark(reader) },
  );
  expect([await principal(4), await principal(4)]).toEqual([member(1), member(1)]);
  version = 2;
  expect([await principal(4), await principal(4)]).toEqual([member(2), member(2)]);
});
