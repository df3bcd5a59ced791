/** Folders whose tables are read and written through models hold no SQL, except where docs/sql.md says what it saves. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listFiles, repository } from './source-file.js';

/** Grows with each table that gets a model; a folder of `rows` leaves with its last file. */
const withoutSql = [
  'src/store/models',
  'src/content',
  'src/identity',
  'src/gateway',
  'src/pages',
  'src/banners',
  'src/webhooks',
];

const statement = /['"`]\s*(SELECT\s|INSERT\s+INTO\s|REPLACE\s+INTO\s|UPDATE\s|DELETE\s+FROM\s|WITH\s+\S+\s+AS\s)/;

function read(path: string): string {
  return readFileSync(join(repository, path), 'utf8');
}

function holdsSql(text: string): boolean {
  return statement.test(text.replaceAll(/^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*)/gm, ''));
}

test('folders with models hold no SQL except the places that docs/sql.md lists', () => {
  const listed = [...read('docs/sql.md').matchAll(/^\| `(src\/[^`]+)`/gm)].map(([, path]) => path);
  const found = withoutSql.flatMap((folder) => {
    return listFiles(folder, (name) => name.endsWith('.ts')).filter((path) => holdsSql(read(path)));
  });
  expect(found.filter((path) => !listed.includes(path))).toEqual([]);
  expect(listed.filter((path) => path === undefined || !holdsSql(read(path)))).toEqual([]);
});

test.each([
  ['a statement', "const sql = 'SELECT 1';", true],
  ['a statement over two lines', 'const sql = `\n  DELETE FROM t`;\nconst other = `UPDATE \\`t\\` SET a = 1`;', true],
  ['a word of a sentence', "const text = 'UPDATE';\nconst other = 'Select a user';", false],
  ['a comment', "// 'SELECT 1'", false],
])('SQL is distinguished from other text: %s', (_name, text, expected) => {
  expect(holdsSql(text)).toBe(expected);
});
