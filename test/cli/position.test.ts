/** `hcd position`: arguments, what is shown in each form, every refusal, and the order of links. */
import { beforeEach, describe, expect, test } from 'vitest';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { printed } from './outcomes.js';
import { expectTranscript } from './transcript.js';

const terminal = { columns: 120 };

async function withBanners(url: string): Promise<CliDatabase> {
  const db = await prepareCliDatabase(url);
  await db.run('position add header');
  for (const name of ['A', 'B', 'C']) await db.run(`banner add --name ${name} --positions 1`);
  return db;
}

describeEachDatabase('hcd position', (database) => {
  let db: CliDatabase;
  beforeEach(async () => {
    db = await withBanners(await database.url());
  });

  const order = async (): Promise<unknown> => {
    const { data } = (await db.json('position order header')) as {
      data: { idx: number; ad: number; weight: number }[];
    };
    return data.map(({ idx, ad, weight }) => [idx, ad, weight]);
  };

  test('adds, changes and lists positions', async () => {
    expect(await db.json('position add sidebar --context-key web')).toEqual({
      data: { id: 2, name: 'sidebar', context_key: 'web' },
    });
    expect((await db.run('position update sidebar --name side --context-key ""')).stdout).toBe(
      'id\t2\nname\tside\ncontext_key\t\n',
    );
    expect(await db.json('position list')).toEqual({
      data: [
        { id: 1, name: 'header', context_key: '', banners: 3, clicks: 0, impressions: 0 },
        { id: 2, name: 'side', context_key: '', banners: 0, clicks: 0, impressions: 0 },
      ],
      meta: { total: 2 },
    });
    expect(await db.run('position list --query SIDE')).toEqual({ code: 0, stdout: '2\tside\t\t0\t0\t0\n', stderr: '' });
    expect((await db.run('position list --sort name', { terminal })).stdout).toBe(
      'ID  NAME    CONTEXT_KEY  BANNERS  IMPRESSIONS  CLICKS\n1   header  -            3        0            0\n2   side    -            0        0            0\n',
    );
  });

  test('takes the contexts of the site only, and leaves one that is gone as it is', async () => {
    const refusal = 'hcd: --context-key shop: there is no context shop; the contexts are mgr, web\n';
    expect((await db.run('position add sidebar --context-key shop')).stderr).toBe(refusal);
    expect((await db.run('position update header --context-key shop')).stderr).toBe(refusal);
    await db.sql("UPDATE hcd_ad_positions SET context_key = 'gone'");
    const named = 'position update header --name top --context-key gone --json';
    expect(JSON.parse((await db.run(named)).stdout)).toEqual({ data: { id: 1, name: 'top', context_key: 'gone' } });
  });

  test('takes a number with a zero before it for a name', async () => {
    expect((await db.run('position update 01 --name x')).stderr).toBe('hcd: There is no position 01\n');
    await db.run('position add 01');
    expect(await db.json('position update 01 --name one')).toEqual({ data: { id: 2, name: 'one', context_key: '' } });
  });

  test('links a banner, and gives a link another weight and place', async () => {
    await db.run('position add sidebar');
    expect(await db.json('position link sidebar 2 --weight 3')).toEqual({
      data: { id: 4, ad: 2, position: 2, idx: 0, weight: 3 },
    });
    const again = await db.run('position link header 3 --idx 0 --weight 5');
    expect([again.stdout, again.stderr]).toEqual([
      'id\t3\nad\t3\nposition\t1\nidx\t0\nweight\t5\n',
      'The banner was already linked to this position.\n',
    ]);
    expect(await order()).toEqual([
      [0, 3, 5],
      [1, 1, 1],
      [2, 2, 1],
    ]);
  });

  test('puts banners first, and closes up where one is taken away', async () => {
    expect((await db.run('position order header 3 2')).stdout).toBe('0\t3\t3\t1\n1\t2\t2\t1\n2\t1\t1\t1\n');
    expect(await db.run('position unlink header 3')).toEqual(printed('Removed banner 3 from position 1 "header".\n'));
    expect(await order()).toEqual([
      [0, 2, 1],
      [1, 1, 1],
    ]);
    const { data } = (await db.json('banner audit --entity position')) as {
      data: { action: string; username: string; label: string }[];
    };
    expect(data.map(({ action, username, label }) => [action, username, label])).toEqual([
      ['unlink', 'cli', 'header'],
      ['order', 'cli', 'header'],
      ['create', 'cli', 'header'],
    ]);
  });
});

describe('hcd position, refused', () => {
  let db: CliDatabase;
  beforeEach(async () => {
    db = await withBanners(await freshSqliteUrl());
  });

  test('refuses unknown positions and banners, and wrong usage', async () => {
    await expectTranscript(db, 'refused/position', [
      'position link side 1',
      'position update 9 --name x',
      'position link header 9',
      'position unlink header 9',
      'position order header 9 2',
      'position order header 2 2',
      'position update header',
      'position link header 1 --weight 0',
    ]);
  });

  test('refuses names and contexts that are none, and a name that several have', async () => {
    const { stdout } = await db.run(['position', 'add', ' ', '--context-key', 'a b', '--json']);
    const { error } = JSON.parse(stdout) as { error: { details: { fields: object } } };
    expect(Object.keys(error.details.fields)).toEqual(['NAME', '--context-key']);
    await db.run('position add header');
    expect((await db.run('position link header 1')).stderr).toBe(
      'hcd: Several positions have the name header: name one by its id\n',
    );
  });

  test('says where to begin', async () => {
    await db.run('position add empty');
    const { stdout, stderr } = await db.run('position order empty', { terminal });
    expect([stdout, stderr]).toEqual(['', 'The position has no banners. Link one: hcd position link 2 BANNER\n']);
  });
});
