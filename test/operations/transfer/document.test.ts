/** The document about content files names each object, and its example loads. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { migrationRun } from '../../../commands/open-store.js';
import { bannerKinds } from '../../../src/operations/transfer/load-banners.js';
import { contentKinds, loadContent } from '../../../src/operations/transfer/load-content.js';
import { Problems, readRecords } from '../../../src/operations/transfer/read-records.js';
import { migrateUp } from '../../../src/store/migrations/migrate.js';
import { openStore } from '../../../src/store/open/open.js';
import { repository } from '../../architecture/source-file.js';
import { freshSqliteUrl } from '../../support/databases.js';

const text = readFileSync(join(repository, 'docs/content-files.md'), 'utf8');

it('names each object', () => {
  const [, table = ''] = text.split('## Objects');
  const named = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(
    ([, cell = '']) => cell.match(/(?<=`)[a-z_]+(?=`)/g) ?? [],
  );
  expect(named.sort()).toEqual([...contentKinds.keys(), ...bannerKinds.keys(), 'pages'].sort());
});

it('has an example that loads', async () => {
  const target = { databaseUrl: await freshSqliteUrl(), prefix: 'modx_' };
  const empty = await openStore(target);
  await migrateUp(migrationRun(empty));
  await empty.close();
  const store = await openStore(target);
  try {
    const [, example = ''] = /```ndjson\n([^`]+?)```/.exec(text) ?? [];
    const problems = new Problems();
    const records = readRecords(Readable.from([Buffer.from(example)]), { problems });
    const { prefix, tables } = store;
    await store.content.write((tx) =>
      loadContent(tx, { prefix, tables, records, problems, onRecord: () => undefined }),
    );
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
