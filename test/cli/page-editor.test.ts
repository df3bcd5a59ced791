/** `hcd page edit` in a text editor, what sanitising removes, and `hcd page new`. */
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, beforeEach, expect, it, test } from 'vitest';
import { shippedKeys } from '../../src/pages/authoring/section-types.js';
import { isJsonObject, memberOf } from '../../src/values/json.js';
import type { CliOptions } from '../support/cli.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { seed } from '../support/seed.js';
import { makeTempDir } from '../support/temp-dir.js';
import { printed, refused } from './outcomes.js';

const id = '0123456789abcdef0123456789abcdef';
const document = (title: string) =>
  JSON.stringify({ schemaVersion: 1, sections: [{ id, type: 'hero', data: { title } }] });

/** Replaces the first word by the second in the file, and notes the file with its mode and the words before it. */
const script = `#!/usr/bin/env node
const fs = require('node:fs');
const [from, to, ...words] = process.argv.slice(2);
const file = words.pop();
const text = fs.readFileSync(file, 'utf8');
const mode = (fs.statSync(file).mode & 0o777).toString(8);
fs.writeFileSync(__dirname + '/seen.json', JSON.stringify({ file, mode, words, text }));
if (from !== to) fs.writeFileSync(file, text.replace(from, to));
process.exit(words.includes('fail') ? 1 : 0);
`;

describeEachDatabase('hcd page edit in a text editor', (database) => {
  let db: CliDatabase;
  let folder: string;
  let editor: string;
  const open = (words: string, line = 'page edit 1', more: CliOptions = {}) =>
    db.run(line, {
      terminal: { columns: 400 },
      cwd: folder,
      ...more,
      env: { PATH: process.env['PATH'] ?? '', EDITOR: `'${editor}' ${words}`, ...more.env },
    });
  const seen = async (): Promise<Readonly<Record<string, string>>> =>
    JSON.parse(await readFile(join(folder, 'seen.json'), 'utf8'));
  const title = async (): Promise<string> => (await db.run('page show 1 --document draft')).stdout;

  beforeAll(async () => {
    folder = await makeTempDir('page editor');
    editor = join(folder, 'editor.cjs');
    await writeFile(editor, script);
    await chmod(editor, 0o755);
  });

  beforeEach(async () => {
    db = await prepareCliDatabase(await database.url(), (store) =>
      seed(store, { site_content: [{ id: 1, pagetitle: 'Home', uri: 'index.html' }] }),
    );
    await db.run('page edit 1 --file -', { stdin: document('Hello') });
  });

  test('saves what the editor has changed, and leaves no file', async () => {
    expect(await open('Hello Goodbye')).toMatchObject({
      code: 0,
      stdout: 'Saved the draft of page 1 "Home" (index.html) as revision 2.\n',
    });
    expect(await title()).toContain('"title": "Goodbye"');
    const { file = '', mode, text } = await seen();
    expect(mode).toBe('600');
    expect(file).toMatch(/\/page-1\.json$/);
    expect(text).toContain('"title": "Hello"');
    await expect(stat(dirname(file))).rejects.toThrow('ENOENT');
  });

  test('writes nothing when the text is unchanged', async () => {
    expect(await open('Hello Hello', 'page edit 1 --publish')).toEqual(
      printed('Nothing to save: the draft of page 1 "Home" (index.html) was not changed.\n'),
    );
    expect(await db.json('page show 1')).toMatchObject({ data: { revision: 1, state: 'draft' } });
    await expect(stat(dirname((await seen())['file'] ?? ''))).rejects.toThrow('ENOENT');
  });

  test('splits the words of the editor as a shell does', async () => {
    await open(`Hello Hello "a b" 'c "d"' e\\ f "g\\"h" "" i'j'k`);
    expect((await seen())['words']).toEqual(['a b', 'c "d"', 'e f', 'g"h', '', 'ijk']);
  });

  test('prefers VISUAL to EDITOR', async () => {
    const env = { VISUAL: `'${editor}' Hello Seen`, EDITOR: '/nowhere/editor' };
    expect((await open('', 'page edit 1', { env })).code).toBe(0);
    expect(await title()).toContain('"title": "Seen"');
  });

  it.each([
    ['that is not JSON', '"Hello" "Hello', /is not valid JSON: [^(]*\(line 10 column \d+\)/],
    ['with an unknown field', '\'"title"\' \'"titel"\'', /sections\[0\]\.data\.titel: is not a field/],
    ['that the editor gives up', 'Hello Goodbye fail', /^hcd: The editor .*editor\.cjs has failed$/m],
  ])('keeps a text %s and prints its path', async (_name, words, message) => {
    const { code, stdout, stderr } = await open(words.replace('"Hello" "Hello', `'"Hello"' '"Hello'`));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
    const { file = '' } = await seen();
    const again = `hcd page edit 1 --file ${file} --revision 1`;
    expect(stderr).toContain(`Nothing was saved. Your text is kept; correct it and save it:\n  ${again}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await title()).toContain('"title": "Hello"');
  });

  test('does not replace a draft that was saved while the editor was open', async () => {
    await db.run('page edit 1 --file -', { stdin: document('Other') });
    const { code, stderr } = await open('Other Mine', 'page edit 1 --revision 1 --publish');
    expect(code).toBe(1);
    expect(stderr).toContain('revision_conflict: the draft is at revision 2');
    expect(await title()).toContain('"title": "Other"');
    // The printed command refuses too, until it names the revision that is to be replaced.
    const again = /^ {2}hcd (.*)$/m.exec(stderr)?.[1] ?? '';
    expect((await db.run(again)).stderr).toContain('revision_conflict: the draft is at revision 2');
    const replacing = await db.run(again.replace('--revision 1', '--revision 2'));
    expect(replacing.stdout).toContain('as revision 3 and published it as 1.');
    expect(await title()).toContain('"title": "Mine"');
  });

  it.each([
    ['without a terminal', { terminal: undefined }, '--file is required: not a terminal, cannot open an editor'],
    [
      'without an editor',
      { env: { EDITOR: ' ' } },
      '--file is required: neither VISUAL nor EDITOR names a text editor',
    ],
  ])('names --file %s', async (_name, more, message) => {
    const { terminal, ...rest } = { terminal: { columns: 100 }, ...more };
    const options = { cwd: folder, env: {}, ...rest, ...(terminal ? { terminal } : {}) };
    const { code, stderr } = await db.run('page edit 1', options);
    expect([code, stderr.split('\n')[0]]).toEqual([2, `hcd: ${message}`]);
  });

  test('says that an editor cannot be started', async () => {
    const { code, stderr } = await open('', 'page edit 1', { env: { EDITOR: '/nowhere/editor -f' } });
    expect([code, stderr]).toEqual([1, 'hcd: The editor /nowhere/editor cannot be started: see VISUAL and EDITOR\n']);
  });

  test('lists what sanitising removed', async () => {
    const html =
      '<h1>A</h1><p onclick="x()">B<script>alert(1)</script> <a href="javascript:x" target="_blank">C</a></p>';
    const answer = `${html}<a href="/" target="_blank" rel="noopener noreferrer">D</a>`;
    const stdin = JSON.stringify({
      schemaVersion: 1,
      sections: [
        { type: 'richtext', data: { content: answer } },
        { type: 'faq', data: { items: [{ question: 'Q', answer: '<font>F</font>' }] } },
      ],
    });
    const removed = ['<h1>', 'onclick of <p>', '<script>', 'href of <a>'];
    expect((await db.run('page edit 1 --file -', { stdin })).stderr).toBe(
      `Removed from sections[0].data.content: ${removed.join(', ')}\nRemoved from sections[1].data.items[0].answer: <font>\n`,
    );
    expect(await db.json('page edit 1 --file -', { stdin })).toMatchObject({
      data: {
        sanitised: [
          { section: 0, field: 'content', removed },
          { section: 1, field: 'items[0].answer', removed: ['<font>'] },
        ],
      },
    });
    // What was sanitised stays as it is.
    const shown = (await db.run('page show 1 --document draft')).stdout;
    expect(await db.json('page edit 1 --file -', { stdin: shown })).toMatchObject({ data: { sanitised: [] } });
  });
});

describeEachDatabase('hcd page new', (database) => {
  let db: CliDatabase;
  beforeEach(async () => {
    db = await prepareCliDatabase(await database.url(), (store) =>
      seed(store, { site_content: [{ id: 1, pagetitle: 'Home', uri: 'index.html' }] }),
    );
  });

  test('writes a draft with example data, which can be published', async () => {
    expect(await db.run('page new 1 --sections hero,faq')).toEqual(
      printed('Created the draft of page 1 "Home" (index.html) with example data. Edit it: hcd page edit 1\n'),
    );
    expect(await db.json('page show 1 --document draft')).toMatchObject({
      data: { sections: [{ type: 'hero', data: { title: 'Title', alignment: 'left' } }, { type: 'faq' }] },
    });
    expect((await db.run('page publish 1')).code).toBe(0);
  });

  test('has an example for each field of the shipped types', async () => {
    const { code, stderr } = await db.run(`page new 1 --sections ${shippedKeys.join(',')}`);
    expect([code, stderr]).toEqual([0, '']);
    const { stdout } = await db.run('page show 1 --document draft');
    for (const section of JSON.parse(stdout).sections) {
      const type: unknown = JSON.parse((await db.run(`section-type show ${section.type} --definition`)).stdout);
      const fields = isJsonObject(type) ? memberOf(type, 'fields') : null;
      if (!Array.isArray(fields)) throw new Error(`${section.type} has no fields`);
      expect(Object.keys(section.data)).toEqual(fields.map(({ name }) => name));
    }
    expect((await db.run('page publish 1')).code).toBe(0);
  });

  test('replaces a draft only with --yes', async () => {
    await db.run('page new 1 --sections hero');
    expect(await db.run('page new 1 --sections faq')).toEqual(
      refused('hcd: The page of resource 1 has a draft. Edit it: hcd page edit 1. Or replace it with --yes\n'),
    );
    expect(await db.json('page new 1 --sections faq --yes')).toMatchObject({ data: { revision: 2 } });
    expect((await db.run('page show 1')).stdout).toContain('sections\tfaq\n');
  });

  test('names the accepted types for an unknown one, and creates nothing', async () => {
    const { code, stderr } = await db.run('page new 1 --sections hero,heroo');
    expect(code).toBe(1);
    expect(stderr).toContain('--sections: "heroo" is not a section type; accepted are hero, richtext, image');
    expect((await db.run('page new 9 --sections hero')).stderr).toBe('hcd: There is no resource 9\n');
    expect(await db.json('page list')).toMatchObject({ meta: { total: 0 } });
  });
});
