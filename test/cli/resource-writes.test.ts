/** `hcd resource create|update|publish|unpublish|delete|restore`: content by hand, by the rules of the gateway. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../src/store/open/open.js';
import { insertSubscription } from '../../src/webhooks/models/subscriptions.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { seed } from '../support/seed.js';
import { startTestSite } from '../support/site.js';
import { makeTempDir } from '../support/temp-dir.js';
import { printed } from './outcomes.js';

/** A small tree, a template with a variable, and a subscriber of everything. */
async function fill(store: Store): Promise<void> {
  await seed(store, {
    site_templates: [{ id: 1, templatename: 'Page' }],
    site_tmplvars: [{ id: 1, name: 'color', type: 'text', default_text: 'blue' }],
    site_tmplvar_templates: [{ tmplvarid: 1, templateid: 1, rank: 1 }],
    site_content: [
      { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html', template: 1 },
      { id: 2, pagetitle: 'News', alias: 'news', uri: 'news/', isfolder: 1, template: 1 },
      { id: 3, pagetitle: 'Old', alias: 'old', uri: 'news/old.html', parent: 2, template: 1 },
    ],
  });
}

interface Answer {
  readonly data: Record<string, unknown>;
}

describeEachDatabase('hcd resource, writing', (database) => {
  let db: CliDatabase;
  beforeEach(async () => {
    db = await prepareCliDatabase(await database.url(), fill);
  });
  const json = async (line: string | readonly string[]) => ((await db.json(line)) as Answer).data;

  test('a file of any editor is read, one of another encoding is refused and never garbled', async () => {
    const folder = await makeTempDir('pages');
    const marked = join(folder, 'marked.json');
    await writeFile(marked, '\ufeff{"pagetitle": "Größe"}');
    expect(await json(['resource', 'create', '--file', marked])).toMatchObject({ pagetitle: 'Größe' });
    const piped = await db.run('resource create --file - --json', { stdin: '\ufeff{"pagetitle": "Maße"}' });
    expect(JSON.parse(piped.stdout)).toMatchObject({ data: { pagetitle: 'Maße' } });
    const latin = join(folder, 'latin1.json');
    await writeFile(latin, '{"pagetitle": "Größe, alt"}', 'latin1');
    for (const line of [
      ['resource', 'create', '--file', latin],
      ['resource', 'update', '3', '--file', latin],
    ]) {
      const refused = await db.run(line);
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toContain(`${latin} is not UTF-8 text`);
    }
    expect(await json('resource show 3')).toMatchObject({ pagetitle: 'Old' });
  });

  test('create takes fields from flags, JSON and a file, flags first', async () => {
    const made = await json([
      ...['resource', 'create', '--pagetitle', 'A & B', '--parent', '2', '--published', '1', '--tv', 'color=red'],
      ...['--data', '{"pagetitle": "not this", "longtitle": "Long", "template": 1, "tvs": {"color": "green"}}'],
    ]);
    expect(made).toMatchObject({
      pagetitle: 'A & B',
      longtitle: 'Long',
      alias: 'a-and-b',
      uri: 'news/a-and-b.html',
      parent: 2,
      published: true,
      editedon: null,
    });
    expect(await json(`resource show ${made['id']} --tvs`)).toMatchObject({ tvs: { color: 'red' } });

    const below = await db.run(['resource', 'create', '--pagetitle', 'Below', '--parent', 'news/']);
    expect(below.stdout).toContain('uri\tnews/below.html');
    expect(below.stderr).toBe('It is not published: hcd resource publish 5\n');
    await db.run('resource publish news/below.html');
    expect(await json('resource show news/below.html')).toMatchObject({ id: 5, parent: 2, published: true });
    await db.run('resource delete news/below.html --force --yes');

    const path = join(await makeTempDir('resource'), 'page.json');
    await writeFile(path, JSON.stringify({ pagetitle: 'From a file', template: 1 }));
    expect(await json(['resource', 'add', '--file', path])).toMatchObject({ uri: 'from-a-file.html', parent: 0 });
    const piped = await db.run('resource create --file - --json', { stdin: '{"pagetitle": "Piped"}' });
    expect(JSON.parse(piped.stdout).data).toMatchObject({ uri: 'piped.html' });
  });

  test('update takes a planned date away by its flag', async () => {
    const planned = ['resource', 'update', '3', '--unpub-date', '2037-01-01T00:00:00Z'];
    expect(await json(planned)).toMatchObject({ unpub_date: '2037-01-01T00:00:00Z' });
    expect(await json(['resource', 'update', '3', '--unpub-date', 'null'])).toMatchObject({ unpub_date: null });
    // Where text is taken, this is one.
    expect(await json(['resource', 'update', '3', '--introtext', 'null'])).toMatchObject({ introtext: 'null' });
  });

  test('delete reports a deleted resource and a missing one differently', async () => {
    expect((await db.run('resource delete 3')).code).toBe(0);
    const again = await db.run('resource delete 3');
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain('Resource 3 is already deleted. Remove it permanently with --force');
    expect((await db.run('resource delete 3 --force --yes')).code).toBe(0);
    expect((await db.run('resource delete 3 --force --yes')).stderr).toContain('There is no resource 3');
    expect((await db.run('resource delete 3')).stderr).toContain('There is no resource 3');
  });

  test('create shows what people look for, one member a line', async () => {
    const { code, stdout } = await db.run('resource create --pagetitle Shown');
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([
      ...['id', 'pagetitle', 'context_key', 'parent', 'alias', 'uri', 'published', 'deleted', ''],
    ]);
  });

  test('update changes what is given and moves what lies below', async () => {
    expect(await json('resource update 2 --alias reports --longtitle All')).toMatchObject({
      pagetitle: 'News',
      longtitle: 'All',
      uri: 'reports/',
    });
    expect(await json('resource show 3')).toMatchObject({ uri: 'reports/old.html' });
    expect(await json(['resource', 'update', '3', '--data', '{"introtext": null}', '--tv', 'color='])).toMatchObject({
      introtext: null,
    });
  });

  test('publish and unpublish set the flag with its time', async () => {
    const planned = await json('resource create --pagetitle Draft --pub-date 2037-01-01T00:00:00Z');
    expect(planned).toMatchObject({ published: false, publishedon: null, pub_date: '2037-01-01T00:00:00Z' });
    const published = await json(`resource publish ${planned['id']}`);
    expect(published).toMatchObject({ published: true, pub_date: null, publishedon: expect.stringMatching(/Z$/) });
    expect(await json(`resource unpublish ${planned['id']}`)).toMatchObject({ published: false, publishedon: null });
  });

  test('delete marks the branch, restore undoes it, delete --force removes one row', async () => {
    expect(await db.run('resource delete 2 --json')).toEqual(
      printed('{"data":{"id":2,"deleted":true,"permanent":false}}\n'),
    );
    expect(await json('resource show 3')).toMatchObject({ deleted: true });
    expect(await json('resource restore 2')).toMatchObject({ deleted: false });
    expect(await json('resource show 3')).toMatchObject({ deleted: false });
    expect(await json('resource delete 2 --force --yes')).toEqual({ id: 2, deleted: true, permanent: true });
    expect(await json('resource show 3')).toMatchObject({ deleted: false, parent: 2 });
  });

  test('a running server shows a change, and events are raised only when asked for', async () => {
    const site = await startTestSite({ databaseUrl: db.url });
    const titleOf = async () => {
      const { body } = await site.get('/resources/3?fields=pagetitle');
      return (body as { data: { pagetitle: string } }).data.pagetitle;
    };
    expect(await titleOf()).toBe('Old');
    await db.run('resource update 3 --pagetitle New');
    await expect.poll(titleOf).toBe('New');

    await db.change(async ({ own }) => {
      const subscription = { name: null, url: 'https://example.com/', events: ['*'], active: true };
      await own.write((tx) => insertSubscription(tx, { ...subscription, secret: 'x', createdBy: 'test' }));
    });
    await db.run('resource update 3 --pagetitle Quiet');
    await db.run('resource update 3 --pagetitle Loud --events');
    expect(await db.rows('SELECT event FROM hcd_webhook_deliveries')).toEqual([['resources.updated']]);
  });
});

describe('hcd resource, writing what is refused', () => {
  let db: CliDatabase;
  beforeAll(async () => {
    db = await prepareCliDatabase(await freshSqliteUrl(), fill);
  });

  test.each([
    ['resource create', 2, '--pagetitle is required'],
    ['resource create --pagetitle x --parent 99', 1, 'hcd: --parent 99: must be'],
    [
      'resource create --pagetitle x --parent news',
      1,
      'id or URI "news"; did you mean "news/"? hcd resource list shows',
    ],
    ['resource show news', 1, 'hcd: There is no resource with the id or URI "news"; did you mean "news/"?'],
    ['resource create --pagetitle x --pub-date 2100-01-01T00:00:00Z', 1, 'hcd: --pub-date 2100-01-01T00:00:00Z: must'],
    [
      'resource create --pagetitle Home --alias index',
      1,
      'is taken by resource 1 of the context web; give another alias',
    ],
    ['resource create --pagetitle x --data [1]', 2, '--data must be a JSON object'],
    ['resource create --pagetitle x --tv color', 2, '--tv must be NAME=VALUE'],
    ['resource create --data {} --file x.json', 2, '--file cannot be combined with --data'],
    ['resource create --file /nowhere/page.json', 1, '/nowhere/page.json cannot be read'],
    ['resource create --file -', 1, 'The standard input is not valid JSON'],
    ['resource update 3', 2, 'is required when no field is given'],
    ['resource update 99 --pagetitle x', 1, 'There is no resource 99'],
    ['resource update 2 --parent 3', 1, 'hcd: --parent 3: must'],
    ['resource update 3 --bogus x', 2, 'unknown flag "--bogus"'],
    ['resource publish 99', 1, 'There is no resource 99'],
    ['resource delete 99', 1, 'There is no resource 99'],
    ['resource delete 1', 1, 'cannot be deleted'],
    ['resource restore 0', 2, 'ID_OR_URI must be an integer from 1'],
  ])('hcd %s is refused with %i', async (line, code, text) => {
    const outcome = await db.run(line);
    expect(outcome).toMatchObject({ code, stdout: '' });
    expect(outcome.stderr).toContain(text);
    const asJson = await db.run(`${line} --json`);
    expect(asJson.code).toBe(code);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ error: { code: expect.any(String) } });
  });
});
