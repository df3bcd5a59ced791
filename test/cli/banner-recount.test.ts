/** `hcd banner recount` and `duplicate`, and what `hcd doctor` finds about banners. */
import { beforeEach, expect, test } from 'vitest';
import { addDays, localDay } from '../../src/banners/rules/local-time.js';
import { recordClicks } from '../../src/banners/tracking/record-events.js';
import { systemClock } from '../../src/clock/clock.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { refused } from './outcomes.js';

/** Stands at one moment: midnight must not come between what is recorded and what is looked at. */
const now = systemClock.now();
const clock = { clock: { ...systemClock, now: () => now } };

describeEachDatabase('hcd banner recount', (database) => {
  let db: CliDatabase;
  let today = 0;

  beforeEach(async () => {
    db = await prepareCliDatabase(await database.url());
    await db.run('position add top');
    await db.run('banner add --name A --positions 1');
    today = localDay(now, 'UTC');
    await db.change(async ({ own }) => {
      const days = [0, 1, 4].map((back) => addDays(today, -back));
      const one = { ad: 1, position: 1, visitor: '0', ip: '', referrer: '' };
      await recordClicks(
        own,
        days.map((day) => ({ ...one, day, at: day * 10 })),
      );
    });
  });

  const text = (day: number) => String(day).replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3');
  const doctor = async (check: string) => {
    const { data } = (await db.json('doctor', clock)) as { data: Readonly<Record<string, unknown>>[] };
    return data.filter((row) => row['check'] === check).map(({ check: _check, ...row }) => row);
  };

  test('finds nothing to do where sums are right', async () => {
    expect(await db.json('banner recount --all', clock)).toEqual({ data: [], meta: { total: 0 } });
    expect(await doctor('banner-sums')).toEqual([
      { state: 'ok', detail: 'those of the last 3 days match their events', fix: null },
    ]);
  });

  test('lists, raises and lowers, as doctor says', async () => {
    await db.sql(`UPDATE hcd_ad_days SET clicks = 0 WHERE day = ${addDays(today, -4)}`);
    await db.sql(`UPDATE hcd_ad_days SET clicks = 0 WHERE day = ${addDays(today, -1)}`);
    expect(await doctor('banner-sums')).toEqual([
      {
        state: 'warning',
        detail: `1 sum of the last 3 days does not match the events, such as clicks of banner 1 at position 1 on ${text(addDays(today, -1))}: 0, not 1`,
        fix: 'Recalculate them: hcd banner recount',
        command: { path: 'banner recount', arguments: [], options: {} },
      },
    ]);
    const row = { figure: 'clicks', banner: 1, position: 1, referrer: null, counted: 1 };
    const low = { ...row, day: text(addDays(today, -1)), stored: 0 };
    expect(await db.json('banner recount --dry-run', clock)).toEqual({
      data: [{ ...low, fixed: false }],
      meta: { total: 1 },
    });
    expect(await db.json('banner recount', clock)).toEqual({ data: [{ ...low, fixed: true }], meta: { total: 1 } });
    await db.sql(`UPDATE hcd_ad_days SET clicks = 5 WHERE day = ${today}`);
    await db.sql(`UPDATE hcd_ad_referrer_days SET clicks = 3 WHERE day = ${today} AND position = 1`);
    expect(await doctor('banner-sums')).toEqual([
      {
        state: 'warning',
        detail: `2 sums of the last 3 days do not match the events, such as clicks of banner 1 at position 1 on ${text(today)}: 5, not 1`,
        fix: 'Check with hcd banner recount --dry-run, then run hcd banner recount --lower',
        command: { path: 'banner recount', arguments: [], options: { lower: true } },
      },
    ]);
    const left = await db.run('banner recount', clock);
    expect([left.stdout, left.stderr]).toEqual([
      `${text(today)}\tclicks\t1\t1\t\t5\t1\tfalse\n${text(today)}\tclicks by referrer\t\t1\t\t3\t1\tfalse\n`,
      'Corrected totals: 0. Totals higher than their events, kept: 2. Use --lower to lower them.\n',
    ]);
    expect((await db.run('banner recount --lower', clock)).stderr).toBe('Corrected totals: 2.\n');
    expect((await db.run('banner recount --days 5', clock)).stderr).toBe('Corrected totals: 1.\n');
    expect(await db.json('banner recount --all', clock)).toEqual({ data: [], meta: { total: 0 } });
  });

  test('refuses days together with all of them', async () => {
    const { code, stderr } = await db.run('banner recount --days 5 --all', clock);
    expect([code, stderr]).toEqual([2, 'hcd: --days cannot be combined with --all\nSee hcd banner recount --help.\n']);
  });

  test('doctor names positions whose context is gone', async () => {
    expect(await doctor('banner-positions')).toEqual([{ state: 'ok', detail: '1 position', fix: null }]);
    await db.sql("UPDATE hcd_ad_positions SET context_key = 'shop'");
    expect(await doctor('banner-positions')).toEqual([
      {
        state: 'warning',
        detail: 'position 1 "top" is of the context shop, which does not exist, so its banners are never shown',
        fix: 'Set an existing context: hcd position update 1 --context-key KEY',
        command: { path: 'position update', arguments: ['1'], options: { 'context-key': null } },
      },
    ]);
  });

  test('duplicate copies a banner with its links, turned off where that is asked for', async () => {
    const { data: first } = (await db.json('banner show 1')) as { data: Readonly<Record<string, unknown>> };
    const { clicks: _c, impressions: _i, conversions: _o, current_image: _m, ...shown } = first;
    const { state: _s, state_reason: _r, ...values } = shown;
    expect(await db.json('banner duplicate 1')).toEqual({ data: { ...values, id: 2, name: 'A (copy)' } });
    expect(await db.json('banner duplicate 1 --disabled')).toEqual({
      data: { ...values, id: 3, name: 'A (copy)', active: 0 },
    });
    expect((await db.run('position order top')).stdout).toBe('0\t1\t1\t1\n1\t2\t2\t1\n2\t3\t3\t1\n');
    expect(await db.run('banner duplicate 9')).toEqual(refused('hcd: There is no banner 9\n'));
  });
});
