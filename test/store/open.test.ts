/** Opening a store: own, attached or empty, and every way in which a database can be the wrong one. */
import { expect, it, onTestFinished } from 'vitest';
import { readTables } from '../../src/store/base/columns.js';
import { type OpenStoreOptions, openStore, type Store } from '../../src/store/open/open.js';
import { describeEachDatabase } from '../support/databases.js';
import { opened, run } from './opened.js';

const contentColumns = [
  'id INTEGER PRIMARY KEY',
  ...['type', 'pagetitle', 'longtitle', 'alias', 'menutitle', 'class_key', 'context_key'].map(
    (name) => `${name} VARCHAR(191) NOT NULL DEFAULT ''`,
  ),
  ...['description', 'introtext', 'content', 'uri', 'properties'].map((name) => `${name} TEXT`),
  ...[
    'published',
    'pub_date',
    'unpub_date',
    'parent',
    'isfolder',
    'template',
    'menuindex',
    'createdby',
    'createdon',
    'editedby',
    'editedon',
    'deleted',
    'deletedon',
    'deletedby',
    'publishedon',
    'publishedby',
    'hidemenu',
    'content_type',
    'uri_override',
  ].map((name) => `${name} INTEGER NOT NULL DEFAULT 0`),
];

const contentTable = `CREATE TABLE x_site_content (${contentColumns.join(', ')})`;
const ledger = 'CREATE TABLE hcd_migrations (name VARCHAR(100) NOT NULL PRIMARY KEY, applied_at BIGINT)';

async function store(options: OpenStoreOptions): Promise<Store> {
  const result = await openStore(options);
  onTestFinished(() => result.close());
  return result;
}

describeEachDatabase('the store', (database) => {
  it('is empty without content tables', async () => {
    const databaseUrl = await database.url();
    const found = await store({ databaseUrl, prefix: 'x_' });
    expect([found.kind, found.prefix, found.tables.size, found.own === found.content]).toEqual([
      'empty',
      'x_',
      0,
      true,
    ]);
  });

  it('is attached when no step of the ledger made the content table', async () => {
    const databaseUrl = await database.url();
    const db = await opened({ url: databaseUrl });
    await run(db, contentTable, 'CREATE TABLE y_other (id INTEGER)');
    expect((await store({ databaseUrl, prefix: 'x_' })).kind).toBe('attached');
    await run(db, ledger, "INSERT INTO hcd_migrations VALUES ('2026-11-28T02-own-state', 1)");
    const found = await store({ databaseUrl, prefix: 'x_' });
    expect([found.kind, [...found.tables.keys()]]).toEqual(['attached', ['x_site_content']]);
  });

  it('is its own when a step of the ledger made the content table', async () => {
    const databaseUrl = await database.url();
    await run(
      await opened({ url: databaseUrl }),
      contentTable,
      ledger,
      "INSERT INTO hcd_migrations VALUES ('2026-11-28T03-content-resources', 1)",
    );
    expect((await store({ databaseUrl, prefix: 'x_' })).kind).toBe('own');
  });

  it('keeps its own tables in another database when told so', async () => {
    const [databaseUrl, ownDatabaseUrl] = [await database.url(), await database.url()];
    await run(await opened({ url: databaseUrl }), contentTable);
    const own = await opened({ url: ownDatabaseUrl });
    await run(own, ledger, 'CREATE TABLE only_here (n INTEGER)', 'INSERT INTO only_here VALUES (1)');
    const found = await store({ databaseUrl, ownDatabaseUrl, prefix: 'x_' });
    expect([found.kind, found.own === found.content]).toEqual(['attached', false]);
    expect(await found.own.select({ sql: 'SELECT n FROM only_here', params: [] })).toEqual([[1]]);
    await expect(found.content.select({ sql: 'SELECT n FROM only_here', params: [] })).rejects.toThrow();
  });

  it('names the columns that a foreign table of that name lacks', async () => {
    const databaseUrl = await database.url();
    const without = contentColumns.filter((column) => !/^(uri|context_key|published) /.test(column));
    await run(await opened({ url: databaseUrl }), `CREATE TABLE x_site_content (${without.join(', ')})`);
    await expect(openStore({ databaseUrl, prefix: 'x_' })).rejects.toMatchObject({
      code: 'database_not_ready',
      message: expect.stringMatching(
        /^The table x_site_content in \S+ lacks the columns published, context_key, uri: it is not a content table of MODX 2\.7 or newer\. Correct the database URL or HCD_CONTENT_PREFIX\.$/,
      ),
    });
  });
});

describeEachDatabase('tables as they are', (database) => {
  it('are read with columns and indexes, those of the prefix only', async () => {
    const db = await opened({ url: await database.url() });
    const collation = db.dialect === 'mariadb' ? ' CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci' : '';
    await run(
      db,
      `CREATE TABLE p_one (id INTEGER PRIMARY KEY, name VARCHAR(191)${collation} NOT NULL, body TEXT${collation}, price DECIMAL(10,2), made DATETIME, raw BLOB)`,
      'CREATE UNIQUE INDEX one_name ON p_one (name, id)',
      'CREATE TABLE pxone (id INTEGER)',
      'CREATE TABLE P_upper (id INTEGER)',
    );
    const tables = await readTables(db, 'p_');
    expect([...tables.keys()]).toEqual(['p_one']);
    const one = tables.get('p_one');
    const onMariadb = db.dialect === 'mariadb';
    const text = onMariadb
      ? { collation: 'utf8mb3_general_ci', charset: 'utf8mb3', isExact: false }
      : { collation: null, charset: null, isExact: true };
    expect([...(one?.columns.values() ?? [])]).toEqual(
      [
        { name: 'id', type: 'integer', nullable: false, isPrimary: true },
        { name: 'name', type: 'text', nullable: false, maxLength: 191, ...text },
        { name: 'body', type: 'text', nullable: true, maxBytes: onMariadb ? 65_535 : null, ...text },
        { name: 'price', type: 'number', nullable: true },
        { name: 'made', type: 'datetime', nullable: true },
        { name: 'raw', type: 'binary', nullable: true, maxBytes: onMariadb ? 65_535 : null },
      ].map((column) => expect.objectContaining({ maxLength: null, ...column })),
    );
    expect(one?.engine).toBe(onMariadb ? 'InnoDB' : null);
    expect(one?.indexes.find((index) => index.name === 'one_name')).toEqual({
      name: 'one_name',
      unique: true,
      columns: ['name', 'id'],
    });
  });
});
