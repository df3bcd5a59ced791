/** The command lines of `hcd export`, `hcd import` and `hcd diff`: what they accept, what they print, how they end. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../support/cli.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { makeTempDir } from '../support/temp-dir.js';

const header = '{"hcd":1,"exported":"2026-11-21T12:00:00Z"}';
const chunk = (name: string, snippet: string): string =>
  JSON.stringify({ object: 'chunks', record: { name, snippet } });

describe('the commands for content in files', () => {
  test.each([
    ['export without a file', 'export', 'FILE is required'],
    ['import without a file', 'import', 'FILE is required'],
    ['diff without a file', 'diff', 'FILE is required'],
    ['an unknown way out of a conflict', 'import a --on-conflict replace', '--on-conflict must be'],
    ['an invalid time', 'export a --since yesterday', '--since must be'],
  ])('refuse %s', async (_name, line, problem) => {
    const stderr = expect.stringContaining(problem);
    expect(await runCli(line)).toMatchObject({ code: 2, stdout: '', stderr });
  });

  test('do not write an export to a terminal', async () => {
    const stderr = expect.stringContaining('not a terminal');
    expect(await runCli('export -', { terminal: { columns: 80 } })).toMatchObject({ code: 2, stderr });
  });
});

describeEachDatabase('content in files', (database) => {
  let db: CliDatabase;
  let folder: string;
  const write = (...lines: readonly string[]): string => {
    const path = join(folder, 'site.ndjson');
    writeFileSync(path, [header, ...lines, ''].join('\n'));
    return path;
  };

  beforeAll(async () => {
    db = await prepareCliDatabase(await database.url());
    folder = await makeTempDir('transfer');
  });

  test('is imported, compared and exported', async () => {
    const file = write(chunk('head', 'old'), chunk('foot', 'x'));
    expect(await db.run(['import', file, '--dry-run'])).toMatchObject({
      code: 0,
      stdout: '2 records would be created, 0 would be updated, 0 unchanged, 0 skipped.\n',
    });
    const counts = { created: 2, updated: 0, unchanged: 0, skipped: 0 };
    expect(await db.json(['import', file, '--atomic'])).toEqual({ data: counts });
    expect(await db.json(['import', file])).toEqual({ data: { ...counts, created: 0, unchanged: 2 } });
    expect(await db.run(['diff', file])).toMatchObject({ code: 0, stdout: '' });

    const changed = write(chunk('head', 'new'), chunk('side', 'y'));
    const compared = await db.run(['diff', changed]);
    expect(compared).toMatchObject({
      code: 1,
      stdout: '~ chunks head\n    - snippet: "old"\n    + snippet: "new"\n+ chunks side\n- chunks foot\n',
    });
    const { data } = (await db.json(['diff', changed])) as { data: readonly unknown[] };
    expect(data[0]).toEqual({
      object: 'chunks',
      key: 'head',
      action: 'update',
      fields: { snippet: { from: 'old', to: 'new' } },
    });
    const text = 'é'.repeat(5000);
    await db.json(['import', write(chunk('head', `${text}old`))]);
    const late = await db.run(['diff', write(chunk('head', `${text}new`))], { terminal: { columns: 60 } });
    expect(late.stdout).toContain(`    - snippet: …${'é'.repeat(15)}old"\n    + snippet: …${'é'.repeat(15)}new"\n`);
    await db.json(['import', write(chunk('head', 'old'))]);
    write(chunk('head', 'new'), chunk('side', 'y'));

    const { TMPDIR: folderBefore } = process.env;
    process.env['TMPDIR'] = join(folder, 'none');
    const full = await db.run(['diff', changed]).finally(() => {
      process.env['TMPDIR'] = folderBefore ?? tmpdir();
    });
    expect(full).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Temporary files (TMPDIR) cannot be written: ENOENT'),
    });
    const painted = await db.run(['diff', changed], { terminal: { columns: 80 }, env: { NO_COLOR: '' } });
    expect(painted.stdout).toContain('chunks head');
    expect(painted.stderr).toBe('3 differences.\n');
    for (const path of [changed, write()]) {
      const shown = await db.run(['diff', path, '--json'], { terminal: { columns: 80 } });
      expect(shown.stdout).toBe(`${JSON.stringify(await db.json(['diff', path]), null, 2)}\n`);
    }

    const out = join(folder, 'out.ndjson');
    expect(await db.json(['export', out, '--object', 'chunks'])).toMatchObject({ data: { file: out, records: 2 } });
    const [first, ...lines] = readFileSync(out, 'utf8').split('\n');
    expect(first).toMatch(/^\{"hcd":1,"exported":"\d{4}-/);
    const start = expect.stringContaining('{"object":"chunks","record":{"cache_type":0,"category":null');
    expect(lines).toEqual([start, start, '']);
    const again = await db.run(['export', out]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('Name another file')]);
    const oneFile = await db.run(['export', join(folder, 'site'), '--object', 'chunks']);
    expect(oneFile.stderr).toContain('/site is a file of lines: ');
    const piped = await db.run(['export', '-', '--object', 'chunks']);
    expect(piped.stdout.split('\n').slice(1)).toEqual(lines);
    expect(await db.json(['import', '-'], { stdin: piped.stdout })).toEqual({
      data: { ...counts, created: 0, unchanged: 2 },
    });
  });

  test('is imported from a folder, with what it has besides', async () => {
    const root = await makeTempDir('site');
    const write = (name: string, text: string): void => {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    };
    write('.gitify', 'data:\n  pages: {type: content}\n  plugins: {class: modPlugin, primary: name}\n');
    write('_data/plugins/a.php', 'name: a');
    write('_data/pages/web/a.html', 'id: 900\npagetitle: A\nuri: a\ntemplate: 77\n\n-----\n\n<p>A</p>');
    const left = { object: 'resources', member: 'template', why: 'there is no template 77', ids: ['900'], count: 1 };
    expect(await db.json(['import', `${root}/`])).toEqual({
      data: {
        ...{ created: 1, updated: 0, unchanged: 0, skipped: 0, removed: 0 },
        ...{ ignored: { modPlugin: 1 }, left_out: [left] },
      },
    });
    expect(await db.run(['import', root])).toMatchObject({
      stdout: '0 records created, 0 updated, 1 unchanged, 0 skipped.\n',
      stderr: 'Left out: template of resources 900: there is no template 77.\nNot kept by a site: 1 modPlugin.\n',
    });
    const out = join(await makeTempDir('out'), 'new/');
    expect(await db.json(['export', out])).toMatchObject({
      data: { folder: out.slice(0, -1), unchanged: 0, removed: 0 },
    });
    expect(readFileSync(join(out, '_data/content/web/a.html'), 'utf8')).toContain('id: 900\npagetitle: A\n');
    expect((await db.run(['export', folder])).stderr).toContain('has files but no .gitify');
    const begun = await makeTempDir('begun');
    for (const name of ['hcd.toml', 'hcd.sqlite', 'hcd.sqlite-wal']) writeFileSync(join(begun, name), '');
    expect(await db.run(['export', begun])).toMatchObject({ code: 0 });
    write('_data/pages/web/a.html', 'pagetitle: B\nuri: a\n');
    expect((await db.run(['diff', root])).stdout).toBe(
      '~ resources web:a\n    - content: "<p>A</p>"\n    + content: null\n    - pagetitle: "A"\n    + pagetitle: "B"\n',
    );
    write('_data/pages/web/a.html', 'pagetitle: A\nuri: a\nhidemenu: 1\npublishd: 1\n');
    expect(await db.json(['import', root, '--dry-run'])).toMatchObject({
      error: {
        code: 'refused',
        message: '_data/pages/web/a.html line 4: resources.publishd: is unknown; did you mean published?',
        details: { file: '_data/pages/web/a.html', line: 4, column: 1, object: 'resources', field: 'publishd' },
      },
    });
  });

  test('names rows of extra objects whose key no file can have', async () => {
    // Only SQLite lets a primary key be NULL.
    const none = database.name === 'sqlite' ? [[null], [null]] : [];
    await db.sql('CREATE TABLE modx_gadgets (code BIGINT PRIMARY KEY)');
    await db.sql('INSERT INTO modx_gadgets VALUES (?)', [[7], [9007199254740993n], ...none]);
    const objects = await makeTempDir('objects');
    const definition = { name: 'gadgets', table: 'gadgets', primaryKey: 'code', fields: { code: { type: 'integer' } } };
    writeFileSync(join(objects, 'gadgets.json'), JSON.stringify({ ...definition, readable: true }));
    const env = { HCD_OBJECTS_DIR: objects };
    const file = join(folder, 'gadgets.ndjson');
    const ids = [...none.map(() => '[null]'), '[9007199254740992]'];
    const why = 'its code is NULL, or a number with too many digits';
    expect(await db.json(`export ${file} --object gadgets`, { env })).toMatchObject({
      data: { records: 1, left_out: [{ object: 'gadgets', ids, count: ids.length, member: null, why }] },
    });
    expect((await db.run('export - --object gadgets', { env })).stderr).toContain(
      `Left out: gadgets ${ids.join(', ')}: ${why}.`,
    );
    expect(await db.json(['import', file], { env })).toMatchObject({ data: { created: 0, unchanged: 1 } });
  });

  test('is refused with line, column, object and field', async () => {
    const file = write(chunk('head', 'old'), '{"object":"chunks","record":{"name":"wrong","snipet":"x"}}');
    expect(await db.json(['import', file])).toMatchObject({
      error: {
        code: 'refused',
        message:
          'line 3: chunks.snipet: is unknown; did you mean "snippet"?; nothing was imported; hcd import --dry-run checks the whole file',
        details: { line: 3, column: 45, object: 'chunks', field: 'snipet', kept: { records: 0, before_line: 1 } },
      },
    });
    const { stderr } = await db.run(['import', file, '--dry-run']);
    expect(stderr).toBe('hcd: line 3: chunks.snipet: is unknown; did you mean "snippet"?\n');
    expect(await db.run(['import', join(folder, 'none.ndjson')])).toMatchObject({ code: 1 });
    expect(await db.run(['restore', folder])).toMatchObject({
      code: 1,
      stderr: `hcd: ${folder} cannot be read: it is a folder\n`,
    });
    const empty = await makeTempDir('empty');
    writeFileSync(join(empty, '.gitify'), 'data_directory: dta/\ndata: {content: {type: content}}\n');
    for (const command of ['import', 'diff']) {
      expect((await db.run([command, folder])).stderr).toContain(`${folder} has no .gitify`);
      expect((await db.run([command, `${folder}/none/`])).stderr).toContain(`${folder}/none does not exist`);
      expect((await db.run([command, empty])).stderr).toContain(`${empty}/dta, the data_directory of .gitify, does`);
    }
    const wrong = await db.run(['export', '-', '--object', 'chunk']);
    expect(wrong).toMatchObject({ code: 1 });
    expect(wrong.stderr).toContain('--object chunk: "chunk" is not an object of exports; did you mean chunks?');
    expect((await db.run(['export', '-', '--context', 'none'])).stderr).toContain(
      '--context none: there is no context none',
    );
    const conflict = await db.run(['import', write(chunk('head', 'other')), '--on-conflict', 'fail']);
    expect(conflict.stderr).toContain('chunks.snippet: the store has head with another value');
  });

  describe('says what stays of an import that fails', () => {
    const many = (mark: string): string[] =>
      Array.from({ length: 250 }, (_, index) => chunk(`${mark}-${index}`, String(index)));
    const wrong = '{"object":"chunks","record":{"name":"wrong","snipet":"x"}}';
    const advice = '; hcd import --dry-run checks the whole file';
    const nothing = `; nothing was imported${advice}`;
    const part = `; 200 records before line 202 stay${advice}`;

    test.each([
      ['a wrong field in the first transaction', 'a', [wrong], [], nothing, 0],
      ['a wrong field after the first transaction', 'b', [], [wrong], part, 200],
      ['a wrong field with --atomic', 'c', [], [wrong], nothing, 0],
      ['lines that are no records, up to the most that are read', 'd', [], Array<string>(120).fill('x'), part, 200],
      ['a first line that is not that of an export', 'e', ['first'], [], nothing, 0],
    ])('%s', async (name, mark, before, after, says, kept) => {
      const file = write(...before, ...many(mark), ...after);
      if (before[0] === 'first') writeFileSync(file, many(mark).join('\n'));
      const atomic = name.includes('--atomic') ? ['--atomic'] : [];
      const { error } = (await db.json(['import', file, ...atomic])) as {
        error: { code: string; message: string; details: object };
      };
      expect(error).toMatchObject({ code: 'refused', details: { kept: { records: kept } } });
      expect(error.message.endsWith(says)).toBe(true);
      const listed = (await db.json(['element', 'list', 'chunks', '--filter', `name[like]=${mark}-%`])) as {
        meta: { total: number };
      };
      expect(listed.meta.total).toBe(kept);
      const dry = await db.run(['import', file, '--dry-run']);
      expect(dry).toMatchObject({ code: 1, stderr: expect.not.stringMatching(/imported|stay|--dry-run/) });
    });
  });
});
