/** The document about content files names each object, and its example loads. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repository } from '../../architecture/source-file.js';
import { freshSqliteUrl } from '../../support/databases.js';
import { importAtOnce, kinds, migratedStore } from './transfer-store.js';

const text = readFileSync(join(repository, 'docs/export.md'), 'utf8');

it('names each object', () => {
  const [, table = ''] = text.split('## Objects');
  const named = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(
    ([, cell = '']) => cell.match(/(?<=`)[a-z_]+(?=`)/g) ?? [],
  );
  expect(named.sort()).toEqual([...kinds.keys()].sort());
});

it('has an example that loads', async () => {
  const store = await migratedStore(await freshSqliteUrl());
  try {
    const [, example = ''] = /```ndjson\n([^`]+?)```/.exec(text) ?? [];
    await importAtOnce(store, example);
    const rows = await store.content.select({ sql: 'SELECT content, parent FROM modx_site_content', params: [] });
    expect(rows).toEqual([
      [null, 0],
      ['<p>Carry it in a <a href="[[~3]]">pack</a>.</p>', 1],
      [null, 1],
    ]);
  } finally {
    await store.close();
  }
});
