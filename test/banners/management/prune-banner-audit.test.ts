/** How long the audit log of banners is kept: entries go by age, those with the last names of what is gone stay. */
import { expect, test } from 'vitest';
import { pruneBannerAudit } from '../../../src/banners/management/audit.js';
import { readNames } from '../../../src/banners/models/audit.js';
import { readNow } from '../../../src/store/state/state.js';
import { migrated, openHandle } from '../../identity/keys/key-store.js';
import { describeEachDatabase } from '../../support/databases.js';

const dayMs = 86_400_000;
const signal = new AbortController().signal;
const entries = 2500;

describeEachDatabase('removing old entries of the audit log of banners', (kind) => {
  /** An entry each hundredth of a day; every hundredth of them is the removal of a banner, a position or a preset. */
  const filled = async () => {
    const store = await openHandle(await migrated(await kind.url()));
    const now = await readNow(store.own);
    await store.own.write(async (tx) => {
      for (let n = 0; n < entries; n += 1) {
        const entity = ['ad', 'position', 'template'][n % 3] ?? 'ad';
        const action = n % 100 === 0 ? 'delete' : 'update';
        await tx.run({
          sql: "INSERT INTO hcd_ad_audit (entity, entity_id, label, action, created_on, username, payload) VALUES (?, ?, ?, ?, ?, 'cli', '{}')",
          params: [entity, n, `name ${n}`, action, now - n * (dayMs / 100)],
        });
      }
    });
    const left = async (condition: string) => {
      const sql = `SELECT COUNT(*) FROM hcd_ad_audit WHERE ${condition}`;
      return Number((await store.own.primary.select({ sql, params: [] }))[0]?.[0]);
    };
    return { store, left, old: `created_on <= ${now - 2 * dayMs}` };
  };

  test('removes old entries in batches and keeps removals of banners and positions', async () => {
    const { store, left, old } = await filled();
    const removals = "action = 'delete' AND entity IN ('ad', 'position')";
    const kept = await left(`${old} AND ${removals}`);
    expect(kept).toBe(15);
    const removed = await pruneBannerAudit(store, { days: 2, signal });
    expect(removed).toBe(entries - (await left('1 = 1')));
    expect([await left(old), await left(`${old} AND ${removals}`)]).toEqual([kept, kept]);
    expect(await left(`NOT (${old})`)).toBe(200);
    expect(await readNames(store.own, 'ad', [600])).toEqual(new Map([[600, 'name 600']]));
    expect(await pruneBannerAudit(store, { days: 2, signal })).toBe(0);
  });

  test('nothing where the setting is 0, nor after the signal to stop', async () => {
    const { store, left } = await filled();
    expect(await pruneBannerAudit(store, { days: 0, signal })).toBe(0);
    expect(await pruneBannerAudit(store, { days: 1, signal: AbortSignal.abort() })).toBe(0);
    expect(await left('1 = 1')).toBe(entries);
  });
});
