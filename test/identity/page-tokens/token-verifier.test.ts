/** Verifying page tokens against a store: what is let in, what it costs, and which peppers count. */
import { beforeAll, expect, it, test } from 'vitest';
import type { Environment } from '../../../src/config/definitions.js';
import { setSystemSetting, unsetSystemSetting } from '../../../src/content/models/settings.js';
import { createCredential } from '../../../src/crypto/credential-text.js';
import { AppError } from '../../../src/errors/app-error.js';
import { revokeToken } from '../../../src/identity/page-tokens/manage-tokens.js';
import { TokenVerifier } from '../../../src/identity/page-tokens/token-verifier.js';
import type { Store } from '../../../src/store/open/open.js';
import { type FakeClock, fakeClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { migrated, openHandle, recordReads } from '../keys/key-store.js';
import { issue, start, storedText } from './token-store.js';

interface Opened {
  readonly store: Store;
  readonly clock: FakeClock;
  readonly verifier: TokenVerifier;
}

describeEachDatabase('verifying page tokens', (database) => {
  let url: string;

  beforeAll(async () => {
    url = await migrated(await database.url());
  });

  const open = async (env: Environment = {}): Promise<Opened> => {
    const store = await openHandle(url);
    const clock = fakeClock(start);
    return { store, clock, verifier: new TokenVerifier({ store, env, clock, log: () => undefined }) };
  };
  const set = (store: Store, key: string, value: string) =>
    store.content.write((tx) => setSystemSetting(tx, store.prefix, { key, value, kind: 'text' }));
  const unset = (store: Store, key: string) => store.content.write((tx) => unsetSystemSetting(tx, store.prefix, key));

  const refusals: readonly [name: string, make: (opened: Opened) => Promise<string>][] = [
    ['an unknown prefix', async () => createCredential('pt').text],
    ['a wrong secret', async ({ store }) => createCredential('pt', (await issue(store)).prefix.slice(3)).text],
    [
      'a revoked token',
      async ({ store }) => {
        const { id, token } = await issue(store);
        await revokeToken(store, { selector: { id }, env: {}, now: start });
        return token;
      },
    ],
    ['an expired token', async ({ store }) => (await issue(store, { now: 0, expiresOn: start })).token],
  ];

  test.each(refusals)('refuses %s', async (_name, make) => {
    const opened = await open();
    const text = await make(opened);
    const reads = recordReads(opened.store, { table: 'system_settings' });
    expect(await opened.verifier.verify(text)).toBeNull();
    expect(reads).toHaveLength(1);
  });

  it('does not ask the database for a text that is not a token', async () => {
    const { store, verifier } = await open();
    const { token } = await issue(store);
    const reads = recordReads(store, { table: 'system_settings' });
    const mistyped = [...token].map(
      (letter, at) => token.slice(0, at) + (letter === 'a' ? 'b' : 'a') + token.slice(at + 1),
    );
    const others = ['', 'x', 'pt_', token.slice(0, -1), `${token}a`, `${token} `, token.toUpperCase()];
    for (const text of [...others, createCredential('gk').text, createCredential('gt').text, ...mistyped]) {
      expect(await verifier.verify(text)).toBeNull();
    }
    expect(reads).toEqual([]);
  });

  it('accepts a token until the second in which it ends', async () => {
    const { store, verifier, clock } = await open();
    const { token } = await issue(store, { expiresOn: start + 60_000 });
    await clock.advance(59_999);
    expect(await verifier.verify(token)).not.toBeNull();
    await clock.advance(1);
    expect(await verifier.verify(token)).toBeNull();
    await verifier.close();
  });

  it('accepts tokens of old peppers as long as the peppers are listed', async () => {
    const { store, verifier } = await open();
    const [pepper, next] = ['first-pepper-of-the-site', 'other-pepper-of-the-site'];
    const bySiteId = (await issue(store)).token;
    const siteId = (await storedText(store, 'site_id')) ?? '';
    await set(store, 'pages_rest_token_pepper', pepper);
    const byPepper = (await issue(store)).token;
    const found: boolean[][] = [];
    const look = async () =>
      found.push([(await verifier.verify(bySiteId)) !== null, (await verifier.verify(byPepper)) !== null]);
    await look();
    await set(store, 'pages_rest_token_pepper', next);
    await look();
    await set(store, 'pages_rest_token_old_peppers', `${pepper},${siteId}`);
    await look();
    await set(store, 'pages_rest_token_old_peppers', siteId);
    await look();
    await unset(store, 'pages_rest_token_old_peppers');
    await look();
    await unset(store, 'pages_rest_token_pepper');
    await look();
    expect(found).toEqual([
      [false, true],
      [false, false],
      [true, true],
      [true, false],
      [false, false],
      [true, false],
    ]);
    await verifier.close();
  });

  it('accepts no token without pepper and site id, or with a list that it cannot read', async () => {
    const { store, verifier } = await open();
    const { token } = await issue(store);
    const list = (await storedText(store, 'pages_rest_tokens')) ?? '';
    const siteId = (await storedText(store, 'site_id')) ?? '';
    await unset(store, 'site_id');
    expect(await verifier.verify(token)).toBeNull();
    expect(await storedText(store, 'site_id')).toBeNull();
    await set(store, 'site_id', siteId);
    expect(await verifier.verify(token)).not.toBeNull();
    await set(store, 'pages_rest_tokens', `${list} `.replace('"revoked":null', '"revoked":"soon"'));
    expect(await verifier.verify(token)).toBeNull();
    await set(store, 'pages_rest_tokens', list);
    expect(await verifier.verify(token)).not.toBeNull();
    await verifier.close();
  });

  it('uses tokens and pepper of the environment, and then writes no uses', async () => {
    const { store } = await open();
    const { token, prefix } = await issue(store, { env: { HCD_PAGES_REST_TOKEN_PEPPER: 'pepper-of-the-environment' } });
    const env = {
      HCD_PAGES_REST_TOKENS: (await storedText(store, 'pages_rest_tokens')) ?? '',
      HCD_PAGES_REST_TOKEN_PEPPER: 'pepper-of-the-environment',
    };
    await set(store, 'pages_rest_tokens', '[]');
    const { verifier, clock } = await open(env);
    expect(await verifier.verify(token)).toMatchObject({ id: prefix });
    await clock.advance(2000);
    await verifier.close();
    expect(await storedText(store, 'pages_rest_tokens')).toBe('[]');
  });

  it('fails and accepts no token when the database does not answer', async () => {
    const { store, verifier } = await open();
    const { token } = await issue(store);
    recordReads(store, {
      table: 'system_settings',
      before: () => Promise.reject(new AppError('database_unreachable')),
    });
    await expect(verifier.verify(token)).rejects.toMatchObject({ code: 'database_unreachable' });
  });
});
