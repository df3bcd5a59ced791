/** What may not replace a SQLite file. */
import { copyFileSync, existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { replaceFile } from '../../src/store/sqlite/replace-file.js';
import { freshSqliteUrl } from '../support/databases.js';
import { opened, rows, run } from './opened.js';

const pathOf = (url: string): string => url.slice('sqlite:'.length);

it('a file whose rows are only in its log replaces nothing', async () => {
  const [url, from] = [await freshSqliteUrl(), await freshSqliteUrl()];
  const old = await opened({ url, create: true });
  await run(old, 'CREATE TABLE kept (id INTEGER PRIMARY KEY)');
  await old.close();
  const source = await opened({ url: from, create: true });
  await run(source, 'CREATE TABLE t (id INTEGER PRIMARY KEY)');
  const next = `${pathOf(url)}.restore`;
  for (const end of ['', '-wal']) copyFileSync(pathOf(from) + end, next + end);
  await expect(replaceFile(pathOf(url), next)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('the disk is full, or fails'),
  });
  expect(existsSync(next)).toBe(true);
  expect(await rows(await opened({ url }), 'SELECT COUNT(*) FROM kept')).toEqual([[0]]);
});
