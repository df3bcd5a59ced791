/** Verifying API keys against a store: what is let in, what it costs, and when a key ends. */
import { beforeAll, describe, expect, it, test, vi } from 'vitest';
import { createCredential } from '../../../src/crypto/credential-text.js';
import { AppError } from '../../../src/errors/app-error.js';
import { KeyVerifier } from '../../../src/identity/keys/key-verifier.js';
import { type IssuedKey, loadKey, revokeKey, rotateKey } from '../../../src/identity/keys/manage-keys.js';
import type { Observation } from '../../../src/log/observation.js';
import type { Store } from '../../../src/store/open/open.js';
import { isoTimeOfSeconds } from '../../../src/values/dates.js';
import { type FakeClock, fakeClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { seed } from '../../support/seed.js';
import { issue, migrated, openHandle, recordReads } from './key-store.js';

interface Opened {
  readonly store: Store;
  readonly clock: FakeClock;
  readonly verifier: KeyVerifier;
  readonly log: readonly Observation[];
}

const day = 86_400_000;

describeEachDatabase('verifying API keys', (database) => {
  let url: string;

  beforeAll(async () => {
    url = await migrated(await database.url());
  });

  const open = async (): Promise<Opened> => {
    const store = await openHandle(url);
    const clock = fakeClock();
    const log: Observation[] = [];
    const verifier = new KeyVerifier({ store, clock, log: (fact) => log.push(fact) });
    return { store, clock, verifier, log };
  };
  const run = (store: Store, sql: string): Promise<unknown> => store.own.write((tx) => tx.run({ sql, params: [] }));

  const refusals: readonly [name: string, make: (opened: Opened) => Promise<string>][] = [
    ['an unknown lookup id', async () => createCredential('gk').text],
    ['a wrong secret', async ({ store }) => createCredential('gk', (await issue(store)).lookupId).text],
    [
      'a revoked key',
      async ({ store, clock }) => {
        const { id, key } = await issue(store);
        await revokeKey(store, { id }, clock.now());
        return key;
      },
    ],
    ['an expired key', async ({ store, clock }) => (await issue(store, { now: 0, expiresOn: clock.now() })).key],
    [
      'a secret that was replaced',
      async ({ store, clock }) => {
        const { id, key } = await issue(store);
        await rotateKey(store, { selector: { id }, overlap: 0, now: clock.now() });
        return key;
      },
    ],
  ];

  test.each(refusals)('refuses %s, each time by one indexed read', async (_name, make) => {
    const opened = await open();
    const text = await make(opened);
    const reads = recordReads(opened.store);
    for (let count = 1; count <= 3; count += 1) {
      expect(await opened.verifier.verify(text)).toBeNull();
      expect(reads.length).toBe(count);
    }
    expect(new Set(reads).size).toBe(1);
    expect(reads[0]).toMatch(/ WHERE `lookup_id` = \?$/);
  });

  it('does not ask the database for a text that is not a key', async () => {
    const { store, verifier } = await open();
    const { key } = await issue(store);
    const reads = recordReads(store);
    const mistyped = [...key].map((letter, at) => key.slice(0, at) + (letter === 'a' ? 'b' : 'a') + key.slice(at + 1));
    for (const text of ['', 'x', 'gk_', key.slice(0, -1), `${key}a`, `${key} `, key.toUpperCase(), ...mistyped]) {
      expect(await verifier.verify(text)).toBeNull();
    }
    expect(reads).toEqual([]);
  });

  it('does not remember what it read before a revocation', async () => {
    const { store, clock, verifier } = await open();
    const { id, key } = await issue(store);
    const hook: { next: (() => Promise<unknown>) | null } = { next: null };
    recordReads(store, {
      before: async () => {
        const { next } = hook;
        hook.next = null;
        await next?.();
      },
    });
    // The revocation happens after the row was read and before it is remembered.
    hook.next = () => revokeKey(store, { id }, clock.now());
    await verifier.verify(key);
    expect(await verifier.verify(key)).toBeNull();
  });

  it.each([0, 1, 499, 500, 999])(
    'lets a key end at the second that is shown, made %i ms after a full second',
    async (ms) => {
      const { store, clock, verifier } = await open();
      await clock.advance(ms);
      const before = await issue(store, { expiresOn: clock.now() + 2 * day });
      const { key: after, previousEndsOn } = await rotateKey(store, {
        selector: { id: before.id },
        overlap: day,
        now: clock.now(),
      });
      // A row of an earlier version has milliseconds.
      await run(store, `UPDATE hcd_api_keys SET expires_on = expires_on + ${ms} WHERE id = ${before.id}`);
      const worksUntil = async (key: string, end: string | null): Promise<boolean[]> => {
        await clock.advance(Date.parse(end ?? '') - clock.now() - 1);
        const works = (await verifier.verify(key)) !== null;
        await clock.advance(1);
        return [works, (await verifier.verify(key)) !== null];
      };
      expect(await worksUntil(before.key, isoTimeOfSeconds((previousEndsOn ?? 0) / 1000))).toEqual([true, false]);
      const { expiresOn } = await loadKey(store, { id: before.id }, clock.now());
      expect(await worksUntil(after.key, isoTimeOfSeconds((expiresOn ?? 0) / 1000))).toEqual([true, false]);
      expect((await loadKey(store, { id: before.id }, clock.now())).state).toBe('expired');
    },
  );

  it('accepts the old and the new secret during an overlap, then only the new one', async () => {
    const { store, clock, verifier } = await open();
    const before = await issue(store, { name: 'site', scopes: ['chunks.read'] });
    const { key: after, previousEndsOn } = await rotateKey(store, {
      selector: { lookupId: before.lookupId },
      overlap: 7 * day,
      now: clock.now(),
    });
    expect(after).toEqual({ ...before, key: after.key });
    expect(after.key).not.toBe(before.key);
    expect(previousEndsOn).toBe(clock.now() + 7 * day);
    await clock.advance(7 * day - 1);
    const identity = { kind: 'api_key', id: before.lookupId, scopes: new Set(['chunks.read']), userId: null };
    expect(await verifier.verify(before.key)).toEqual(identity);
    expect(await verifier.verify(after.key)).toEqual(identity);
    await clock.advance(1);
    expect(await verifier.verify(before.key)).toBeNull();
    expect(await verifier.verify(after.key)).toEqual(identity);
  });

  it('ends both secrets of an overlap with the key, and all older ones by a rotation without overlap', async () => {
    const { store, clock, verifier } = await open();
    const first = await issue(store, { expiresOn: clock.now() + day });
    const selector = { id: first.id };
    const { key: second } = await rotateKey(store, { selector, overlap: 7 * day, now: clock.now() });
    await expect(rotateKey(store, { selector, overlap: day, now: clock.now() })).rejects.toMatchObject({
      code: 'refused',
      message: `The key ${first.id} has an old secret that works until 2026-11-28T09:30:00Z; wait, or rotate without --overlap to end both now`,
    });
    const { key: third } = await rotateKey(store, { selector, overlap: 0, now: clock.now() });
    const answers = async (keys: readonly IssuedKey[]): Promise<boolean[]> =>
      Promise.all(keys.map(async ({ key }) => (await verifier.verify(key)) !== null));
    expect(await answers([first, second, third])).toEqual([false, false, true]);
    const { key: fourth } = await rotateKey(store, { selector, overlap: 7 * day, now: clock.now() });
    expect(await answers([second, third, fourth])).toEqual([false, true, true]);
    await clock.advance(day);
    expect(await answers([third, fourth])).toEqual([false, false]);
    await expect(rotateKey(store, { selector, overlap: 0, now: clock.now() })).rejects.toMatchObject({
      code: 'refused',
    });
  });

  it('refuses to rotate a revoked key, and lets one of two simultaneous rotations win', async () => {
    const { store, clock } = await open();
    const { id } = await issue(store);
    const rotate = () => rotateKey(store, { selector: { id }, overlap: 0, now: clock.now() });
    const outcomes = await Promise.allSettled([rotate(), rotate()]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await revokeKey(store, { id }, clock.now());
    await expect(rotate()).rejects.toMatchObject({
      code: 'refused',
      message: `The key ${id} was revoked; make a new one: hcd key create`,
    });
  });

  it('grants nothing by a row whose scopes are damaged', async () => {
    const { store, clock, verifier } = await open();
    const { id, key } = await issue(store);
    for (const damage of ['', '{', '"*"', '{"0":"*"}', '[1,null]']) {
      await run(store, `UPDATE hcd_api_keys SET scopes = '${damage}' WHERE id = ${id}`);
      expect([damage, (await verifier.verify(key))?.scopes]).toEqual([damage, new Set()]);
      await clock.advance(800);
    }
  });

  describe('of a user', () => {
    const changes: readonly [name: string, sql: string][] = [
      ['deactivated', 'UPDATE modx_users SET active = 0 WHERE id = '],
      ['blocked', 'UPDATE modx_user_attributes SET blocked = 1 WHERE internalKey = '],
      ['blocked for a time', 'UPDATE modx_user_attributes SET blockeduntil = 2000000000 WHERE internalKey = '],
      ['blocked since a time', 'UPDATE modx_user_attributes SET blockedafter = 1000000000 WHERE internalKey = '],
      ['removed', 'DELETE FROM modx_users WHERE id = '],
    ];

    test.each(changes)('that is %s refuses the key within a second', async (name, sql) => {
      const { store, clock, verifier } = await open();
      const id = 100 + changes.findIndex(([one]) => one === name);
      const username = `user ${name}`;
      await seed(store, {
        users: [{ id, username }],
        user_attributes: [{ internalKey: id, address: '', comment: '', blockeduntil: 5, blockedafter: 2_000_000_000 }],
      });
      const key = await issue(store, { username, now: clock.now() });
      expect(await verifier.verify(key.key)).toMatchObject({ userId: id });
      expect(await loadKey(store, { id: key.id }, clock.now())).toMatchObject({ state: 'active', user: username });

      await run(store, sql + id);
      await clock.advance(800);
      expect(await verifier.verify(key.key)).toBeNull();
      expect(await loadKey(store, { id: key.id }, clock.now())).toMatchObject({
        state: 'user_inactive',
        user: name === 'removed' ? `#${id}` : username,
      });
      const again = issue(store, { username, now: clock.now() });
      await expect(again).rejects.toMatchObject(
        name === 'removed'
          ? { code: 'validation_failed', message: 'no user has this name; hcd user list shows every user' }
          : { code: 'refused', message: expect.stringContaining(`The user ${username} is `) },
      );
    });

    it('is found only by the exact name', async () => {
      const { store } = await open();
      await seed(store, { users: [{ id: 90, username: 'Editor' }] });
      for (const username of ['editor', 'Editor ', 'Éditor', '😀', "Editor' OR '1'='1"]) {
        await expect(issue(store, { username })).rejects.toMatchObject({
          message: 'no user has this name; hcd user list shows every user',
        });
      }
      expect(await issue(store, { username: 'Editor' })).toMatchObject({ scopes: ['resources.read'] });
    });
  });

  describe('the last use', () => {
    const lastUse = async (store: Store, { id }: IssuedKey): Promise<number | null> =>
      (await loadKey(store, { id }, 0)).lastUsedOn;

    it('is written at most once a minute for a key, for all processes together', async () => {
      const { store, clock, verifier } = await open();
      const other = new KeyVerifier({ store: await openHandle(url), clock, log: () => undefined });
      const key = await issue(store);
      const write = vi.spyOn(store.own, 'write');
      const use = async (verifiers: readonly KeyVerifier[]): Promise<number | null> => {
        for (const one of verifiers) {
          for (let count = 0; count < 20; count += 1) await one.verify(key.key);
          await one.close();
        }
        return lastUse(store, key);
      };
      const start = clock.now();
      expect(await lastUse(store, key)).toBeNull();
      expect(await use([verifier])).toBe(start);
      await clock.advance(59_999);
      expect(await use([verifier, other])).toBe(start);
      expect(write).toHaveBeenCalledTimes(1);
      await clock.advance(1000);
      expect(await use([verifier, other])).toBe(start + 60_999);
      expect(write).toHaveBeenCalledTimes(2);
    });

    it('is collected for a second outside the request, with many keys in one write', async () => {
      const { store, clock, verifier } = await open();
      const keys = [await issue(store), await issue(store), await issue(store)];
      const write = vi.spyOn(store.own, 'write');
      for (const { key } of keys) await verifier.verify(key);
      expect([write.mock.calls.length, clock.pending]).toEqual([0, 1]);
      await clock.advance(1000);
      expect([write.mock.calls.length, clock.pending]).toEqual([1, 0]);
      await verifier.close();
      for (const key of keys) expect(await lastUse(store, key)).toBe(clock.now() - 1000);
    });

    it('is not noted for a refused key, and one that cannot be written is lost and reported, unless the database is away', async () => {
      const { store, clock, verifier, log } = await open();
      const key = await issue(store);
      const { lookupId } = key;
      const write = vi.spyOn(store.own, 'write').mockRejectedValue(new AppError('unavailable'));
      await verifier.verify(createCredential('gk', lookupId).text);
      await verifier.close();
      expect(write).not.toHaveBeenCalled();
      expect(await verifier.verify(key.key)).not.toBeNull();
      await verifier.close();
      expect([write.mock.calls.length, log]).toEqual([1, []]);
      const error = new TypeError('a fault of the program');
      write.mockRejectedValue(error);
      await clock.advance(60_000);
      expect(await verifier.verify(key.key)).not.toBeNull();
      await verifier.close();
      expect(log).toEqual([{ kind: 'unexpected_error', during: 'writing when API keys were last used', error }]);
      expect([await lastUse(store, key), clock.pending]).toEqual([null, 0]);
    });
  });
});
