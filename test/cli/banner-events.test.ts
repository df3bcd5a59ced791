/** `hcd banner import-clicks` and `hcd banner stats` together: what is imported is counted once and shown as it is. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { exportCsv } from '../../src/banners/statistics/export.js';
import type { CliOptions } from '../support/cli.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { fakeClock } from '../support/clock.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { makeTempDir } from '../support/temp-dir.js';
import { printed } from './outcomes.js';

const now = Date.UTC(2026, 10, 21, 12);
const clicks = `id,ad_id,position_id,clicked_at,referrer,ip,order_id
7,1,1,2026-11-19T09:30:00Z,https://a.example/,192.0.2.0,A-1
8,1,1,2026-11-19T09:31:00Z,,192.0.2.0,
,1,2,2026-11-20T10:00:00Z,,198.51.100.7,
,1,2,2026-11-20T18:00:00Z,,198.51.100.7,
,2,1,2026-11-12T10:00:00Z,,,
`;
const impressions = `ad_id,position_id,shown_at
${Array.from({ length: 8 }, (_, minute) => `1,1,2026-11-19T09:0${minute}:00Z`).join('\n')}
2,1,2026-11-12T10:00:00Z
`;

interface Setting {
  readonly db: CliDatabase;
  readonly cwd: string;
  readonly run: (line: string, options?: CliOptions) => ReturnType<CliDatabase['run']>;
  readonly json: (line: string, options?: CliOptions) => Promise<unknown>;
}

async function prepare(url: string): Promise<Setting> {
  const db = await prepareCliDatabase(url);
  const cwd = await makeTempDir('events');
  for (const name of ['header', 'sidebar']) await db.run(`position add ${name}`);
  await db.run('banner add --name "Spring sale" --positions 1,2');
  await db.run('banner add --name Trips --positions 1');
  await db.run('setting set banners_track_impressions 1');
  await writeFile(join(cwd, 'clicks.csv'), clicks);
  await writeFile(join(cwd, 'shown.csv'), impressions);
  const given = { cwd, clock: fakeClock(now) };
  return {
    db,
    cwd,
    run: (line, options) => db.run(line, { ...given, ...options }),
    json: async (line, options) => JSON.parse((await db.run(`${line} --json`, { ...given, ...options })).stdout),
  };
}

const known = 'known: the event exists, or another one of the same visitor, banner, position and day.\n';

describeEachDatabase('events of banners', (database) => {
  let setting: Setting;
  beforeEach(async () => {
    setting = await prepare(await database.url());
  });

  test('a dry run counts what an import then does, and a second import adds nothing', async () => {
    const { run, json } = setting;
    const record = { type: 'clicks', rows: 5, from: '2026-11-12T10:00:00Z', to: '2026-11-20T18:00:00Z' };
    expect(await json('banner import-clicks clicks.csv --type clicks --dry-run')).toEqual({
      data: { ...record, added: 4, known: 1, taken: 0, dry_run: true },
    });
    expect(await json('banner stats --period all')).toMatchObject({ data: { summary: { clicks: 0 } } });
    expect(await run('banner import-clicks clicks.csv --type clicks')).toEqual({
      code: 0,
      stdout:
        'type\tclicks\nrows\t5\nadded\t4\nknown\t1\ntaken\t0\nfrom\t2026-11-12T10:00:00Z\nto\t2026-11-20T18:00:00Z\ndry_run\tfalse\n',
      stderr: known,
    });
    for (const flag of ['--dry-run', '']) {
      expect(await json(`banner import-clicks clicks.csv --type clicks ${flag}`)).toMatchObject({
        data: { rows: 5, added: 0, known: 5, taken: 0 },
      });
    }
    expect(await json('banner stats --period all')).toMatchObject({ data: { summary: { clicks: 4, conversions: 1 } } });
  });

  test('keeps ids, and leaves out rows whose ids belong to other events', async () => {
    const { run, json, cwd } = setting;
    await run('banner import-clicks clicks.csv --type clicks');
    await writeFile(
      join(cwd, 'more.csv'),
      'id,ad_id,position_id,clicked_at\n7,2,1,2026-11-18T09:30:00Z\n70,2,1,2026-11-18T09:31:00Z\n70,2,1,2026-11-18T09:32:00Z\n',
    );
    const counts = { rows: 3, added: 1, known: 0, taken: 2 };
    expect(await json('banner import-clicks more.csv --type clicks --dry-run')).toMatchObject({ data: counts });
    const outcome = await run('banner import-clicks more.csv --type clicks');
    expect([outcome.code, outcome.stderr]).toEqual([
      0,
      'taken: another event has the id. Leave the id column empty to import such rows.\n',
    ]);
    await setting.db.change(async ({ own }) => {
      const rows = await own.select({
        sql: 'SELECT id FROM hcd_ad_clicks WHERE id IN (7, 8, 70) ORDER BY id',
        params: [],
      });
      expect(rows.map(([id]) => Number(id))).toEqual([7, 8, 70]);
    });
  });

  test('an export of one database is an import of another, with the same statistics', async () => {
    const { run, json, db } = setting;
    await run('banner import-clicks clicks.csv --type clicks');
    await run('banner import-clicks shown.csv --type impressions');
    const other = await prepare(await database.url());
    for (const type of ['clicks', 'impressions'] as const) {
      await db.change(async ({ own }) => {
        const range = { period: 'all', from: null, to: null, fromText: null, toText: null } as const;
        let csv = '';
        for await (const part of exportCsv(own, {
          range,
          subject: { banner: 0, position: 0 },
          clock: { now, zone: 'UTC' },
          type,
          bom: type === 'clicks',
        }))
          csv += part;
        await writeFile(join(other.cwd, `${type}-export.csv`), csv);
      });
      await other.run(`banner import-clicks ${type}-export.csv --type ${type}`);
    }
    expect(await other.json('banner stats --period all')).toEqual(await json('banner stats --period all'));
  });

  test('refuses the whole file and names the lines', async () => {
    const { run, json, cwd } = setting;
    const rows = ['9,1,2026-11-19T09:30:00Z', '1,1,2026-11-19T09:30:00Z', '1,8,2026-11-29T09:30:00Z', 'x,1,never'];
    await writeFile(join(cwd, 'bad.csv'), `ad_id,position_id,clicked_at\n${rows.join('\n')}\n`);
    expect(await run('banner import-clicks bad.csv --type clicks')).toEqual({
      code: 1,
      stdout: '',
      stderr: [
        'hcd: 3 rows are invalid; nothing was imported.',
        '  line 2: banner 9 does not exist',
        '  line 4: position 8 does not exist',
        '  line 4: the time 2026-11-29T09:30:00Z is in the future',
        '  line 5: ad_id must be an id, not "x"',
        '  line 5: clicked_at must be a time as ISO 8601 (2026-11-21T09:30:00Z; without Z or an offset in banners_timezone), a date, or Unix seconds, not "never"',
        '',
      ].join('\n'),
    });
    expect(await json('banner stats --period all')).toMatchObject({ data: { summary: { clicks: 0 } } });
  });

  test('takes a file of a spreadsheet: semicolons, and times of the time zone of the banners', async () => {
    const { run, json, db, cwd } = setting;
    await db.run('setting set banners_timezone Asia/Tokyo');
    const rows =
      '\ufeffsep=;\r\nad_id;position_id;clicked_at;referrer\r\n1;1;2026-11-20 00:30;https://a.example/?a,b\r\n';
    await writeFile(join(cwd, 'sheet.csv'), rows);
    expect(await json('banner import-clicks sheet.csv --type clicks')).toMatchObject({
      data: { added: 1, from: '2026-11-19T15:30:00Z' },
    });
    expect((await run('banner stats --from 2026-11-20 --to 2026-11-20')).stdout).toBe('2026-11-20\t0\t1\t0\t\t0\n');
  });

  test('takes the days of the time zone of the banners', async () => {
    const { run, json, db, cwd } = setting;
    await db.run('setting set banners_timezone Asia/Tokyo');
    await writeFile(join(cwd, 'late.csv'), 'ad_id,position_id,clicked_at\n1,1,2026-11-19T16:00:00Z\n');
    await run('banner import-clicks late.csv --type clicks');
    expect(await json('banner stats --from 2026-11-20 --to 2026-11-20')).toMatchObject({
      data: { summary: { clicks: 1 }, by_day: [{ date: '2026-11-20', clicks: 1 }] },
    });
  });

  test('shows the exact figures as JSON, a line per day in a pipe, and plots and tables on a terminal', async () => {
    const { run, json } = setting;
    await run('banner import-clicks clicks.csv --type clicks');
    await run('banner import-clicks shown.csv --type impressions');
    const none = { clicks: 0, impressions: 0, conversions: 0, ctr: null, cvr: null };
    const first = { clicks: 2, impressions: 8, conversions: 1, ctr: 25, cvr: 50 };
    expect(await json('banner stats --from 2026-11-18 --to 2026-11-20 --position header')).toEqual({
      data: {
        summary: { period: 'custom', from: '2026-11-18', to: '2026-11-20', ...first },
        by_day: [
          { date: '2026-11-18', ...none },
          { date: '2026-11-19', ...first },
          { date: '2026-11-20', ...none },
        ],
        top_ads: [{ id: 1, name: 'Spring sale', ...first }],
        today: '2026-11-21',
        by_position: [{ id: 1, name: 'header', ...first }],
        referrers: [
          { referrer: '', clicks: 1 },
          { referrer: 'https://a.example/', clicks: 1 },
        ],
      },
    });
    const partOfDay = 'banner stats --from 2026-11-19T00:01 --to 2026-11-20 --position header';
    expect(await json(partOfDay)).toMatchObject({ data: { by_position: [{ id: 1, name: 'header', ...first }] } });
    const ofBanner = 'banner stats --from 2026-11-19 --to 2026-11-19 --banner';
    expect(await json(`${ofBanner} 1 --position header`)).toMatchObject({ data: { summary: first } });
    expect(await json(`${ofBanner} 2 --position header`)).toMatchObject({ data: { summary: none, top_ads: [] } });
    expect(await run('banner stats --from 2026-11-18 --to 2026-11-20')).toEqual(
      printed('2026-11-18\t0\t0\t0\t\t\n2026-11-19\t8\t2\t1\t25\t50\n2026-11-20\t0\t1\t0\t\t0\n'),
    );
    const drawn = await run('banner stats --from 2026-11-18 --to 2026-11-20', {
      terminal: { columns: 90 },
      env: { LANG: 'C.UTF-8' },
    });
    expect(drawn.stdout).toBe(
      [
        '2026-11-18 to 2026-11-20  UTC',
        '',
        'IMPRESSIONS  CLICKS  CTR      CONVERSIONS  CVR',
        '8            3       37.50 %  1            33.33 %',
        '',
        'Impressions  8 in 3 days · most 8 on 19 Nov',
        '8 ┤        ███████',
        '  │        ███████',
        '4 ┤        ███████',
        '  │        ███████',
        '0 ┼────────────────────────',
        '   18 Nov  19 Nov  20 Nov',
        '',
        'Clicks  3 in 3 days · most 2 on 19 Nov',
        '2 ┤        ███████',
        '  │        ███████',
        '1 ┤        ███████ ███████',
        '  │        ███████ ███████',
        '0 ┼────────────────────────',
        '   18 Nov  19 Nov  20 Nov',
        '',
        'ID  TOP BANNERS  IMPRESSIONS  CLICKS  CTR      CONVERSIONS',
        '1   Spring sale  8            3       37.50 %  1',
        '',
      ].join('\n'),
    );
  });

  test('compares two periods', async () => {
    const { run, json } = setting;
    await run('banner import-clicks clicks.csv --type clicks');
    await run('banner import-clicks shown.csv --type impressions');
    const compared = (await json('banner stats --compare last_week')) as {
      data: { base: { summary: object }; compare: { summary: object }; delta: object };
    };
    expect([compared.data.base.summary, compared.data.compare.summary, compared.data.delta]).toEqual([
      {
        period: 'this_week',
        from: '2026-11-16',
        to: '2026-11-21',
        clicks: 3,
        impressions: 8,
        conversions: 1,
        ctr: 37.5,
        cvr: 33.33,
      },
      {
        period: 'last_week',
        from: '2026-11-09',
        to: '2026-11-15',
        clicks: 1,
        impressions: 1,
        conversions: 0,
        ctr: 100,
        cvr: 0,
      },
      { clicks: 200, impressions: 700, conversions: null, ctr: -62.5, cvr: null },
    ]);
    expect((await run('banner stats --compare lastweek')).stdout).toBe(
      'impressions\t8\t1\t700\nclicks\t3\t1\t200\nconversions\t1\t0\t\nctr\t37.5\t100\t-62.5\ncvr\t33.33\t0\t\n',
    );
    const drawn = await run('banner stats --compare last_week', { terminal: { columns: 90 } });
    expect(drawn.stdout.split('\n').slice(0, 4)).toEqual([
      'FIGURE       THIS_WEEK        LAST_WEEK       CHANGE',
      'days         16 Nov - 21 Nov  9 Nov - 15 Nov  -',
      'impressions  8                1               +700.00 %',
      'clicks       3                1               +200.00 %',
    ]);
  });
});

describe('events of banners, refused', () => {
  let setting: Setting;
  beforeEach(async () => {
    setting = await prepare(await freshSqliteUrl());
  });

  test.each([
    ['a file that is not there', 'banner import-clicks none.csv --type clicks', 1, /none\.csv cannot be read\n$/],
    [
      'the columns of the other type',
      'banner import-clicks clicks.csv --type impressions',
      1,
      /^hcd: Line 1: unknown column "clicked_at"; .*shown_at is missing\./,
    ],
    ['no type', 'banner import-clicks clicks.csv', 2, /^hcd: --type is required: one of clicks, impressions\n/],
    [
      'another type',
      'banner import-clicks clicks.csv --type orders',
      2,
      /^hcd: --type must be one of clicks, impressions, not "orders"\n/,
    ],
    [
      'an unknown period',
      'banner stats --period yesterday',
      2,
      /^hcd: --period must be one of all, today, last_7_days/,
    ],
    [
      'a period with limits',
      'banner stats --period today --from 2026-11-01',
      2,
      /^hcd: --period cannot be combined with --from and --to\n/,
    ],
    ['a bad date', 'banner stats --from 1.11.2026', 2, /^hcd: --from must be a date such as 2026-11-21/],
    [
      'a beginning behind the end',
      'banner stats --from 2026-11-02 --to 2026-11-01',
      2,
      /^hcd: --from must not be later than to\nSee hcd banner stats --help/,
    ],
    ['an unknown banner', 'banner stats --banner 99', 1, /^hcd: There is no banner 99\n$/],
    ['an unknown position', 'banner stats --position footer', 1, /^hcd: There is no position footer\n$/],
  ])('refuses %s', async (_name, line, code, stderr) => {
    const outcome = await setting.run(line);
    expect([outcome.code, outcome.stdout]).toEqual([code, '']);
    expect(outcome.stderr).toMatch(stderr);
  });

  test('statistics of a removed position are still there under its id', async () => {
    const { run } = setting;
    await run('banner import-clicks clicks.csv --type clicks');
    const before = await run('banner stats --position sidebar');
    expect(before.stdout).toContain('2026-11-20\t0\t1\t0\t\t0\n');
    await run('position remove sidebar --yes');
    expect(await run('banner stats --position 2')).toEqual(before);
    expect((await run('banner stats --position sidebar')).stderr).toBe('hcd: There is no position sidebar\n');
    expect((await run('banner stats --position 3')).stderr).toBe('hcd: There is no position 3\n');
  });

  test('reports the first 20 of many invalid lines', async () => {
    const { run, cwd } = setting;
    await writeFile(join(cwd, 'bad.csv'), `ad_id,position_id,clicked_at\n${'9,1,1795167000\n'.repeat(50)}`);
    const { stderr } = await run('banner import-clicks bad.csv --type clicks');
    const lines = stderr.trimEnd().split('\n');
    expect([lines[0], lines.length, lines.at(-1)]).toEqual([
      'hcd: 50 rows are invalid; nothing was imported. The first 20:',
      21,
      '  line 21: banner 9 does not exist',
    ]);
  });

  test('says that impressions are not recorded', async () => {
    const { db, run } = setting;
    await db.run('setting set banners_track_impressions 0');
    const { stdout, stderr } = await run('banner stats --period today', { terminal: { columns: 80 } });
    expect(stderr).toBe(
      'Impressions are not recorded. Turn recording on:\n  hcd setting set banners_track_impressions 1\n',
    );
    expect(stdout).toContain('Clicks  none\n');
    expect(stdout).toContain('Top banners  none\n');
  });

  test('shows as many banners as are asked for, and how many there are', async () => {
    const { run } = setting;
    await run('banner import-clicks clicks.csv --type clicks');
    const { stdout } = await run('banner stats --period all --top 1', { terminal: { columns: 80 } });
    expect(stdout).toContain('all  days with events, UTC\n');
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('and 1 more: --top 2');
    const { stdout: text } = await run('banner stats --period all --top 1 --json');
    expect((JSON.parse(text) as { data: { top_ads: object[] } }).data.top_ads).toHaveLength(1);
  });
});
