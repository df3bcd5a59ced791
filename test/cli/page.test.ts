/** `hcd page`: drafts, publications, plans and imports by hand, in every form of output, with every refusal. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import type { Store } from '../../src/store/open/open.js';
import type { CliOptions } from '../support/cli.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { fakeClock } from '../support/clock.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { accessRule, seed } from '../support/seed.js';
import { makeTempDir } from '../support/temp-dir.js';
import { noted, printed, refused } from './outcomes.js';
import { expectTranscript, steady } from './transcript.js';

const id = '0123456789abcdef0123456789abcdef';
const terminal = { columns: 200 };

const fill = (store: Store) =>
  seed(store, {
    site_content: [
      { id: 1, pagetitle: 'Home', uri: 'index.html' },
      { id: 2, pagetitle: 'Abo\u001b[2Jut', uri: 'about.html' },
      { id: 3, pagetitle: 'Draft', uri: 'draft.html', published: 0 },
      { id: 4, pagetitle: 'Gone', uri: 'gone.html', deleted: 1 },
    ],
  });

const hero = (title: string, more: Readonly<Record<string, unknown>> = {}) => ({
  id,
  type: 'hero',
  data: { title },
  ...more,
});
const page = (...sections: readonly unknown[]) => ({ schemaVersion: 1, sections });

describeEachDatabase('hcd page', (database) => {
  let db: CliDatabase;
  let folder: string;
  const edit = (document: unknown, line = 'page edit 1', options: CliOptions = {}) =>
    db.run(`${line} --file -`, { ...options, stdin: JSON.stringify(document) });
  const file = async (name: string, text: string): Promise<CliOptions> => {
    await writeFile(join(folder, name), text);
    return { cwd: folder };
  };

  beforeEach(async () => {
    db = await prepareCliDatabase(await database.url(), fill);
    folder = await makeTempDir('pages');
  });

  test('shows the sections as HTML, without disabled ones, and names those that cannot be shown', async () => {
    await edit(page(hero('Hello'), hero('Hidden', { id: 'f'.repeat(32), enabled: false })));
    const { stdout, stderr } = await db.run('page show 1 --html');
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^<section id="section-[0-9a-f]{32}".*>Hello</s), '']);
    expect(stdout).not.toContain('Hidden');
    await db.run('page publish 1');
    await edit(page(hero('Later')));
    expect((await db.run('page show 1 --html --document 1')).stdout).toBe(stdout);
    await db.run('section-type remove hero --force --yes');
    expect(await db.run('page show 1 --html')).toMatchObject({
      stdout: '\n',
      stderr: 'Section 1 (hero) cannot be shown: there is no section type hero\n',
    });
  });

  test('lists the pages of some resources', async () => {
    await edit(page(hero('Hello')));
    expect(await db.json('page list --resources 1,2')).toMatchObject({
      data: [{ resource_id: 1 }],
      meta: { total: 1 },
    });
    expect(await db.json('page list --resources 2')).toEqual({ data: [], meta: { total: 0 } });
  });

  test('publishes a page from a file and shows its state', async () => {
    const cwd = await file('home.json', JSON.stringify(page(hero('Hello'))));
    expect(await db.run('page edit 1 --file home.json', cwd)).toEqual(
      printed('Saved the draft of page 1 "Home" (index.html) as revision 1.\n'),
    );
    expect(await db.run('page publish 1')).toEqual(printed('Published page 1 "Home" (index.html) as revision 1.\n'));
    const lines = ['page show 1', 'page list', 'page unpublish 1', 'page publish 1'];
    await expectTranscript(
      db,
      'page-states',
      lines.map((line) => `${line} --json`),
      { steady: (text) => steady(text.replaceAll(id, 'SECTION')) },
    );
  });

  test('publish of an unchanged page says so and makes no revision, except with --force', async () => {
    await edit(page(hero('Hello')), 'page edit 1 --publish');
    expect(await db.run('page publish 1')).toEqual(
      printed(
        'Nothing to publish: the draft of page 1 "Home" (index.html) is the same as revision 1. --force publishes it again.\n',
      ),
    );
    await db.run('page publish 1 --at 2200-01-01');
    expect(await db.json('page publish 1')).toMatchObject({
      data: { changed: false, last_published: 1, publish_on: null },
    });
    expect(await db.json('page history 1')).toMatchObject({ meta: { total: 1 } });
    expect(await db.json('page publish 1 --force')).toMatchObject({ data: { changed: true, last_published: 2 } });
    expect((await db.run('page publish 1 --force --at 2200-01-01')).code).toBe(2);
    await db.run('page unpublish 1');
    expect(await db.json('page publish 1')).toMatchObject({ data: { changed: true, last_published: 3 } });
  });

  test('a document that was shown is taken back as it is', async () => {
    await edit(page(hero('Größe 🙂', { enabled: false, settings: { contexts: ['web'] } }), { type: 'cta', data: {} }));
    const { stdout } = await db.run('page show 1 --document draft');
    const again = await edit(JSON.parse(stdout), 'page edit 1 --revision 1 --publish');
    expect([again.code, again.stdout]).toEqual([1, '']);
    expect(again.stderr).toContain('sections[1].data.title: is required to publish (cta section ');
    const saved = await edit(JSON.parse(stdout), 'page edit 1 --revision 1');
    expect(saved.stdout).toBe('Saved the draft of page 1 "Home" (index.html) as revision 2.\n');
    expect(await db.run('page show 1 --document draft')).toMatchObject({ stdout });
    expect(await db.json('page show 1 --document draft')).toEqual({ data: JSON.parse(stdout) });
    const shown = await db.run('page show 1');
    expect(shown.stdout).toContain('sections\t(hero),cta\n');
    expect(shown.stdout).toMatch(
      /missing\tsections\[1\]\.data\.title \(cta, [0-9a-f]{32}\): is required to publish,sections/,
    );
  });

  test('edit says what is missing before the page can be published', async () => {
    expect(await edit(page(hero('')))).toEqual({
      code: 0,
      stdout: 'Saved the draft of page 1 "Home" (index.html) as revision 1.\n',
      stderr: `Required before it can be published:\n  sections[0].data.title (hero, ${id}): is required to publish\n`,
    });
    const publish = refused(
      `hcd: The page of resource 1 cannot be published: one problem\n  sections[0].data.title: is required to publish (hero section ${id})\n`,
    );
    expect(await db.run('page publish 1')).toEqual(publish);
    expect(await db.json('page publish 1')).toEqual({
      error: {
        code: 'validation_failed',
        message: 'The page of resource 1 cannot be published: one problem',
        details: { fields: { 'sections[0].data.title': [`is required to publish (hero section ${id})`] } },
      },
    });
  });

  test('edit reports every problem of a document by section and field', async () => {
    const document = page(hero('x', { data: { title: 1, nothing: 2 } }), { type: 'nothing', data: {} });
    const { code, stderr } = await edit(document);
    expect(code).toBe(1);
    expect(stderr).toContain('hcd: The document cannot be saved: 3 problems\n');
    expect(stderr).toContain(`  sections[0].data.title: must be a text, not a number (hero section ${id})\n`);
    expect(stderr).toContain('  sections[0].data.nothing: ');
    expect(stderr).toContain('  sections[1].type: "nothing" is not a section type; known are hero, richtext,');
  });

  test('edit refuses to overwrite a newer draft', async () => {
    await edit(page(hero('One')));
    await edit(page(hero('Two')), 'page edit 1 --revision 1');
    expect(await edit(page(hero('Three')), 'page edit 1 --revision 1')).toEqual(
      refused('hcd: revision_conflict: the draft is at revision 2\n'),
    );
    expect((await db.run('page publish 1 --revision 1')).stderr).toContain('revision_conflict');
    expect(await db.json('page publish 1 --revision 2')).toMatchObject({ data: { published_revision: 1 } });
  });

  test('publish says why the page is still not visible', async () => {
    const notes = async (resource: number) => {
      await edit(page(hero('x')), `page edit ${resource}`);
      return (await db.run(`page publish ${resource}`)).stderr;
    };
    expect(await notes(3)).toBe(
      'The page is not visible: its resource is not published. Publish it: hcd resource publish 3\n',
    );
    expect(await notes(4)).toBe(
      'The page is not visible: its resource is deleted. Restore it: hcd resource restore 4\n',
    );
  });

  test('publish, rollback and show report that access rules hide the page', async () => {
    await db.change((store) =>
      seed(store, {
        access_policies: [{ id: 900, name: 'p', description: '', data: '{"load":true,"view":true}' }],
        document_groups: [{ document_group: 5, document: 1 }],
        access_resource_groups: [accessRule('5', { principal_class: 'modUserGroup', policy: 900, context_key: 'web' })],
      }),
    );
    const closed = 'The page is not visible: access rules do not let anonymous visitors see its resource.\n';
    expect((await edit(page(hero('x')), 'page edit 1 --publish')).stderr).toBe(closed);
    for (const line of ['page publish 1', 'page rollback 1 1', 'page show 1']) {
      expect([line, (await db.run(line)).stderr]).toEqual([line, closed]);
    }
    await db.change((store) =>
      store.content.write(async (tx) => {
        await tx.run({ sql: 'DELETE FROM modx_document_groups', params: [] });
      }),
    );
    expect((await db.run('page publish 1')).stderr).toBe('');
    await db.run('page unpublish 1');
    expect((await db.run('page show 1')).stderr).toBe('');
  });

  test('unpublish reports whether the page was published', async () => {
    await edit(page(hero('x')), 'page edit 1 --publish');
    await db.run('page unpublish 1 --at 2200-01-01');
    expect((await db.run('page unpublish 1')).stdout).toBe(
      'Unpublished page 1 "Home" (index.html). Cancelled its schedule.\n',
    );
    expect((await db.run('page unpublish 1')).stdout).toBe(
      'page 1 "Home" (index.html) is not published; nothing to do.\n',
    );
  });

  test('plans are made, shown and taken back', async () => {
    await edit(page(hero('x')));
    expect(await db.run('page publish 1 --at 2200-01-01T00:00:00+01:00')).toEqual({
      code: 0,
      stdout: 'Scheduled: page 1 "Home" (index.html) is going to be published at 2199-12-31T23:00:00Z.\n',
      stderr: 'This needs a running hcd worker.\n',
    });
    await db.run('page unpublish 1 --at 2200-02-01');
    expect(await db.json('page list --planned')).toMatchObject({
      data: [{ resource_id: 1, publish_on: '2199-12-31T23:00:00Z', unpublish_on: '2200-02-01T00:00:00Z' }],
    });
    expect((await db.run('page publish 1 --at never')).stdout).toBe(
      'Cancelled the schedule: page 1 "Home" (index.html) is not going to be published.\n',
    );
    expect(await db.json('page unpublish 1 --at never')).toMatchObject({
      data: { publish_on: null, unpublish_on: null },
    });
    expect(await db.json('page list --planned')).toEqual({ data: [], meta: { total: 0 } });
    expect(await db.run('page publish 1 --at 2001-01-01')).toMatchObject({
      code: 1,
      stderr: 'hcd: --at 2001-01-01: The time must be in the future; without it the page changes now\n',
    });
  });

  test('history, diff and rollback tell the way of a page', async () => {
    const two = '1'.repeat(32);
    const spacer = { id: two, type: 'spacer', data: { size: 'md' } };
    await edit(page(hero('One'), spacer), 'page edit 1 --publish');
    await edit(page(spacer, hero('Two\u001b[2J'), { id: '2'.repeat(32), type: 'cta', data: {} }));
    const lines = (paint: (color: 'red' | 'green' | 'yellow' | 'bold', text: string) => string) =>
      [
        paint('bold', '--- published 1'),
        paint('bold', '+++ draft'),
        paint('yellow', `~ section 2 hero ${id}, was 1`),
        paint('red', '  - data.title: "One"'),
        paint('green', '  + data.title: "Two\\u001b[2J"'),
        paint('green', `+ section 3 cta ${'2'.repeat(32)}`),
      ].join('\n');
    const { stdout } = await db.run('page diff 1');
    expect(stdout.startsWith(lines((_color, text) => text))).toBe(true);
    const codes = { red: [31, 39], green: [32, 39], yellow: [33, 39], bold: [1, 22] } as const;
    const painted = await db.run('page diff 1', { terminal, env: { NO_COLOR: '' } });
    expect(
      painted.stdout.startsWith(lines((color, text) => `\u001b[${codes[color][0]}m${text}\u001b[${codes[color][1]}m`)),
    ).toBe(true);
    expect(await db.json('page diff 1 1 draft')).toMatchObject({
      data: {
        from: 'published 1',
        to: 'draft',
        changes: [
          {
            kind: 'changed',
            id,
            type: 'hero',
            before: 0,
            after: 1,
            values: [{ path: 'data.title', before: 'One', after: 'Two\u001b[2J' }],
          },
          { kind: 'added', before: null, after: 2 },
        ],
      },
    });
    expect(await db.run('page rollback 1 1')).toEqual(
      printed('Restored revision 1 of page 1 "Home" (index.html) and published it as revision 2.\n'),
    );
    expect(await db.run('page diff 1')).toEqual(noted('No differences between published 2 and draft.\n'));
    await expectTranscript(db, 'page-history', ['page history 1 --json', 'page history 1 --limit 1'], { steady });
    expect((await db.json('page show 1 --document 1')) as unknown).toEqual(
      await db.json('page show 1 --document draft'),
    );
  });

  test('import reports refused lines by number, and can be repeated', async () => {
    const lines = [
      { resource: 1, document: page(hero('One')), publish: true },
      { resource: { context: 'web', uri: 'about.html' }, document: page(hero('Two')) },
    ];
    const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n\n`;
    const cwd = await file('pages.ndjson', text);
    expect(await db.run('page import pages.ndjson --dry-run', cwd)).toEqual(
      printed('Checked 2 pages: 2 would be saved, 1 would be published, 0 unchanged.\n'),
    );
    expect(await db.json('page list')).toMatchObject({ data: [] });
    expect(await db.json('page import pages.ndjson', cwd)).toEqual({
      data: { lines: 2, saved: 2, published: 1, unchanged: 0, dry_run: false },
    });
    expect((await db.run('page import -', { stdin: text })).stdout).toBe(
      'Read 2 pages: 0 saved, 0 published, 2 unchanged.\n',
    );
    const bad = [
      JSON.stringify({ resource: 3, document: page(hero('Three')) }),
      '{',
      '{"resource": 9, "document": {}}',
    ];
    expect(await db.run('page import -', { stdin: bad.join('\r\n') })).toEqual(
      refused(
        [
          'hcd: Read 3 pages: 1 saved, 0 published, 0 unchanged; 2 lines were refused',
          '  line 2: must be a JSON object with resource and document, not text in another form',
          '  line 3: there is no resource 9',
          '',
        ].join('\n'),
      ),
    );
    expect(await db.json('page show 3')).toMatchObject({ data: { state: 'draft', revision: 1 } });
    expect(await db.json('page import -', { stdin: '{' })).toMatchObject({
      error: { code: 'refused', details: { fields: { 'line 1': [expect.any(String)] } } },
    });
  });

  test('import refuses a line in another encoding and one without an end, and goes on after them', async () => {
    const good = JSON.stringify({ resource: 1, document: page(hero('x')) });
    const bytes = Buffer.concat([
      Buffer.from('{"resource": 2, "document": "\xe4"}\n', 'latin1'),
      Buffer.alloc(16_000_001, ' '),
      Buffer.from(`\n\ufeff${good}`),
    ]);
    await writeFile(join(folder, 'mixed.ndjson'), bytes);
    const { code, stderr } = await db.run('page import mixed.ndjson', { cwd: folder });
    expect([code, stderr]).toEqual([
      1,
      [
        'hcd: Read 3 pages: 1 saved, 0 published, 0 unchanged; 2 lines were refused',
        '  line 1: is not UTF-8 text: byte 30 of the line is wrong',
        '  line 2: is longer than 16000000 bytes',
        '',
      ].join('\n'),
    ]);
  });

  test('the worker publishes and unpublishes on schedule, and doctor reports what waits', async () => {
    for (const resource of [1, 2, 3]) await edit(page(hero('x')), `page edit ${resource}`);
    await edit(page(hero('')), 'page edit 3');
    await db.run('page publish 2');
    await db.sql('UPDATE hcd_pages SET publish_on = 1000 WHERE resource_id IN (1, 3)');
    await db.sql('UPDATE hcd_pages SET unpublish_on = 1000 WHERE resource_id = 2');
    const findings = async () => {
      const { data } = (await db.json('doctor')) as { data: { check: string; state: string; detail: string }[] };
      return data.filter(({ check }) => check === 'pages').map(({ state, detail }) => [state, detail]);
    };
    expect(await findings()).toEqual([
      ['warning', '1 published page is not served: pages_rest_api_enabled is off'],
      ['warning', '3 planned pages are overdue: 1, 2, 3'],
    ]);
    await db.run('setting set pages_rest_api_enabled 1');
    const { code, stderr } = await db.run('worker --once', { clock: systemClock });
    expect(code).toBe(0);
    expect(stderr).toContain('"a page could not be published as planned"');
    expect(await db.json('page list')).toMatchObject({
      data: [{ state: 'published' }, { state: 'withdrawn' }, { state: 'draft', publish_on: '1970-01-01T00:00:01Z' }],
    });
    expect(await db.json('page history 1')).toMatchObject({ data: [{ published_by: 'worker' }] });
    expect(await findings()).toEqual([
      ['warning', 'page 3 was to be published at 1970-01-01T00:00:01Z, and its draft is incomplete'],
    ]);
    await db.change((store) =>
      store.content.write(async (tx) => {
        await tx.run({ sql: 'DELETE FROM modx_site_content WHERE id = 3', params: [] });
      }),
    );
    await db.run('page unpublish 3');
    expect(await findings()).toEqual([['warning', '1 page belongs to a resource that does not exist: 3']]);
    expect((await db.run('page unpublish 1')).code).toBe(0);
  });
});

describe('hcd page, refused', () => {
  let db: CliDatabase;

  beforeAll(async () => {
    db = await prepareCliDatabase(await freshSqliteUrl(), fill);
  });

  it('refuses wrong usage with the accepted values', async () => {
    await expectTranscript(db, 'refused/page-usage', [
      'page show about',
      'page edit 1',
      'page rollback 1 draft',
      'page show 1 --document last',
      'page diff 1 0',
      'page publish 1 --at 2027-01-01T10:00',
      'page list --state new',
      'page import',
    ]);
  });

  const noPage = 'Resource 2 has no page document; hcd page new 2 --sections hero,faq makes one';
  it.each([
    ['page show 2', noPage],
    ['page publish 2', noPage],
    ['page unpublish 2', noPage],
    ['page history 2', noPage],
    ['page diff 2', noPage],
    ['page rollback 2 1', noPage],
    ['page publish 2 --at 2200-01-01', noPage],
  ])('%s says that there is no page', async (line, message) => {
    expect(await db.run(line)).toEqual(refused(`hcd: ${message}\n`));
    expect(await db.json(line)).toEqual({ error: { code: 'not_found', message, details: {} } });
  });

  it('says which resource, revision or file there is not', async () => {
    const document = JSON.stringify(page(hero('x')));
    const stderr = async (line: string, stdin = document) => (await db.run(line, { stdin, cwd: '/nowhere' })).stderr;
    expect(await stderr('page edit 9 --file -')).toBe('hcd: There is no resource 9\n');
    expect(await stderr('page edit 1 --file -', '{"a"')).toMatch(/^hcd: The standard input is not valid JSON: .*\n$/);
    expect(await stderr('page edit 1 --file a.json')).toBe('hcd: /nowhere/a.json cannot be read\n');
    expect(await stderr('page import a.ndjson')).toBe('hcd: /nowhere/a.ndjson cannot be read\n');
    expect(await stderr('page import /')).toBe('hcd: / is a folder\n');
    await db.run('page edit 1 --file -', { stdin: document });
    expect(await stderr('page rollback 1 7')).toBe(
      'hcd: Resource 1 was never published as revision 7; hcd page history 1 lists them\n',
    );
    expect(await stderr('page diff 1')).toBe('hcd: The page of resource 1 is not published\n');
    expect(await stderr('page show 1 --document published')).toBe('hcd: The page of resource 1 is not published\n');
  });

  it('shows how far a long import is', async () => {
    const own = await prepareCliDatabase(await freshSqliteUrl(), fill);
    const line = JSON.stringify({ resource: 1, document: page(hero('x')) });
    let elapsed = 0;
    const clock = { ...fakeClock(), elapsed: () => (elapsed += 6000) };
    const stdin = `${Array.from({ length: 250 }, () => line).join('\n')}\n`;
    const { stderr } = await own.run('page import -', { stdin, clock });
    expect(stderr).toMatch(/^(Importing pages, bytes: \d+\n){3}$/);
  });
});
