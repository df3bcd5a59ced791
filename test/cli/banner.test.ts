/** `hcd banner`: arguments, what is shown in each form, every refusal, and what is left in the audit log. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { bannerDefaults } from '../support/banner-defaults.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { fakeClock } from '../support/clock.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { makeTempDir } from '../support/temp-dir.js';
import { printed, refused } from './outcomes.js';
import { expectTranscript } from './transcript.js';

const terminal = { columns: 160 };

interface Answer {
  readonly data?: Record<string, unknown>;
  readonly error?: { readonly code: string; readonly details: { readonly fields?: Record<string, string[]> } };
}

const fresh = {
  ...bannerDefaults,
  id: 1,
  name: 'Spring sale',
  url: 'https://shop.example/sale?x=1',
  image: 'banners/sale.png',
  end: '2026-12-31T23:59:59Z',
  max_clicks: 500,
  show_hours: { days: [1, 2], hours: [9] },
  target_parent_id: 7,
  tags: ['sale', 'new'],
  positions: [1, 2],
};

const freshLine = [
  ...[
    'banner',
    'add',
    '--name',
    'Spring sale',
    '--url',
    'https://shop.example/sale?x=1',
    '--image',
    'banners/sale.png',
  ],
  ...['--end', '2026-12-31T23:59:59Z', '--max-clicks', '500', '--show-hours', '{"days":[2,1],"hours":[9]}'],
  ...['--target-parent-id', '7', '--tags', 'sale, new', '--positions', '2,1'],
];

async function withPositions(url: string): Promise<CliDatabase> {
  const db = await prepareCliDatabase(url);
  for (const name of ['header', 'sidebar']) expect((await db.run(`position add ${name}`)).code).toBe(0);
  return db;
}

const json = async (db: CliDatabase, line: string | readonly string[]): Promise<Answer> =>
  (await db.json(line)) as Answer;

describeEachDatabase('hcd banner', (database) => {
  let db: CliDatabase;
  beforeEach(async () => {
    db = await withPositions(await database.url());
  });

  test('adds a banner by flags, shows every field of it, and writes one audit entry as cli', async () => {
    expect(await json(db, freshLine)).toEqual({ data: fresh });
    expect(await json(db, 'banner show 1')).toEqual({
      data: {
        ...fresh,
        clicks: 0,
        impressions: 0,
        conversions: 0,
        current_image: expect.stringMatching(/banners\/sale\.png$/),
        state: 'off_hours',
        state_reason: 'is shown only Mon to Tue, 9:00 to 9:59 (UTC)',
      },
    });
    const { id: _id, ...after } = fresh;
    expect(await json(db, 'banner audit --entity ad')).toEqual({
      data: [
        {
          id: 3,
          entity: 'ad',
          entity_id: 1,
          label: 'Spring sale',
          action: 'create',
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
          username: 'cli',
          payload: { before: null, after },
        },
      ],
      meta: { total: 1 },
    });
  });

  test('changes only what is given, replaces positions as a list and takes values away by null, 0 and nothing', async () => {
    await db.run(freshLine);
    expect(await json(db, ['banner', 'update', '1', '--max-impressions', '9', '--positions', '2'])).toEqual({
      data: { ...fresh, max_impressions: 9, positions: [2] },
    });
    const line = [
      'banner',
      'update',
      '1',
      '--end',
      'null',
      '--show-hours',
      'null',
      '--max-clicks',
      '0',
      '--tags',
      '',
      '--positions',
      '',
    ];
    expect(await json(db, line)).toEqual({
      data: { ...fresh, end: null, show_hours: null, max_clicks: 0, max_impressions: 9, tags: [], positions: [] },
    });
    const { data } = (await db.json('banner audit --action update --limit 1')) as { data: { payload: unknown }[] };
    expect(data[0]?.payload).toEqual({
      before: { end: fresh.end, show_hours: fresh.show_hours, max_clicks: 500, tags: ['sale', 'new'], positions: [2] },
      after: { end: null, show_hours: null, max_clicks: 0, tags: [], positions: [] },
    });
  });

  test('takes the whole banner from JSON and from a file, with flags over it', async () => {
    const cwd = await makeTempDir('banner');
    await writeFile(join(cwd, 'banner.json'), '\ufeff{"name": "From a file", "type": "html", "html": "<p>Hi</p>"}');
    const whole = ['banner', 'add', '--data', '{"name": "A", "active": false, "positions": [1]}', '--name', 'B'];
    expect((await json(db, whole)).data).toMatchObject({ name: 'B', active: 0, positions: [1] });
    const outcome = await db.run('banner add --file banner.json --description "" --json', { cwd });
    expect(JSON.parse(outcome.stdout)).toMatchObject({
      data: { name: 'From a file', type: 'html', html: '<p>Hi</p>', description: '' },
    });
    const piped = await db.run('banner add --file - --json', { stdin: '{"name": "Piped"}' });
    expect(JSON.parse(piped.stdout)).toMatchObject({ data: { name: 'Piped' } });
  });

  test('makes banners from presets, with what is given over their values', async () => {
    await db.run(['preset', 'add', 'Card', '--tags', 'shop', '--max-clicks', '5', '--description', 'From a preset']);
    expect((await json(db, 'banner add --preset Card --positions 2')).data).toMatchObject({
      name: 'Card',
      tags: ['shop'],
      max_clicks: 5,
      positions: [2],
    });
    expect((await json(db, 'banner add --preset 1 --name Mine --max-clicks 7')).data).toMatchObject({
      name: 'Mine',
      description: 'From a preset',
      max_clicks: 7,
      positions: [],
    });
    const { data } = (await db.json('banner audit --entity ad --oldest')) as { data: { action: string }[] };
    expect(data.map(({ action }) => action)).toEqual(['create_from_template', 'create']);
    expect(await db.run('banner add --preset Nothing')).toEqual(
      refused('hcd: There is no preset Nothing; hcd preset list shows every preset\n'),
    );
  });

  test('switches banners on and off, and says when there is nothing to do', async () => {
    await db.run(freshLine);
    expect(await db.run('banner disable 1')).toEqual(printed('Turned off banner 1 "Spring sale".\n'));
    expect((await db.run('banner disable 1')).stdout).toBe('Banner 1 "Spring sale" is already off; nothing to do.\n');
    expect(await json(db, 'banner enable 1')).toEqual({ data: fresh });
    const { data } = (await db.json('banner audit --entity ad')) as { data: { action: string; payload: unknown }[] };
    expect(data.map(({ action, payload }) => [action, payload]).slice(0, 2)).toEqual([
      ['enable', { before: { active: 0 }, after: { active: 1 } }],
      ['disable', { before: { active: 1 }, after: { active: 0 } }],
    ]);
  });

  test('removes a banner permanently, on a terminal only after confirmation', async () => {
    await db.run(freshLine);
    const asked = await db.run('banner remove 1', { terminal, stdin: 'n\n' });
    expect([asked.code, asked.stderr.includes('Remove banner 1 "Spring sale" (clicks: 0) permanently?')]).toEqual([
      1,
      true,
    ]);
    expect(asked.stderr).toContain('hcd: Nothing was changed\n');
    expect((await db.run('banner remove 1', { terminal, stdin: 'y\n' })).code).toBe(0);
    expect((await db.run('banner remove 1 --yes')).stderr).toBe('hcd: There is no banner 1\n');
    await db.run(freshLine);
    expect(await json(db, 'banner remove 2 --yes')).toEqual({ data: { id: 2, removed: true } });
  });

  test('lists banners by every filter', async () => {
    const add = (line: string) => db.run(`banner add ${line}`);
    await add('--name Alpha --positions 1 --tags a --product-id 4');
    await add('--name Beta --positions 1,2 --type html --category-id 5 --end 2026-01-01T00:00:00Z');
    await add('--name Gamma --active 0 --tags a,b --description "under the alpha"');
    const ids = async (flags: string): Promise<unknown> => {
      const outcome = await db.run(`banner list ${flags} --json`, { clock: fakeClock(Date.UTC(2026, 10, 21)) });
      return (JSON.parse(outcome.stdout) as { data: { id: number }[] }).data.map(({ id }) => id);
    };
    const found: Record<string, readonly number[]> = {
      '--query alpha': [1, 3],
      '--active no': [3],
      '--type html': [2],
      '--product-id 4': [1],
      '--category-id 5': [2],
      '--tag a': [1, 3],
      '--position 2': [2],
      '--position 1,2 --mode exclude': [3],
      '--on-schedule': [1, 3],
      '--sort name --desc': [3, 2, 1],
      '--limit 1 --offset 1': [2],
    };
    for (const [flags, expected] of Object.entries(found)) expect([flags, await ids(flags)]).toEqual([flags, expected]);
    expect((await db.run('banner list --limit 2')).stderr).toBe('2 of 3 shown.\n');
  });
});

describe('hcd banner, refused', () => {
  let db: CliDatabase;
  beforeEach(async () => {
    db = await withPositions(await freshSqliteUrl());
  });

  test('says where a banner without a position may go', async () => {
    const { code, stdout, stderr } = await db.run('banner add --name Alone');
    expect([code, stdout, stderr]).toEqual([
      0,
      'id\t1\nname\tAlone\ntype\timage\nactive\t1\nstart\t\nend\t\nurl\t\nimage\t\npositions\t\ntags\t\n',
      'The banner has no position yet. Link it: hcd position link POSITION 1\n',
    ]);
  });

  test('asks for a name on a terminal, and only there', async () => {
    const asked = await db.run('banner add --positions 1', { terminal, stdin: 'Asked for\n' });
    expect([asked.code, asked.stdout.includes('Asked for')]).toEqual([0, true]);
    expect(await db.run('banner add --positions 1')).toEqual(
      refused('hcd: --name is required: not a terminal, cannot prompt\nSee hcd banner add --help.\n', 2),
    );
  });

  test('reports all problems at once, by flag', async () => {
    const line = [
      ...['banner', 'add', '--name', ' ', '--type', 'video', '--url', 'javascript:alert(1)', '--max-clicks', 'many'],
      ...['--positions', '1,9', '--product-id', '1', '--category-id', '2', '--tags', 'Größe', '--show-hours', 'always'],
      ...['--start', 'tomorrow', '--active', 'perhaps', '--json'],
    ];
    await expectTranscript(db, 'refused/banner-add', [line]);
    expect(((await db.json('banner list')) as { data: unknown[] }).data).toEqual([]);
  });

  test('refuses unknown banners, wrong usage and unreadable files', async () => {
    await expectTranscript(db, 'refused/banner', [
      'banner show 9',
      'banner update 9 --name A',
      'banner enable 9',
      'banner update 1',
      'banner add --data [1]',
      'banner add --data {} --file x',
      'banner add --file x.json',
      'banner show sale',
      'banner audit --action explode',
      'banner list --sort clicks',
    ]);
  });

  test('refuses a list of fields in a file', async () => {
    expect(await db.run('banner add --file -', { stdin: '[]' })).toEqual(
      refused('hcd: The standard input does not contain a JSON object of fields\n'),
    );
    expect((await db.run('banner add --file - --json', { stdin: '{"name": "A", "clicks": 4}' })).stdout).toContain(
      '"clicks":["is not a field of a banner',
    );
  });
});

describe('hcd banner key', () => {
  const usage = `To try the key, with BANNERS_KEY set to it: curl -H "X-API-Key: $BANNERS_KEY" 'http://127.0.0.1:8080/banners/api.php/ads'\n`;
  const off = 'The banner API is off. Turn it on: hcd setting set banners_api_enabled 1\n';
  const now = Date.UTC(2026, 10, 21, 9, 30);
  let db: CliDatabase;
  beforeEach(async () => {
    db = await prepareCliDatabase(await freshSqliteUrl());
  });

  test('makes the first key, shows it, and lets an old one work on', async () => {
    expect((await db.run('banner key show')).stderr).toBe(
      'hcd: The banner API has no key yet. Create one: hcd banner key rotate\n',
    );
    const first = await db.run('banner key rotate --yes');
    const [, key = ''] = /^key\t([0-9a-f]{32})\nprevious_ends_on\t\n$/.exec(first.stdout) ?? [];
    expect([first.code, key.length, first.stderr]).toEqual([0, 32, usage + off]);
    expect(await db.run('banner key show')).toEqual({
      code: 0,
      stdout: `key\t${key}\nsource\tsettings\nprevious\t\nprevious_ends_on\t\nread_keys\t\n`,
      stderr: usage + off,
    });
    await db.run('setting set banners_api_enabled 1');
    const clock = fakeClock(now);
    const second = await db.run('banner key rotate --overlap 7d', { clock });
    const [, next = ''] = /^key\t([0-9a-f]{32})\nprevious_ends_on\t2026-11-28T09:30:00Z\n$/.exec(second.stdout) ?? [];
    expect([next === key, second.stderr]).toEqual([false, `The old key works until 2026-11-28T09:30:00Z.\n${usage}`]);
    const shown = await db.run('banner key show --json', { clock });
    expect(JSON.parse(shown.stdout)).toEqual({
      data: { key: next, source: 'settings', previous: key, previous_ends_on: '2026-11-28T09:30:00Z', read_keys: [] },
    });
    const third = await db.run('banner key rotate --yes', { clock });
    expect(third.stderr).toBe(`The old key stops working within one second.\n${usage}`);
    const last = JSON.parse((await db.run('banner key show --json', { clock })).stdout) as Answer;
    expect([last.data?.['previous'], last.data?.['previous_ends_on']]).toEqual([null, null]);
  });

  test('makes and ends keys that may only read', async () => {
    await db.run('banner key rotate --yes');
    const { data } = await json(db, 'banner key add dashboard');
    expect(data).toEqual({ name: 'dashboard', key: expect.stringMatching(/^br_[0-9A-Za-z]{43}$/) });
    expect((await db.run('banner key add dashboard')).stderr).toContain('There is a key dashboard already');
    expect((await db.run('banner key add Dashboard')).code).toBe(2);
    const { stdout } = await db.run('banner key show --json');
    expect(stdout).not.toContain(String(data?.['key']));
    expect((JSON.parse(stdout) as Answer).data?.['read_keys']).toEqual(['dashboard']);
    expect((await db.run('banner key remove dashboard', { terminal, stdin: 'n\n' })).code).toBe(1);
    expect(await db.run('banner key remove dashboard --yes')).toEqual(
      printed('Revoked the key dashboard. Servers refuse it within one second.\n'),
    );
    expect((await db.run('banner key remove dashboard --yes')).code).toBe(1);
  });

  test('reports that the environment sets the key, and does not rotate it', async () => {
    const env = { HCD_BANNERS_API_KEY: 'a-key-of-the-environment' };
    const shown = await db.run('banner key show', { env });
    expect(shown.stdout).toContain('key\ta-key-of-the-environment\nsource\tenvironment\n');
    const rotated = await db.run('banner key rotate --yes', { env, clock: systemClock });
    expect([rotated.code, rotated.stderr]).toEqual([
      1,
      'hcd: HCD_BANNERS_API_KEY is set in this environment and wins over what is stored: unset it first\n',
    ]);
  });
});
