/** States of banners in lists, what a position shows and why not the rest, and statistics by position and referrer. */
import { beforeAll, describe, expect, it, test } from 'vitest';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { fakeClock } from '../support/clock.js';
import { describeEachDatabase } from '../support/databases.js';
import { seed } from '../support/seed.js';

/** A Saturday, half past ten in Berlin. */
const clock = fakeClock(Date.parse('2026-11-28T09:30:00Z'));
const env = { HCD_BANNERS_TIMEZONE: 'Europe/Berlin' };

describeEachDatabase('banners of a site', (kind) => {
  let db: CliDatabase;
  const run = (line: string | readonly string[]) => db.run(line, { clock, env });
  const json = async <T>(line: string): Promise<T> => {
    const { data } = JSON.parse((await db.run(`${line} --json`, { clock, env })).stdout);
    return data;
  };

  beforeAll(async () => {
    db = await prepareCliDatabase(await kind.url(), (store) =>
      seed(store, {
        site_content: [
          { id: 1, pagetitle: 'Tents', alias: 'tents', uri: 'tents/', published: 1, isfolder: 1 },
          { id: 2, pagetitle: 'Corrie', alias: 'corrie', uri: 'tents/corrie', published: 1, parent: 1 },
        ],
      }),
    );
    for (const name of ['top', 'side']) await run(`position add ${name}`);
    const all = ['--positions', '1'];
    const add = (name: string, ...flags: readonly string[]) => run(['banner', 'add', '--name', name, ...flags]);
    await add('open', ...all);
    await add('until', ...all, '--end', '2026-12-01T00:00:00+01:00');
    await add('off', ...all, '--active', '0', '--end', '2026-11-01T00:00:00Z');
    await add('over', ...all, '--end', '2026-11-28T09:29:59Z');
    await add('later', ...all, '--start', '2026-12-24T12:00:00Z');
    await add('clicked', ...all, '--max-clicks', '5');
    await add('seen', ...all, '--max-impressions', '100', '--max-clicks', '9');
    await add('nowhere');
    await add('weekdays', ...all, '--show-hours', '{"days":[1,2,3,5],"hours":[9,10,18]}');
    await add('today', ...all, '--show-hours', '{"days":[6],"hours":[10]}');
    await add('tent', ...all, '--target-resource-id', '2');
    await add('tents', ...all, '--target-parent-id', '1', '--tags', 'sale');
    await db.sql(
      'INSERT INTO hcd_ad_days (day, ad, position, clicks, impressions, conversions) VALUES (?, ?, ?, ?, ?, ?)',
      [
        [20261127, 6, 1, 5, 10, 0],
        [20261127, 7, 1, 3, 100, 1],
        [20261126, 7, 2, 1, 50, 0],
        [20261126, 1, 1, 8, 20, 2],
      ],
    );
  });

  const states: readonly (readonly [name: string, state: string, reason: string])[] = [
    ['open', 'running', 'is shown, without an end'],
    ['until', 'running', 'is shown until 2026-12-01 00:00'],
    ['off', 'disabled', 'is turned off'],
    ['over', 'ended', 'ended on 2026-11-28 10:29'],
    ['later', 'planned', 'starts on 2026-12-24 13:00'],
    ['clicked', 'capped', 'has 5 of at most 5 clicks'],
    ['seen', 'capped', 'has 150 of at most 100 impressions'],
    ['nowhere', 'unplaced', 'is at no position'],
    ['weekdays', 'off_hours', 'is shown only Mon to Wed, Fri, 9:00 to 10:59, 18:00 to 18:59 (Europe/Berlin)'],
    ['today', 'running', 'is shown, without an end'],
    ['tent', 'running', 'is shown, without an end'],
    ['tents', 'running', 'is shown, without an end'],
  ];

  test('are listed with their state and the reason', async () => {
    const rows = await json<Record<string, string>[]>('banner list');
    expect(rows.map(({ name, state, state_reason }) => [name, state, state_reason])).toEqual(states);
    expect(await json('banner show 6')).toMatchObject({ state: 'capped', state_reason: 'has 5 of at most 5 clicks' });
  });

  it.each(['running', 'disabled', 'ended', 'planned', 'capped', 'unplaced', 'off_hours'])(
    'are found by the state %s',
    async (state) => {
      const rows = await json<Record<string, string>[]>(`banner list --state ${state}`);
      expect(rows.map(({ name }) => name)).toEqual(states.filter(([, one]) => one === state).map(([name]) => name));
    },
  );

  describe('at a position', () => {
    const explained = async (flags: string) => {
      const rows = await json<Record<string, string | boolean>[]>(`position explain top ${flags}`);
      return Object.fromEntries(rows.map(({ name, shown, reason }) => [name, shown === true ? 'shown' : reason]));
    };

    test('are shown, or the reason is said', async () => {
      expect(await explained('')).toEqual({
        open: 'shown',
        until: 'shown',
        off: 'is turned off',
        over: 'ended on 2026-11-28 10:29',
        later: 'starts on 2026-12-24 13:00',
        clicked: 'has 5 of at most 5 clicks',
        seen: 'has 150 of at most 100 impressions',
        weekdays: 'is shown only Mon to Wed, Fri, 9:00 to 10:59, 18:00 to 18:59 (Europe/Berlin)',
        today: 'shown',
        tent: 'is only for the page "Corrie" (2)',
        tents: 'is only for pages of the section "Tents" (1)',
      });
    });

    it.each([
      ['--resource 2', { tent: 'shown', tents: 'shown' }],
      ['--parent 1', { tent: 'is only for the page "Corrie" (2)', tents: 'shown' }],
      ['--resource 2 --tags sale', { open: 'has no tags', tents: 'shown' }],
      ['--at 2026-12-25T09:30:00Z', { later: 'shown', until: 'ended on 2026-12-01 00:00', weekdays: 'shown' }],
    ])('are chosen for %s', async (flags, expected) => {
      expect(await explained(flags)).toMatchObject(expected);
    });

    test('of another context are not shown', async () => {
      await run('position add other --context-key web');
      await run('position link other 1');
      const [row] = await json<object[]>('position explain other --context mobile');
      expect(row).toMatchObject({ shown: false, reason: 'is at a position of the context web only' });
      expect(await json('position show other')).toMatchObject({ name: 'other', context_key: 'web', banners: 1 });
    });

    it.each([
      ['position explain missing', 'There is no position'],
      ['position explain top --tags A', '--tags must be at most 20 tags'],
    ])('refuses %s', async (line, problem) => {
      expect((await run(line)).stderr).toContain(problem);
    });
  });

  test('have statistics by position, in the order of a figure', async () => {
    const stats = await json<Record<string, object[]>>('banner stats --period all --order clicks');
    const names = (rows: object[] | undefined) => rows?.map((row) => ('name' in row ? row.name : null));
    expect([names(stats['top_ads']), names(stats['by_position']), stats['today']]).toEqual([
      ['open', 'clicked', 'seen'],
      ['top', 'side'],
      '2026-11-28',
    ]);
    expect(stats['by_position']?.[1]).toEqual({
      ...{ id: 2, name: 'side', clicks: 1, impressions: 50, conversions: 0, ctr: 2, cvr: 0 },
    });
    expect(names((await json<Record<string, object[]>>('banner stats --period all'))['top_ads'])?.[0]).toBe('seen');
    expect(stats['referrers']).toEqual([]);
  });

  test('are compared with as many days before', async () => {
    const compared = await json<Record<string, { summary: object }>>(
      'banner stats --from 2026-11-27 --to 2026-11-27 --compare previous',
    );
    expect(compared).toMatchObject({
      base: { summary: { from: '2026-11-27', to: '2026-11-27', clicks: 8 } },
      compare: { summary: { from: '2026-11-26', to: '2026-11-26', clicks: 9 } },
    });
    expect((await run('banner stats --period all --compare previous')).stderr).toContain('cannot be previous');
  });

  test('have their statistics as CSV', async () => {
    const { stdout } = await run('banner stats --from 2026-11-26 --to 2026-11-27 --csv report');
    expect(stdout).toBe(
      'date,impressions,clicks,conversions,ctr,cvr\r\n2026-11-26,70,9,2,12.86,22.22\r\n2026-11-27,110,8,1,7.27,12.5\r\n',
    );
    expect((await run('banner stats --csv report --compare previous')).stderr).toContain('--csv cannot be combined');
  });
});
