/** Changes of the list of page tokens: what is stored, and that changes made at the same time never lose one another. */
import { beforeAll, describe, expect, it } from 'vitest';
import { decodePageTokens, formatPageTokens, type PageToken } from '../../../src/config/pages-settings.js';
import { setSystemSetting } from '../../../src/content/models/settings.js';
import { hmacSha256Hex } from '../../../src/crypto/primitives.js';
import { type IssuedToken, revokeToken } from '../../../src/identity/page-tokens/manage-tokens.js';
import { tokenUses } from '../../../src/identity/page-tokens/token-verifier.js';
import type { Store } from '../../../src/store/open/open.js';
import { fakeClock } from '../../support/clock.js';
import {
  describeEachDatabase,
  describeWithMariadb,
  executeOnMariadb,
  freshMariadbUrl,
  freshSqliteUrl,
} from '../../support/databases.js';
import { describeWithFixture, loadFixture } from '../../support/fixture.js';
import { migrated, openHandle } from '../keys/key-store.js';
import { issue, start, storedText } from './token-store.js';

const day = 86_400_000;

const stored = async (store: Store): Promise<readonly PageToken[]> =>
  decodePageTokens((await storedText(store, 'pages_rest_tokens')) ?? '[]') ?? [];

const set = (store: Store, key: string, value: string) =>
  store.content.write((tx) => setSystemSetting(tx, store.prefix, { key, value, kind: 'text' }));

const noLog = () => undefined;

describeEachDatabase('the list of page tokens', (database) => {
  let template: () => Promise<Store>;

  beforeAll(() => {
    template = async () => openHandle(await migrated(await database.url()));
  });

  it('keeps the record of the contract without the secret', async () => {
    const store = await template();
    const token = await issue(store, { name: 'Größe 🙂 "x"', expiresOn: start + 90 * day });
    const siteId = (await storedText(store, 'site_id')) ?? '';
    expect(siteId).toMatch(/^[0-9a-f]{32}$/);
    expect(token).toEqual({
      id: 1,
      name: 'Größe 🙂 "x"',
      token: expect.stringMatching(/^pt_[0-9a-f]{8}_[0-9A-Za-z]{49}$/),
      prefix: token.token.slice(0, 11),
      scopes: ['pages.read', 'catalog.read'],
      expires: start / 1000 + 90 * 86_400,
    });
    const text = (await storedText(store, 'pages_rest_tokens')) ?? '';
    expect(text).toMatch(/^[ -~]*$/);
    expect(JSON.parse(text)).toEqual([
      {
        id: 1,
        name: 'Größe 🙂 "x"',
        prefix: token.prefix,
        hash: hmacSha256Hex(siteId, token.token),
        scopes: ['pages.read', 'catalog.read'],
        created: '2026-11-21T09:30:00Z',
        expires: '2027-02-19T09:30:00Z',
        revoked: null,
        lastUsed: null,
      },
    ]);
  });

  it('uses the site id of the CMS, or a pepper if one is set', async () => {
    const store = await template();
    await set(store, 'site_id', 'modx5f0c1f9e8d7a6');
    const first = await issue(store);
    await set(store, 'pages_rest_token_pepper', 'a pepper'.padEnd(16, '!').replaceAll(' ', '-'));
    const second = await issue(store);
    const third = await issue(store, { env: { HCD_PAGES_REST_TOKEN_PEPPER: 'pepper-of-the-environment' } });
    expect((await stored(store)).map(({ hash }) => hash)).toEqual([
      hmacSha256Hex('modx5f0c1f9e8d7a6', first.token),
      hmacSha256Hex('a-pepper!!!!!!!!', second.token),
      hmacSha256Hex('pepper-of-the-environment', third.token),
    ]);
    expect(await storedText(store, 'site_id')).toBe('modx5f0c1f9e8d7a6');
  });

  it('fills in a site id that is empty', async () => {
    const store = await template();
    await set(store, 'site_id', '');
    await issue(store);
    expect(await storedText(store, 'site_id')).toMatch(/^[0-9a-f]{32}$/);
  });

  it('keeps all twenty tokens that two processes issue at the same time, and one site id', async () => {
    const url = await migrated(await database.url());
    const handles = [await openHandle(url), await openHandle(url)];
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) => issue(handles[index % 2] as Store, { name: `n${index}` })),
    );
    const tokens = await stored(handles[0] as Store);
    const siteId = (await storedText(handles[0] as Store, 'site_id')) ?? '';
    expect(tokens.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(new Set(made.map(({ id }) => id)).size).toBe(20);
    const facts = (token: IssuedToken) => [token.id, token.name, token.prefix, hmacSha256Hex(siteId, token.token)];
    expect(tokens.map(({ id, name, prefix, hash }) => [id, name, prefix, hash])).toEqual(
      made.toSorted((left, right) => left.id - right.id).map(facts),
    );
  });

  it('loses no issue, revocation or use when all happen at the same moment', async () => {
    const url = await migrated(await database.url());
    const [left, right] = [await openHandle(url), await openHandle(url)];
    const before: IssuedToken[] = [];
    for (let count = 0; count < 10; count += 1) before.push(await issue(left));
    const clock = fakeClock(start + 60_000);
    const uses = [left, right].map((store) => tokenUses({ store, clock, log: noLog }));
    for (const [index, { prefix }] of before.entries()) uses[index % 2]?.note(prefix);
    await Promise.all([
      ...before
        .filter((_, index) => index < 5)
        .map(({ id }, index) =>
          revokeToken(index % 2 === 0 ? left : right, { selector: { id }, env: {}, now: start + 1000 }),
        ),
      ...Array.from({ length: 5 }, (_, index) => issue(index % 2 === 0 ? right : left)),
      ...uses.map((one) => one.flush()),
    ]);
    expect((await stored(left)).map(({ id, revoked, lastUsed }) => [id, revoked, lastUsed])).toEqual([
      ...[1, 2, 3, 4, 5].map((id) => [id, start / 1000 + 1, start / 1000 + 60]),
      ...[6, 7, 8, 9, 10].map((id) => [id, null, start / 1000 + 60]),
      ...[11, 12, 13, 14, 15].map((id) => [id, null, null]),
    ]);
  });

  it('writes one use a minute for all processes together', async () => {
    const url = await migrated(await database.url());
    const [left, right] = [await openHandle(url), await openHandle(url)];
    const { prefix } = await issue(left);
    const clock = fakeClock(start);
    const uses = [left, right].map((store) => tokenUses({ store, clock, log: noLog }));
    const found: unknown[] = [];
    for (const step of [0, 30_000, 29_000, 1000, 59_000]) {
      await clock.advance(step);
      for (const one of uses) {
        one.note(prefix);
        await one.flush();
      }
      found.push((await stored(left))[0]?.lastUsed);
    }
    expect(found.map((time) => Number(time) - start / 1000)).toEqual([0, 0, 0, 60, 60]);
  });
});

describeWithMariadb('the list of page tokens on tables of an old CMS', () => {
  it('loses nothing when the engine has neither locks nor transactions', async () => {
    const url = await migrated(await freshMariadbUrl());
    const handles = [await openHandle(url), await openHandle(url)];
    await executeOnMariadb(url, ['ALTER TABLE modx_system_settings ENGINE = MyISAM']);
    const made = await Promise.all(Array.from({ length: 20 }, (_, index) => issue(handles[index % 2] as Store)));
    const siteId = (await storedText(handles[0] as Store, 'site_id')) ?? '';
    expect((await stored(handles[0] as Store)).map(({ id, hash }) => [id, hash])).toEqual(
      made.toSorted((left, right) => left.id - right.id).map(({ id, token }) => [id, hmacSha256Hex(siteId, token)]),
    );
  });
});

describeWithFixture('the list of page tokens on an attached CMS', () => {
  it('is one of the settings of the CMS, and so is the site id, which the CMS keeps elsewhere', async () => {
    const store = await openHandle(await loadFixture());
    const made = [await issue(store, { name: 'Größe 🙂' }), await issue(store)];
    const siteId = (await storedText(store, 'site_id')) ?? '';
    expect(siteId).toMatch(/^[0-9a-f]{32}$/);
    expect((await stored(store)).map(({ name, prefix, hash }) => [name, prefix, hash])).toEqual(
      made.map(({ name, prefix, token }) => [name, prefix, hmacSha256Hex(siteId, token)]),
    );
    const { wasRevoked } = await revokeToken(store, { selector: { id: 1 }, env: {}, now: start });
    expect(wasRevoked).toBe(false);
  });
});

describe('the list of page tokens', () => {
  const bytes = (tokens: readonly PageToken[]): number =>
    formatPageTokens(tokens.map((token) => ({ ...token, revoked: 0, lastUsed: 0 }))).length;

  /** As many tokens as have room, some of them revoked. */
  const fullStore = async (revoked: readonly number[]): Promise<Store> => {
    const store = await openHandle(await migrated(await freshSqliteUrl()));
    await issue(store);
    const [first] = await stored(store);
    const tokens: PageToken[] = [];
    for (let id = 1; bytes(tokens) <= 65_535; id += 1) {
      const prefix = `pt_${id.toString(16).padStart(8, '0')}`;
      tokens.push({ ...(first as PageToken), id, prefix, revoked: revoked.includes(id) ? start / 1000 : null });
    }
    await set(store, 'pages_rest_tokens', formatPageTokens(tokens.slice(0, -1)));
    return store;
  };
  const full = {
    code: 'refused',
    message: 'The list of page tokens is full: revoke unused tokens (hcd token list)',
  };

  it('makes room by removing the oldest token that has ended, and never reuses an id', async () => {
    const store = await fullStore([105, 109]);
    const before = (await stored(store)).map(({ id }) => id);
    const last = before.at(-1) ?? 0;
    const made = [(await issue(store)).id, (await issue(store)).id];
    expect(made).toEqual([last + 1, last + 2]);
    expect((await stored(store)).map(({ id }) => id)).toEqual([
      ...before.filter((id) => id !== 105 && id !== 109),
      ...made,
    ]);
    await expect(issue(store)).rejects.toMatchObject(full);
  });

  it('refuses another token when all tokens work and the column is full, and reserves room for their times', async () => {
    const store = await fullStore([]);
    const before = await storedText(store, 'pages_rest_tokens');
    await expect(issue(store)).rejects.toMatchObject(full);
    expect(await storedText(store, 'pages_rest_tokens')).toBe(before);
    expect(bytes(await stored(store))).toBeLessThanOrEqual(65_535);
  });
});
