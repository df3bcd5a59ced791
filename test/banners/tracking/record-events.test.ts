/** Clicks and impressions in the store: once per visitor, banner, position and day, and the sums exactly as the rows. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { EventKind } from '../../../src/banners/models/events.js';
import { eventKeyText } from '../../../src/banners/rules/visitor.js';
import { type EventRow, findEvents } from '../../../src/banners/tracking/event-rows.js';
import { type NewClick, recordClicks, recordImpressions } from '../../../src/banners/tracking/record-events.js';
import type { Database } from '../../../src/store/base/database.js';
import type { Store } from '../../../src/store/open/open.js';
import { migrated, openHandle } from '../../identity/keys/key-store.js';
import { describeEachDatabase } from '../../support/databases.js';
import { execute } from '../../support/execute.js';
import { seededRandom } from '../../support/seeded-random.js';

const moment = Date.UTC(2026, 10, 21, 9, 30);

function click(more: Partial<NewClick> = {}): NewClick {
  return {
    ad: 1,
    position: 2,
    at: moment,
    day: 20261121,
    visitor: '00000000000000aa',
    ip: '203.0.113.0',
    referrer: 'https://example.com/',
    ...more,
  };
}

describeEachDatabase('recording events', (kind) => {
  let url: string;
  let store: Store;
  let own: Database;

  beforeAll(async () => {
    url = await migrated(await kind.url());
  });

  beforeEach(async () => {
    store = await openHandle(url);
    own = store.own;
    await execute(
      own,
      ...['hcd_ad_clicks', 'hcd_ad_impressions', 'hcd_ad_days'].map((table) => `DELETE FROM ${table}`),
    );
  });

  const rows = (sql: string) => own.select({ sql, params: [] });
  const days = () =>
    rows('SELECT day, ad, position, clicks, impressions, conversions FROM hcd_ad_days ORDER BY day, ad, position');
  const recount = () =>
    rows(
      'SELECT day, ad, position, COUNT(*), 0, COUNT(order_id) FROM hcd_ad_clicks GROUP BY day, ad, position ORDER BY day, ad, position',
    );

  /** Ids of the events, of whomever their rows are; null where there is no row. */
  const idsOf = async (events: readonly EventRow[], of: EventKind = 'clicks') => {
    const ids = await findEvents(own.primary, of, events);
    return events.map((event) => ids.get(eventKeyText(event)) ?? null);
  };

  test('keeps every column of a click and of an impression, and adds both to the sums of the day', async () => {
    expect(await recordClicks(own, [click({ orderId: 'A-7' })])).toEqual([true]);
    expect(await recordImpressions(own, [click()])).toEqual([true]);
    const [made] = await idsOf([click()]);
    const [shown] = await idsOf([click()], 'impressions');
    expect(
      await rows('SELECT id, ad, position, clicked_on, day, visitor, referrer, ip, order_id FROM hcd_ad_clicks'),
    ).toEqual([[made, 1, 2, moment, 20261121, '00000000000000aa', 'https://example.com/', '203.0.113.0', 'A-7']]);
    expect(await rows('SELECT id, ad, position, shown_on, day, visitor, ip FROM hcd_ad_impressions')).toEqual([
      [shown, 1, 2, moment, 20261121, '00000000000000aa', '203.0.113.0'],
    ]);
    expect(await days()).toEqual([[20261121, 1, 2, 1, 1, 1]]);
  });

  test('ignores a repeated event in the same call and later ones, and keeps the first row', async () => {
    const events = [click(), click({ at: moment + 1 }), click({ visitor: '00000000000000bb' })];
    expect(await recordClicks(own, events)).toEqual([true, false, true]);
    const [first] = await idsOf([click()]);
    const again = [click({ visitor: '00000000000000cc' }), click({ referrer: 'https://elsewhere.example/' })];
    expect(await recordClicks(own, again)).toEqual([true, false]);
    expect(await idsOf(again)).toEqual([expect.any(Number), first]);
    expect(await rows(`SELECT clicked_on, referrer FROM hcd_ad_clicks WHERE id = ${first}`)).toEqual([
      [moment, 'https://example.com/'],
    ]);
    expect(await days()).toEqual([[20261121, 1, 2, 3, 0, 0]]);
    expect(await rows('SELECT COUNT(*) FROM hcd_ad_clicks WHERE clicked_on = 1795253400000')).toEqual([[3]]);
  });

  test.each([
    { name: 'another day', more: { day: 20261122 } },
    { name: 'another banner', more: { ad: 2 } },
    { name: 'another position', more: { position: 3 } },
    { name: 'another visitor', more: { visitor: '00000000000000ab' } },
  ])('$name is another event', async ({ more }) => {
    expect(await recordClicks(own, [click(), click(more)])).toEqual([true, true]);
  });

  test('keeps a given id and skips a row whose id is taken', async () => {
    expect(await recordClicks(own, [click({ id: 500 })])).toEqual([true]);
    expect(await idsOf([click()])).toEqual([500]);
    const taken = [click({ id: 500, visitor: '00000000000000bb' }), click({ visitor: '00000000000000cc' })];
    expect(await recordClicks(own, taken)).toEqual([false, true]);
    const ids = await idsOf(taken);
    expect(ids).toEqual([null, expect.any(Number)]);
    expect(ids[1]).toBeGreaterThan(500);
    expect(await days()).toEqual([[20261121, 1, 2, 2, 0, 0]]);
  });

  test('finds many events at once by the unique index', async () => {
    const many = Array.from({ length: 1500 }, (_, at) =>
      click({ ad: at % 7, position: at % 11, visitor: String(at).padStart(16, '0') }),
    );
    expect((await recordClicks(own, many)).filter(Boolean)).toHaveLength(1500);
    const ids = await idsOf(many);
    expect(new Set(ids.filter((id) => id !== null)).size).toBe(1500);
    expect((await recordClicks(own, many.toReversed())).filter(Boolean)).toEqual([]);
    expect(await idsOf(many)).toEqual(ids);
    expect(await days()).toEqual(await recount());
  });

  test('reports only its own rows when another process adds some between look-up and INSERT', async () => {
    const other = await openHandle(url);
    let isFirst = true;
    const write: Database['write'] = (work, options) =>
      own.write(
        (tx) =>
          work({
            ...tx,
            async select(statement) {
              const found = await tx.select(statement);
              // SQLite has one writer at a time: no other write comes between.
              if (isFirst && kind.name === 'mariadb') {
                isFirst = false;
                await recordClicks(other.own, [click({ ad: 2 }), click({ ad: 3 })]);
              }
              return found;
            },
          }),
        options,
      );
    if (kind.name === 'sqlite') await recordClicks(other.own, [click({ ad: 2 }), click({ ad: 3 })]);
    const overtaken: Database = Object.assign(Object.create(own), { write });
    const events = [1, 2, 3, 4].map((ad) => click({ ad }));
    expect(await recordClicks(overtaken, events)).toEqual([true, false, false, true]);
    expect(await idsOf(events)).toEqual((await rows('SELECT id FROM hcd_ad_clicks ORDER BY ad')).map(([id]) => id));
    expect(await days()).toEqual(await recount());
  });

  test('counts each event once when several writers add the same ones in any order', async () => {
    const random = seededRandom('recording events');
    const events = Array.from({ length: 400 }, (_, at) =>
      click({
        day: 20261121 + (at % 2),
        ad: at % 5,
        position: at % 3,
        visitor: String(at % 120).padStart(16, '0'),
        orderId: at % 10 === 0 ? `order ${at}` : null,
      }),
    );
    const handles = [own, ...(await Promise.all([1, 2, 3].map(async () => (await openHandle(url)).own)))];
    const recorded = await Promise.all(
      handles.flatMap((handle) =>
        Array.from({ length: 4 }, async () => {
          const shuffled = events
            .map((event) => [random(), event] as const)
            .sort(([one], [other]) => one - other)
            .map(([, event]) => event);
          const results: (readonly [isNew: boolean, event: NewClick])[] = [];
          while (shuffled.length > 0) {
            const part = shuffled.splice(0, 80);
            const recorded = await recordClicks(handle, part);
            expect(recorded).toHaveLength(part.length);
            results.push(...part.map((event, at) => [recorded[at] === true, event] as const));
          }
          return results;
        }),
      ),
    );
    const distinct = new Set(events.map(({ day, ad, position, visitor }) => `${day} ${ad} ${position} ${visitor}`));
    expect(recorded.flat().filter(([isNew]) => isNew)).toHaveLength(distinct.size);
    expect(await idsOf(events)).not.toContain(null);
    expect(await rows('SELECT COUNT(*) FROM hcd_ad_clicks')).toEqual([[distinct.size]]);
    expect(await days()).toEqual(await recount());
  });
});
