/** Keys of the banner API: the first one is made once, rotation with an overlap, keys that may only read. */
import { beforeEach, expect, it } from 'vitest';
import {
  addReadKey,
  ensureBannerKey,
  readBannerKeys,
  removeReadKey,
  rotateBannerKey,
} from '../../../src/banners/management/banner-keys.js';
import { decodeReadKey } from '../../../src/config/banner-settings.js';
import { readSystemSettings } from '../../../src/content/models/settings.js';
import { sha256Hex } from '../../../src/crypto/primitives.js';
import { openStore, type Store } from '../../../src/store/open/open.js';
import { describeEachDatabase } from '../../support/databases.js';
import { execute } from '../../support/execute.js';
import { openMigrated } from '../../support/migrate.js';
import { patientLimits } from '../../support/patient-limits.js';

const now = Date.parse('2026-11-21T09:30:00Z');
const env = {};

describeEachDatabase('keys of the banner API', (database) => {
  let store: Store;
  let another: Store;

  beforeEach(async () => {
    const target = { databaseUrl: await database.url(), prefix: 'modx_', limits: patientLimits };
    store = await openMigrated(target);
    another = await openStore(target);
    return async () => {
      await store.close();
      await another.close();
    };
  });

  const stored = async (key: string): Promise<string | undefined> =>
    (await readSystemSettings(store.content.primary, store.prefix, [key]))[0]?.value;

  it('creates one key when several processes ask for the first', async () => {
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, at) => ensureBannerKey(at % 2 === 0 ? store : another, env)),
    );
    const keys = made.filter((key) => key !== null);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(await stored('banners_api_key')).toBe(keys[0]);
    expect(await ensureBannerKey(store, env)).toBeNull();
  });

  it('treats an empty row as absent and keeps a key of any form', async () => {
    const set = (value: string) =>
      store.content.write((tx) =>
        tx.run({
          sql: 'INSERT INTO modx_system_settings (`key`, value, xtype, namespace, area) VALUES (?, ?, ?, ?, ?)',
          params: ['banners_api_key', value, 'textfield', 'hcd_banners', ''],
        }),
      );
    await set('');
    expect(await ensureBannerKey(store, env)).toMatch(/^[0-9a-f]{32}$/);
    await execute(
      store.content,
      "UPDATE modx_system_settings SET value = 'a-readable-demo-key' WHERE `key` = 'banners_api_key'",
    );
    expect(await ensureBannerKey(store, env)).toBeNull();
    expect(await stored('banners_api_key')).toBe('a-readable-demo-key');
  });

  it('leaves a working key and its predecessor after concurrent rotations', async () => {
    await ensureBannerKey(store, env);
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        rotateBannerKey(at % 2 === 0 ? store : another, { env, overlapSeconds: 60, now }),
      ),
    );
    const { key, previous } = await readBannerKeys(store, { env, now });
    expect(made.map((one) => one.key)).toContain(key);
    expect(made.map((one) => one.key)).toContain(previous?.key);
    expect(previous?.key).not.toBe(key);
  });

  it('stores read-only keys as digests and keeps two concurrent ones', async () => {
    const made = await Promise.all(
      ['shop', 'reports', 'app'].map((name, at) => addReadKey(at % 2 === 0 ? store : another, { env, name })),
    );
    expect((await readBannerKeys(store, { env, now })).readKeys.toSorted()).toEqual(['app', 'reports', 'shop']);
    const elements = ((await stored('banners_api_read_keys')) ?? '').split(',').map(decodeReadKey);
    for (const { name, key } of made) {
      expect(key).toMatch(/^br_[0-9A-Za-z]{43}$/);
      expect(elements).toContainEqual({ name, digest: sha256Hex(key) });
    }
    await expect(addReadKey(store, { env, name: 'shop' })).rejects.toMatchObject({ code: 'conflict' });
    await expect(addReadKey(store, { env, name: 'A b' })).rejects.toMatchObject({ code: 'validation_failed' });
    await removeReadKey(store, { env, name: 'shop' });
    await expect(removeReadKey(store, { env, name: 'shop' })).rejects.toMatchObject({ code: 'not_found' });
    expect((await readBannerKeys(store, { env, now })).readKeys.toSorted()).toEqual(['app', 'reports']);
  });
});
