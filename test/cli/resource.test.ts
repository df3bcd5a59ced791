/** `hcd resource list|show|tree`: what an administrator sees of the resources, in every form of output. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../src/store/open/open.js';
import { runCli } from '../support/cli.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { describeWithFixture, loadFixture } from '../support/fixture.js';
import { accessRule, seed } from '../support/seed.js';
import { noted } from './outcomes.js';
import { expectTranscript } from './transcript.js';

/** Two contexts, a draft, a hidden, a deleted and a protected resource. */
async function fillTree(store: Store): Promise<void> {
  await seed(store, {
    context: [{ key: 'shop', name: 'Shop', rank: 3 }],
    site_templates: [{ id: 1, templatename: 'Page' }],
    site_tmplvars: [
      { id: 1, name: 'color', type: 'text', default_text: 'blue' },
      { id: 2, name: 'size', type: 'text', default_text: '' },
    ],
    site_tmplvar_templates: [
      { tmplvarid: 1, templateid: 1, rank: 1 },
      { tmplvarid: 2, templateid: 1, rank: 2 },
    ],
    site_content: [
      { id: 1, pagetitle: 'Home', uri: 'index.html', menuindex: 0, template: 1, createdby: 7 },
      { id: 2, pagetitle: 'News', uri: 'news/', menuindex: 1, isfolder: 1 },
      { id: 3, pagetitle: 'Second', uri: 'news/b.html', parent: 2, menuindex: 1, published: 0 },
      { id: 4, pagetitle: 'First', uri: 'news/a.html', parent: 2, menuindex: 0, hidemenu: 1 },
      { id: 5, pagetitle: 'Gone', uri: 'news/c.html', parent: 2, menuindex: 2, deleted: 1 },
      { id: 6, pagetitle: 'Below', uri: 'news/a/x.html', parent: 4 },
      { id: 7, pagetitle: 'Shelf\tone\u001b[2J', uri: 'shelf.html', context_key: 'shop' },
    ],
    site_tmplvar_contentvalues: [{ tmplvarid: 2, contentid: 1, value: 'XL' }],
    documentgroup_names: [{ id: 1, name: 'Members' }],
    document_groups: [{ document_group: 1, document: 6 }],
    access_resource_groups: [
      accessRule('1', { principal_class: 'modUserGroup', authority: 0, policy: 2, context_key: 'web' }),
    ],
  });
}

describeEachDatabase('hcd resource', (kind) => {
  let db: CliDatabase;

  beforeAll(async () => {
    db = await prepareCliDatabase(await kind.url(), fillTree);
  });

  describe('list', () => {
    test('shows every context, drafts and protected ones, without deleted ones', async () => {
      await expectTranscript(db, 'resource-list', ['resource list']);
    });

    test('says in a pipe too that it is cut', async () => {
      const cut = { code: 0, stdout: '1\n', stderr: '1 of 6 shown.\n' };
      expect(await db.run('resource list --limit 1 --fields id')).toEqual(cut);
    });

    test('has whole records with --json, protected fields included', async () => {
      const answer = await db.json('resource list --limit 1');
      expect(answer).toMatchObject({
        data: [{ id: 1, pagetitle: 'Home', content: '', createdby: 7, createdon: '2023-11-14T22:13:20Z' }],
        meta: { total: 6 },
      });
      expect(answer).not.toHaveProperty('data.0.properties');
    });

    test.each([
      ['a filter', '--filter published=0', [3]],
      ['an operator', '--filter id[gte]=4', [4, 6, 7]],
      ['a list', '--filter id[in]=1,7', [1, 7]],
      ['a list of single values', '--filter id[in][]=1 --filter id[in][]=7', [1, 7]],
      ['two filters', '--filter parent=2 --filter hidemenu=1', [4]],
      ['a value with an equals sign', '--filter alias=a=b', []],
      ['a text', '--q second', [3]],
      ['an order', '--sort -id --limit 2', [7, 6]],
      ['deleted ones', '--all --filter parent=2', [3, 4, 5]],
      ['a context', '--context shop', [7]],
      ['a context without resources', '--context mgr', []],
    ])('takes %s', async (_name, flags, ids) => {
      const answer = await db.json(`resource list --fields id ${flags}`);
      expect(answer).toMatchObject({ data: ids.map((id) => ({ id })) });
    });

    test('refuses what it cannot filter, sort or show', async () => {
      await expectTranscript(db, 'refused/resource-list', [
        'resource list --filter nothing=1',
        'resource list --filter id[near]=1',
        'resource list --filter id=one',
        'resource list --sort content',
        'resource list --fields id,nothing',
        'resource list --fields properties',
        'resource list --context nowhere',
      ]);
    });
  });

  describe('show', () => {
    test('prints chosen fields and template variables', async () => {
      expect((await db.run('resource show 1 --fields pagetitle,uri --tvs')).stdout).toBe(
        'pagetitle\tHome\nuri\tindex.html\ntvs\t{"color":"blue","size":"XL"}\n',
      );
      expect((await db.run('resource show 1 --fields pagetitle,uri', { terminal: { columns: 80 } })).stdout).toBe(
        'pagetitle  Home\nuri        index.html\n',
      );
      expect(await db.json('resource show 1 --fields id --tvs')).toEqual({
        data: { id: 1, tvs: { color: 'blue', size: 'XL' } },
      });
    });

    test.each([
      ['unpublished', 3],
      ['deleted', 5],
      ['protected', 6],
      ['in another context', 7],
    ])('finds what is %s', async (_name, id) => {
      expect(await db.json(`resource show ${id} --fields id`)).toEqual({ data: { id } });
    });

    test('refuses a resource that does not exist', async () => {
      expect(await db.json('resource show 99')).toEqual({
        error: { code: 'not_found', message: 'There is no resource 99', details: {} },
      });
      expect((await db.run('resource show 99')).code).toBe(1);
    });
  });

  describe('tree', () => {
    test('is drawn on a terminal, by context, siblings by menu index, and counts what lies below a depth or limit', async () => {
      const cuts = [
        ...['--depth 1 --context web', '2 --depth 1 --all', '--limit 2 --context web --all'],
        ...['--limit 1 --context web', '2 --limit 2', '2 --limit 3'],
      ];
      const lines = ['resource tree', ...cuts.map((flags) => `resource tree ${flags}`)];
      await expectTranscript(db, 'resource-tree', lines, { terminal: { columns: 80 } });
    });

    test('is indented by tabs in a pipe, and nested with --json', async () => {
      const lines = ['resource tree --all --context web', 'resource tree 4 --json'];
      await expectTranscript(db, 'resource-tree-pipe', lines);
    });

    test('is cut to a narrow terminal, titles first', async () => {
      const { stdout } = await db.run('resource tree --context web', { terminal: { columns: 20 } });
      expect(stdout).toBe(
        'web\n├─ 1 Home\n└─ 2 News\n   ├─ 4 First [hidden]\n   │  └─ 6 Below\n   └─ 3 Second [unpublished]\n',
      );
      const narrow = await prepareCliDatabase(await kind.url(), (store) =>
        seed(store, {
          site_content: [
            { id: 1, pagetitle: 'A pouch for first aid that gets used', menuindex: 0 },
            { id: 2, pagetitle: '日本語の題名がとても長い場合の表示', parent: 1, published: 0 },
            { id: 3, pagetitle: 'Walking maps of the whole north', parent: 2, menuindex: 1 },
          ],
        }),
      );
      const drawn = await narrow.run('resource tree', { terminal: { columns: 32 } });
      expect(drawn.stdout).toBe(
        'web\n└─ 1 A pouch for first aid that…\n   └─ 2 日本語の… [unpublished]\n      └─ 3 Walking maps of the …\n',
      );
    });

    test('reads more parents than one statement takes', async () => {
      const wide = await prepareCliDatabase(await kind.url(), async (store) => {
        const ids = Array.from({ length: 1200 }, (_, index) => index + 1);
        await seed(store, {
          site_content: [
            { id: 1, pagetitle: 'Root' },
            ...ids.map((id) => ({ id: id + 1, parent: 1, menuindex: id })),
            ...ids.map((id) => ({ id: id + 2001, parent: id + 1 })),
          ],
        });
      });
      const { stdout, stderr } = await wide.run('resource tree --limit 5000');
      expect([stdout.split('\n').length - 1, stderr]).toEqual([2401, '']);
      expect(stdout).toContain('\t1201\tA page\t\tweb\t0\n\t\t3201\tA page\t\tweb\t0\n');
      const cut = await wide.json('resource tree --limit 1801');
      expect(cut).toMatchObject({ data: { shown: 1801, resources: [{ id: 1, more: 0 }] } });
      expect((await wide.run('resource tree --limit 1801')).stderr).toContain('at least 600 more exist');
    });

    test('does not follow a circle of parents', async () => {
      const circle = await prepareCliDatabase(await kind.url(), (store) =>
        seed(store, {
          site_content: [
            { id: 1, parent: 3, pagetitle: 'One' },
            { id: 2, parent: 1, pagetitle: 'Two' },
            { id: 3, parent: 2, pagetitle: 'Three' },
          ],
        }),
      );
      expect((await circle.run('resource tree 1', { terminal: { columns: 80 } })).stdout).toBe(
        '1 One\n└─ 2 Two\n   └─ 3 Three\n',
      );
      expect(await circle.run('resource tree', { terminal: { columns: 80 } })).toEqual(noted('No resources found.\n'));
    });

    test('refuses unknown resources and contexts, and wrong usage', async () => {
      await expectTranscript(db, 'refused/resource-tree', [
        'resource tree 99',
        'resource tree --context nowhere',
        'resource tree 2 --context web',
        'resource tree --depth 0',
      ]);
    });
  });
});

describe('hcd resource without a usable database', () => {
  test('refuses wrong usage with the accepted values', async () => {
    await expectTranscript({ run: runCli }, 'refused/resource-usage', [
      'resource list --filter published',
      'resource list --limit 0',
      'resource list --fields ,',
      'resource list --colour',
      'resource show',
      'resource show 0',
    ]);
  });
});

describeWithFixture('hcd resource on the database of an existing site', () => {
  let db: CliDatabase;

  beforeAll(async () => {
    db = await prepareCliDatabase(await loadFixture());
  });

  test('list shows all of it, protected resources included', async () => {
    const list = await db.json('resource list --fields id --limit 1000');
    expect(list).toMatchObject({ meta: { total: 532 } });
    // Resources 11 and 12 are for customers only.
    expect(await db.json('resource list --fields id --filter id[in]=11,12')).toMatchObject({
      data: [{ id: 11 }, { id: 12 }],
    });
    expect((await db.run('resource list')).stderr).toBe('100 of 532 shown.\n');
  });

  test('tree has every resource once', async () => {
    const { stdout, stderr } = await db.run('resource tree');
    const ids = stdout.split('\n').flatMap((line) => /^\t*(\d+)/.exec(line)?.[1] ?? []);
    expect([ids.length, new Set(ids).size, stderr]).toEqual([532, 532, '']);
  });

  test('show has template variables', async () => {
    expect(await db.json('resource show 1 --fields id --tvs')).toMatchObject({
      data: { id: 1, tvs: expect.any(Object) },
    });
  });
});
