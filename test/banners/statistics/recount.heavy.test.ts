/**
 * Every statistic equals a recount of the raw rows, whatever the events, the range, the position and the zone: while the
 * sums are in that zone, while they are in another one, and at any moment of moving them.
 */
import fc from 'fast-check';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { localDay } from '../../../src/banners/rules/local-time.js';
import { parseRange } from '../../../src/banners/rules/periods.js';
import { exportCsv } from '../../../src/banners/statistics/export.js';
import { findWrongSums } from '../../../src/banners/statistics/find-wrong-sums.js';
import { establishDaysZone, moveDays } from '../../../src/banners/statistics/move-days.js';
import { readReferrerPage, readStatistics, readSummary, readTop } from '../../../src/banners/statistics/statistics.js';
import { recordClicks, recordImpressions } from '../../../src/banners/tracking/record-events.js';
import type { Database } from '../../../src/store/base/database.js';
import { migrated, openHandle } from '../../identity/keys/key-store.js';
import { describeEachDatabase } from '../../support/databases.js';
import { type Asked, byDay, type CountedEvent, figures, inside, referrers, topBanners } from './recount.js';

/** Their clocks change within the weeks of the events, at one, two, three o'clock or at midnight; or they never do. */
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Havana',
  'Africa/Cairo',
  'Asia/Beirut',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
];
const first = Date.UTC(2026, 9, 1);
const now = Date.UTC(2026, 10, 11, 9, 30, 15);
/** Moments around which clocks change, or at which periods begin. */
const changes = [
  Date.UTC(2026, 10, 1),
  Date.UTC(2026, 10, 2),
  Date.UTC(2026, 10, 5),
  Date.UTC(2026, 10, 9),
  Date.UTC(2026, 10, 11),
  Date.UTC(2026, 9, 3, 15, 30),
  Date.UTC(2026, 9, 25, 1),
  Date.UTC(2026, 9, 29, 21),
  Date.UTC(2026, 10, 1, 5),
];
const hour = 3_600_000;

const moment = fc.oneof(
  fc.integer({ min: first, max: now }),
  fc
    .tuple(
      fc.constantFrom(...changes),
      fc.oneof(fc.integer({ min: -3 * hour, max: 3 * hour }), fc.integer({ min: -20 * hour, max: 20 * hour })),
    )
    .map(([change, away]) => Math.min(change + away, now)),
  fc.integer({ min: now - 30 * hour, max: now }),
);
const event: fc.Arbitrary<CountedEvent> = fc.record({
  kind: fc.constantFrom('click', 'impression'),
  at: moment,
  ad: fc.integer({ min: 1, max: 4 }),
  position: fc.integer({ min: 1, max: 3 }),
  referrer: fc.constantFrom('', 'https://a.example/', 'https://b.example/x', 'https://A.example/', '=1+1'),
  ordered: fc.boolean(),
});
const text = fc
  .tuple(
    fc.integer({ min: 5, max: 40 }),
    fc.option(fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))),
  )
  .map(([days, time]) => {
    const date = new Date(first + days * 24 * hour).toISOString().slice(0, 10);
    return time === null ? date : `${date} ${time.map((part) => String(part).padStart(2, '0')).join(':')}`;
  });
const asked = fc.record(
  {
    period: fc.constantFrom(
      ...['all', 'today', 'last_7_days', 'this_week', 'last_week', 'this_month', 'last_month', 'this_year'],
    ),
    from: text,
    to: text,
    position: fc.integer({ min: 0, max: 3 }),
    banner: fc.integer({ min: 0, max: 2 }),
  },
  { requiredKeys: ['period', 'position', 'banner'] },
);

describeEachDatabase('statistics against a recount', (kind) => {
  let url: string;
  let own: Database;

  beforeAll(async () => {
    url = await migrated(await kind.url());
  });

  beforeEach(async () => {
    own = (await openHandle(url)).own;
  });

  const empty = () =>
    own.write(async (tx) => {
      for (const table of ['hcd_ad_clicks', 'hcd_ad_impressions', 'hcd_ad_days', 'hcd_ad_referrer_days'])
        await tx.run({ sql: `DELETE FROM ${table}`, params: [] });
      await tx.run({ sql: "DELETE FROM hcd_state WHERE `key` = 'banner_days_zone'", params: [] });
    });

  /** Writes the events as the zone has them now. Every event is of another visitor, unless `visitor` says otherwise. */
  async function record(
    events: readonly CountedEvent[],
    zone: string,
    visitor = (at: number) => String(at),
  ): Promise<void> {
    const rows = events.map((one, index) => ({
      ...{ ad: one.ad, position: one.position, at: one.at, day: localDay(one.at, zone), ip: '' },
      visitor: visitor(index).padStart(16, '0'),
      click: one,
    }));
    await recordClicks(
      own,
      rows
        .filter(({ click }) => click.kind === 'click')
        .map(({ click, ...row }) => ({ ...row, referrer: click.referrer, orderId: click.ordered ? 'A-1' : null })),
    );
    await recordImpressions(
      own,
      rows.filter(({ click }) => click.kind === 'impression').map(({ click: _, ...row }) => row),
    );
  }

  /** Orders belong to clicks only. */
  const real = (events: readonly CountedEvent[]) =>
    events.map((one) => (one.kind === 'click' ? one : { ...one, ordered: false, referrer: '' }));

  async function expectRecount(events: readonly CountedEvent[], question: Asked): Promise<void> {
    const { zone, position, banner } = question;
    const clock = { now, zone };
    const range = parseRange(question, clock);
    const about = { range, subject: { banner, position }, clock };
    const counted = inside(events, question);
    const { summary, by_day } = await readStatistics(own, about);
    const { from, to, period, ...whole } = summary;
    expect(whole).toEqual(figures(counted));
    expect(by_day).toEqual(byDay(events, question));
    expect(await readSummary(own, about)).toEqual({ from, to, period, ...whole });
    const top = topBanners(events, question);
    const found = await readTop(own, { ...about, by: 'ad', limit: 3 });
    expect(found).toEqual({ rows: top.slice(0, 3).map((row) => ({ name: null, ...row })), total: top.length });
    const from_ = referrers(events, question);
    expect(await readReferrerPage(own, { ...about, limit: 2, offset: 1 })).toEqual({
      rows: from_.slice(1, 3),
      total: from_.length,
    });
    const lines: string[] = [];
    for await (const piece of exportCsv(own, { ...about, type: 'clicks' }))
      lines.push(...piece.split('\r\n').slice(0, -1));
    expect(lines.length - 1).toBe(figures(counted).clicks);
  }

  const isPossible = (question: Asked): boolean => {
    try {
      parseRange(question, question);
      return true;
    } catch {
      return false;
    }
  };

  const runs = kind.name === 'sqlite' ? 40 : 12;
  const sets = fc.record({
    events: fc.array(event, { maxLength: 40 }).map(real),
    questions: fc.array(asked, { minLength: 4, maxLength: 6 }),
    zone: fc.constantFrom(...zones),
    before: fc.constantFrom(...zones),
  });

  test('counts in one zone from the beginning', async () => {
    await fc.assert(
      fc.asyncProperty(sets, async ({ events, questions, zone }) => {
        await empty();
        await establishDaysZone(own, zone);
        await record(events, zone);
        for (const one of questions.map((more) => ({ ...more, now, zone })).filter(isPossible))
          await expectRecount(events, one);
      }),
      { numRuns: runs },
    );
  });

  test('counts before and after a change of the zone while events arrive', {
    timeout: 240_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(sets, fc.integer({ min: 1, max: 400 }), async ({ events, questions, zone, before }, steps) => {
        await empty();
        await establishDaysZone(own, before);
        const [early, late] = [
          events.filter((_, index) => index % 4 !== 0),
          events.filter((_, index) => index % 4 === 0).map((one) => ({ ...one, at: now - (one.at % 60_000) })),
        ];
        await record(early, before);
        const possible = questions.map((more) => ({ ...more, now, zone })).filter(isPossible);
        let left = steps;
        const stop = {
          get aborted() {
            left -= 1;
            return left < 0;
          },
        } as AbortSignal;
        await moveDays(own, { zone, now, stop });
        // Other processes record under the old zone for a while.
        await record(late, before, (index) => `late${index}`);
        await moveDays(own, { zone, now: now + 60_000 });
        await moveDays(own, { zone, now: now + 200_000 });
        await moveDays(own, { zone, now: now + 400_000 });
        const wrong = [];
        for await (const one of findWrongSums(own)) wrong.push(one);
        expect(wrong).toEqual([]);
        for (const one of possible.slice(0, 4)) await expectRecount([...early, ...late], one);
      }),
      { numRuns: runs },
    );
  });
});
