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
import { expectTranscript } from './transcript.js';

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
    const rows = await setting.db.rows('SELECT id FROM hcd_ad_clicks WHERE id IN (7, 8, 70) ORDER BY id');
    expect(rows.map(([id]) => Number(id))).toEqual([7, 8, 70]);
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
    const { run } = setting;
    await run('banner import-clicks clicks.csv --type clicks');
    await run('banner import-clicks shown.csv --type impressions');
    const days = '--from 2026-11-18 --to 2026-11-20';
    const lines = [
      `banner stats ${days}`,
      `banner stats ${days} --position header --json`,
      'banner stats --from 2026-11-19T00:01 --to 2026-11-20 --position header --json',
      'banner stats --from 2026-11-19 --to 2026-11-19 --banner 1 --position header --json',
      'banner stats --from 2026-11-19 --to 2026-11-19 --banner 2 --position header --json',
    ];
    await expectTranscript(setting, 'banner-stats', lines);
    const drawing = { terminal: { columns: 90 }, env: { LANG: 'C.UTF-8' } };
    await expectTranscript(setting, 'banner-stats-terminal', [`banner stats ${days}`], drawing);
  });

  test('compares two periods', async () => {
    const { run } = setting;
    await run('banner import-clicks clicks.csv --type clicks');
    await run('banner import-clicks shown.csv --type impressions');
    const compare = 'banner stats --compare';
    await expectTranscript(setting, 'banner-stats-compare', [`${compare} last_week --json`, `${compare} lastweek`]);
    await expectTranscript(setting, 'banner-stats-compare-terminal', [`${compare} last_week`], {
      terminal: { columns: 90 },
    });
  });
});

describe('events of banners, refused', () => {
  let setting: Setting;
  beforeEach(async () => {
    setting = await prepare(await freshSqliteUrl());
  });

  test('refuses unreadable files, wrong usage, unknown banners and positions', async () => {
    await expectTranscript(
      setting,
      'refused/banner-events',
      [
        'banner import-clicks none.csv --type clicks',
        'banner import-clicks clicks.csv --type impressions',
        'banner import-clicks clicks.csv',
        'banner import-clicks clicks.csv --type orders',
        'banner stats --period yesterday',
        'banner stats --period today --from 2026-11-01',
        'banner stats --from 1.11.2026',
        'banner stats --from 2026-11-02 --to 2026-11-01',
        'banner stats --banner 99',
        'banner stats --position footer',
      ],
      { steady: (text) => text.replaceAll(setting.cwd, 'FOLDER') },
    );
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
