/** `hcd object list|check`: what is registered, and every problem of a definition file with its place. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../support/cli.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { makeTempDir } from '../support/temp-dir.js';
import { printed, refused } from './outcomes.js';

const makers = {
  name: 'makers',
  table: 'makers',
  primaryKey: 'id',
  fields: { id: { type: 'integer' }, label: { type: 'string' } },
  readable: true,
  updatable: true,
};

const parts = {
  name: 'parts',
  table: 'parts',
  primaryKey: 'id',
  fields: { id: { type: 'integer' }, maker: { type: 'integer' } },
  readable: true,
  relations: [{ name: 'made_by', target: 'makers', type: 'to_one', foreignKey: 'maker' }],
};

const plugin = `export function register(api) {
  api.registerObject(${JSON.stringify({ ...makers, name: 'plugged' })});
}`;

/** A working directory with an objects folder. */
async function directoryWith(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await makeTempDir('object-cli');
  await mkdir(join(directory, 'objects'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  return directory;
}

describeEachDatabase('hcd object', (kind) => {
  let db: CliDatabase;

  beforeAll(async () => {
    db = await prepareCliDatabase(await kind.url(), async ({ content }) => {
      for (const sql of [
        'CREATE TABLE makers (id INTEGER NOT NULL PRIMARY KEY, label VARCHAR(20) NOT NULL)',
        'CREATE TABLE parts (id INTEGER NOT NULL PRIMARY KEY, maker INTEGER NOT NULL)',
      ]) {
        await content.write(async (tx) => void (await tx.run({ sql, params: [] })));
      }
    });
  });

  test('list has the objects of files and plugins with their origin', async () => {
    const cwd = await directoryWith({
      'objects/makers.json': JSON.stringify(makers),
      'objects/parts.json': JSON.stringify(parts),
      'extra.mjs': plugin,
    });
    const options = { cwd, env: { HCD_PLUGINS: join(cwd, 'extra.mjs') } };
    expect((await db.run('object list', options)).stdout.split('\n').slice(8)).toEqual([
      'makers\textra\tmakers\t2\treadable,updatable\tobjects/makers.json',
      'parts\textra\tparts\t2\treadable\tobjects/parts.json',
      'plugged\textra\tmakers\t2\treadable,updatable\textra.mjs',
      '',
    ]);
    expect(await db.json('object list', options)).toMatchObject({
      data: expect.arrayContaining([
        {
          name: 'parts',
          kind: 'extra',
          table: 'parts',
          primaryKey: 'id',
          fields: 2,
          relations: ['made_by (to_one makers)'],
          readable: true,
          creatable: false,
          updatable: false,
          deletable: false,
          flags: ['readable'],
          source: 'objects/parts.json',
        },
      ]),
      meta: { total: 11 },
    });
  });

  test('list refuses what a server would refuse', async () => {
    const cwd = await directoryWith({ 'objects/makers.json': JSON.stringify({ ...makers, table: 'missing' }) });
    const { code, stdout, stderr } = await db.run('object list', { cwd });
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/^hcd: objects\/makers\.json:1:\d+: table: /);
  });

  test('check accepts a valid file, with relations to other files of the folder', async () => {
    const cwd = await directoryWith({
      'objects/makers.json': JSON.stringify(makers),
      'objects/parts.json': JSON.stringify(parts),
    });
    expect(await db.run('object check objects/parts.json', { cwd })).toEqual(
      printed('objects/parts.json: no problems\n'),
    );
    expect(await db.json('object check objects/parts.json', { cwd })).toEqual({
      data: { file: 'objects/parts.json', problems: [] },
    });
  });

  test('check compares the file with its table', async () => {
    const text = JSON.stringify(
      { ...makers, fields: { ...makers.fields, price: { type: 'integer' } }, table: 'makers' },
      null,
      2,
    );
    const cwd = await directoryWith({ 'objects/makers.json': text });
    const line = text.split('\n').findIndex((one) => one.includes('"price"')) + 1;
    const outcome = await db.run('object check objects/makers.json', { cwd });
    expect([outcome.code, outcome.stderr]).toEqual([1, '']);
    expect(outcome.stdout).toMatch(new RegExp(`^objects/makers\\.json:${line}:\\d+: fields\\.price\\.column: .*\n$`));
    expect((await db.run('object check objects/makers.json --no-database', { cwd })).code).toBe(0);
  });
});

describe('hcd object check --no-database', () => {
  test('reports every problem with line and column and opens nothing', async () => {
    const text = ['{', '  "name": "Makers!",', '  "table": "makers",', '  "colour": 1,', '  "fields": {}', '}'].join(
      '\n',
    );
    const cwd = await directoryWith({ 'objects/makers.json': text });
    const { code, stdout, stderr } = await runCli('object check objects/makers.json --no-database', { cwd });
    expect([code, stderr]).toEqual([1, '']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(line).toMatch(/^objects\/makers\.json:\d+:\d+: /);
    expect(stdout).toMatch(/^objects\/makers\.json:2:\d+: name: /m);
    expect(stdout).toMatch(/^objects\/makers\.json:4:\d+: colour: /m);
    const json = JSON.parse((await runCli('object check objects/makers.json --no-database --json', { cwd })).stdout);
    expect(json).toMatchObject({
      data: {
        file: 'objects/makers.json',
        problems: expect.arrayContaining([{ line: 4, column: 3, path: 'colour', message: expect.any(String) }]),
      },
    });
    expect(json.data.problems).toHaveLength(lines.length);
  });

  test('names the line and column where the text is not JSON', async () => {
    const cwd = await directoryWith({ 'objects/makers.json': '{\n  "name": "makers",\n  oops\n}' });
    const { code, stdout } = await runCli('object check objects/makers.json --no-database', { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^objects\/makers\.json:3:3: /);
  });

  test('refuses a file that is not there', async () => {
    const cwd = await directoryWith({});
    expect(await runCli('object check objects/none.json --no-database', { cwd })).toEqual(
      refused('hcd: objects/none.json: cannot be read (ENOENT)\n'),
    );
  });
});

describe('hcd object without a usable database', () => {
  test('check without a file is wrong usage', async () => {
    expect(await runCli('object check')).toEqual(refused('hcd: FILE is required\nSee hcd object check --help.\n', 2));
  });
});
