/** `hcd types`: what it prints, writes and refuses, and that it keeps a file current. */
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { problemsOf } from '../operations/site-types/compile-types.js';
import { runCli, startCli } from '../support/cli.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { expectGolden } from '../support/golden.js';
import { seed } from '../support/seed.js';
import { makeTempDir } from '../support/temp-dir.js';

const noteType = {
  key: 'pull-quote',
  version: 1,
  label: 'Ends */ a comment',
  category: 'content',
  categories: [],
  fields: [
    { name: 'text', type: 'textarea', label: 'Text', required: true },
    { name: 'tone', type: 'select', label: 'Tone', options: [{ value: 'say "so"', label: 'So' }] },
    {
      name: 'rows',
      type: 'repeater',
      label: 'Rows',
      fields: [{ name: 'n', type: 'number', label: 'N', required: true }],
    },
  ],
  template: '<p>{{ data.text }}</p>',
};

const shelves = {
  name: 'shelves',
  table: 'shelves',
  primaryKey: 'code',
  fields: {
    code: { type: 'string' },
    filled: { type: 'boolean' },
    width: { type: 'number' },
    seen: { type: 'datetime' },
    extras: { type: 'json' },
    cost: { type: 'number' },
    owner: { type: 'integer' },
  },
  filterable: ['filled'],
  protected: ['cost'],
  hidden: ['owner'],
  relations: [{ name: 'pages', target: 'resources', type: 'to_many', foreignKey: 'parent', localKey: 'owner' }],
  readable: true,
};

const rows = {
  site_templates: [
    { id: 3, templatename: 'News' },
    { id: 4, templatename: 'news!' },
    { id: 7, templatename: '2 "columns" */ export' },
    { id: 9, templatename: 'Über uns_kurz' },
    { id: 11, templatename: '—' },
  ],
  site_tmplvars: [
    { id: 1, name: 'price', type: 'number', default_text: '' },
    { id: 2, name: 'say "hi"; } //', type: 'text', default_text: '' },
    { id: 3, name: '__proto__', type: 'text', default_text: '' },
  ],
  site_tmplvar_templates: [
    { tmplvarid: 1, templateid: 3 },
    { tmplvarid: 2, templateid: 3 },
    { tmplvarid: 3, templateid: 4 },
  ],
  site_content: [
    { id: 1, uri: 'index.html' },
    { id: 2, uri: 'a "quoted" one\u2028.html' },
    { id: 3, uri: 'draft.html', published: 0 },
  ],
};

describeEachDatabase('hcd types', (database) => {
  let db: CliDatabase;
  let cwd: string;

  beforeAll(async () => {
    db = await prepareCliDatabase(await database.url(), async (store) => {
      await store.content.write(async (tx) => {
        const columns =
          'filled SMALLINT NULL, width DOUBLE NULL, seen DATETIME NULL, extras TEXT NULL, cost DOUBLE NULL, owner INTEGER NULL';
        await tx.run({ sql: `CREATE TABLE shelves (code VARCHAR(20) NOT NULL PRIMARY KEY, ${columns})`, params: [] });
      });
      await seed(store, rows);
    });
    cwd = await makeTempDir('types-cli');
    mkdirSync(join(cwd, 'objects'));
    writeFileSync(join(cwd, 'objects/shelves.json'), JSON.stringify(shelves));
    expect((await db.run('section-type import -', { stdin: JSON.stringify(noteType) })).stderr).toBe('');
  });

  test('prints declarations of everything, whatever it is called', async () => {
    const { code, stdout, stderr } = await db.run('types --uris', { cwd });
    expect([code, stderr]).toEqual([0, '']);
    expectGolden('cli/golden/types.txt', stdout);
    expect(await problemsOf({ 'site.ts': stdout })).toBe('');
  });

  test('prints them as one text in JSON', async () => {
    const { stdout } = await db.run('types', { cwd });
    expect(await db.json('types', { cwd })).toEqual({ data: { types: stdout } });
    expect(stdout).toContain('export type Uri = string;\n');
  });

  test('writes a file, and leaves it alone while nothing has changed', async () => {
    const file = join(cwd, 'site.ts');
    const written = await db.run('types --out site.ts', { cwd });
    expect(written).toEqual({ code: 0, stdout: `Wrote ${file}\n`, stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe((await db.run('types', { cwd })).stdout);
    const { ino } = statSync(file);
    expect((await db.run('types --out site.ts', { cwd })).stdout).toBe(`${file} is up to date\n`);
    expect(statSync(file).ino).toBe(ino);
    expect(await db.json('types --out site.ts --uris', { cwd })).toEqual({
      data: {
        ...{ file, bytes: statSync(file).size, changed: true, templates: 5, tvs: 3, section_types: 13, objects: 9 },
        ...{ contexts: expect.any(Number), uris: 2 },
      },
    });
  });

  test('writes through a link', async () => {
    mkdirSync(join(cwd, 'linked'));
    symlinkSync('../real.ts', join(cwd, 'linked/site.ts'));
    writeFileSync(join(cwd, 'real.ts'), '');
    expect((await db.run('types --out linked/site.ts', { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'real.ts'), 'utf8')).toContain('interface Site ');
  });

  test('replaces the file of somebody else only with --yes', async () => {
    writeFileSync(join(cwd, 'own.ts'), 'export const mine = 1;\n');
    const refused = await db.run('types --out own.ts', { cwd });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`${join(cwd, 'own.ts')} exists. Name another file, or replace it with --yes`);
    expect(readFileSync(join(cwd, 'own.ts'), 'utf8')).toBe('export const mine = 1;\n');
    expect((await db.run('types --out own.ts --yes', { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'own.ts'), 'utf8')).toContain('interface Site ');
  });

  test.each([
    ['a folder that does not exist', 'no/site.ts', 'there is no such file or folder'],
    ['a folder', 'objects', 'is a folder'],
  ])('refuses %s', async (_name, path, problem) => {
    const { code, stderr } = await db.run(`types --out ${path}`, { cwd });
    expect([code, existsSync(join(cwd, 'no'))]).toEqual([1, false]);
    expect(stderr).toContain(problem);
  });

  test('keeps the file current until it is stopped', async () => {
    const file = join(cwd, 'watched.ts');
    const env = { HCD_DATABASE_URL: db.url, NO_COLOR: '1' };
    const watching = startCli(['types', '--out', file, '--watch'], { cwd, env });
    const written = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
    try {
      await eventually(() => expect(written()).toContain('NewsResource'));
      await db.run('section-type import -', { stdin: JSON.stringify({ ...noteType, key: 'recipe' }) });
      await eventually(() => expect(written()).toContain('  recipe: {'));
    } finally {
      watching.kill('SIGINT');
    }
    const { stdout, code } = await watching.outcome;
    expect([stdout, code]).toEqual([`Wrote ${file}\nWrote ${file}\n`, 130]);
  });
});

describe('hcd types, refused', () => {
  it('needs a file to watch', async () => {
    const outcome = await runCli('types --watch');
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain('--watch needs --out');
  });
});
