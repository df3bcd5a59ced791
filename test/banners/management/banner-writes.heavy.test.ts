/** Writes of banners whose COMMIT gets no answer: each takes effect once and is reported as it ended. */
import { beforeAll, expect, it } from 'vitest';
import { writeNoted } from '../../../src/banners/management/audit.js';
import { createBanner, duplicateBanner } from '../../../src/banners/management/create-banner.js';
import { linkBanner } from '../../../src/banners/management/position-links.js';
import { addPosition, removePosition, updatePosition } from '../../../src/banners/management/positions.js';
import { addPreset } from '../../../src/banners/management/presets.js';
import { removeBanner, switchBanner, updateBanner } from '../../../src/banners/management/update-banner.js';
import { attachConversion } from '../../../src/banners/tracking/attach-conversion.js';
import { recordClicks } from '../../../src/banners/tracking/record-events.js';
import { systemClock } from '../../../src/clock/clock.js';
import { AppError } from '../../../src/errors/app-error.js';
import type { Store } from '../../../src/store/open/open.js';
import { migrated, openHandle } from '../../identity/keys/key-store.js';
import { cuttingProxy } from '../../support/cutting-proxy.js';
import { describeEachDatabase, describeWithMariadb, freshMariadbUrl, freshSqliteUrl } from '../../support/databases.js';
import { execute } from '../../support/execute.js';

const username = 'cli';

const writes: readonly [name: string, write: (store: Store) => Promise<unknown>][] = [
  ['a new banner', (store) => createBanner(store, { body: { name: 'B', positions: [1] }, username })],
  ['a copy', (store) => duplicateBanner(store, { id: 1, isDisabled: false, username })],
  ['an update', (store) => updateBanner(store, { id: 1, body: { max_clicks: 5, positions: [] }, username })],
  ['switching off', (store) => switchBanner(store, { id: 1, active: false, username })],
  ['switching on what is on', (store) => switchBanner(store, { id: 1, active: true, username })],
  ['a removal', (store) => removeBanner(store, { id: 1, username })],
  ['a new position', (store) => addPosition(store, { name: 'P', context_key: '', username })],
  ['another name of a position', (store) => updatePosition(store, { id: 1, name: 'Q', username })],
  ['a removed position', (store) => removePosition(store, { id: 1, username })],
  ['a link', (store) => linkBanner(store, { position: 2, ad: 1, weight: 3, idx: null, username })],
  ['a preset', (store) => addPreset(store, { name: 'S', type: 'image', tpl: '', defaults: {}, username })],
  ['a conversion', (store) => convert(store)],
];

function convert({ own }: Store): Promise<unknown> {
  const unused = () => {
    throw new Error('the click is named by its id');
  };
  const deps = { own, clock: systemClock, digests: { click: unused }, isSameSecret: unused, flush: unused };
  return attachConversion(deps, { click: 1, orderId: 'A-1' });
}

const tables = [
  'ads',
  'ad_positions',
  'ad_links',
  'ad_presets',
  'ad_clicks',
  'ad_days',
  'ad_referrer_days',
  'ad_audit',
];

/** The same in every store: two positions, a banner at the first, a click; ids begin with 1. */
async function fill(store: Store): Promise<void> {
  const { own } = store;
  const emptying =
    own.dialect === 'mariadb'
      ? tables.map((table) => `TRUNCATE TABLE hcd_${table}`)
      : [...tables.map((table) => `DELETE FROM hcd_${table}`), "DELETE FROM sqlite_sequence WHERE name LIKE 'hcd_ad%'"];
  await execute(own, ...emptying);
  for (const name of ['Top', 'Side']) await addPosition(store, { name, context_key: '', username });
  await createBanner(store, { body: { name: 'A', positions: [1] }, username });
  const click = { day: 20261121, ad: 1, position: 1, at: 1, visitor: '0', ip: '', referrer: '' };
  await recordClicks(own, [click]);
}

/** Everything that writes change, without moments and ids: MariaDB gives out a number once, committed or not. */
async function contents({ own }: Store): Promise<unknown> {
  const questions = [
    'SELECT name, active, max_clicks FROM hcd_ads ORDER BY id',
    'SELECT name FROM hcd_ad_positions ORDER BY id',
    'SELECT idx, weight FROM hcd_ad_links ORDER BY id',
    'SELECT name FROM hcd_ad_presets ORDER BY name',
    'SELECT id, order_id FROM hcd_ad_clicks ORDER BY id',
    'SELECT day, ad, position, clicks, conversions FROM hcd_ad_days ORDER BY day',
    'SELECT entity, label, action, username FROM hcd_ad_audit ORDER BY id',
  ];
  return Promise.all(questions.map((sql) => own.primary.select({ sql, params: [] })));
}

function withoutIds(result: unknown): unknown {
  return JSON.parse(JSON.stringify(result, (name, value) => (name === 'id' ? 'some id' : value)));
}

describeWithMariadb('a write of banners whose COMMIT gets no answer', () => {
  let expectedUrl = '';
  let databaseUrl = '';
  beforeAll(async () => {
    expectedUrl = await migrated(await freshSqliteUrl());
    databaseUrl = await migrated(await freshMariadbUrl());
  });

  it.each(
    [true, false].flatMap((forwarded) =>
      writes.map(([name, write]) => [name, forwarded ? 'took effect' : 'did not', write, forwarded] as const),
    ),
  )('%s, which %s: done once, and told with its result', async (_name, _state, write, forwarded) => {
    const expected = await openHandle(expectedUrl);
    await fill(expected);
    const result = await write(expected);

    const direct = await openHandle(databaseUrl);
    await fill(direct);
    const url = new URL(databaseUrl);
    const proxy = await cuttingProxy({ port: Number(url.port), forwarded });
    url.port = String(proxy.port);
    const store = await openHandle(url.href);
    proxy.cutNextCommit();
    expect(withoutIds(await write(store))).toEqual(withoutIds(result));
    expect(await contents(direct)).toEqual(await contents(expected));
  });
});

describeEachDatabase('a write of banners that is made again', (kind) => {
  const note = { entity: 'position', id: 7, label: 'Top', action: 'order' } as const;

  it('finds its own trace when the COMMIT took effect after it was looked for', async () => {
    const { own } = await openHandle(await migrated(await kind.url()));
    let attempts = 0;
    const late: Pick<typeof own, 'write'> = {
      async write(work, options) {
        if (options?.outcome === undefined) return own.write(work);
        await own.write(work);
        return own.write(work);
      },
    };
    const result = await writeNoted({ own: late, username }, async (_tx, leave) => {
      attempts += 1;
      await leave(note);
      return { attempts };
    });
    expect([result, attempts]).toEqual([{ attempts: 1 }, 2]);
    const sql = 'SELECT COUNT(*) FROM hcd_ad_audit';
    expect(await own.primary.select({ sql, params: [] })).toEqual([[1]]);
  });

  it('passes on a conflict with another write', async () => {
    const { own } = await openHandle(await migrated(await kind.url()));
    const failing = writeNoted({ own, username }, async (_tx, leave) => {
      await leave(note);
      throw new AppError('conflict', { message: 'taken' });
    });
    await expect(failing).rejects.toMatchObject({ code: 'conflict', message: 'taken' });
  });
});
