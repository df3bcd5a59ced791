/** A site in MariaDB whose CMS wrote UTF-8 over a connection of another character set. */
import { loadSample } from '../../../src/operations/sample/load-sample.js';
import { executeOnMariadb } from '../../support/databases.js';
import { openMigrated } from '../../support/migrate.js';
import { patientLimits } from '../../support/patient-limits.js';
import { seed } from '../../support/seed.js';
import { withDatabase } from './stores.js';

export const prefix = 'modx_';
/** Text columns of these tables, without their prefix. */
export const texts: Record<string, string[]> = {};
const tables = ['site_content', 'site_tmplvar_contentvalues', 'site_htmlsnippets'];
const page = (id: number, pagetitle: string) => ({ id, pagetitle, alias: `p${id}`, uri: `p${id}`, content: pagetitle });

/** The sample site as text columns of `charset` hold it; `right` gets its texts before. */
export async function doubleEncode(url: string, charset: string): Promise<Map<string, unknown>> {
  const store = await openMigrated({ databaseUrl: url, prefix, limits: patientLimits });
  await loadSample(store, { env: {}, apis: [], onProgress: () => undefined });
  await seed(store, { site_content: [page(9001, 'Größe'), page(9002, 'Привет'), page(9003, '漢字')] });
  const right = new Map<string, unknown>();
  for (const table of tables) {
    const columns = [...(store.tables.get(prefix + table)?.columns.values() ?? [])];
    texts[table] = columns.filter((column) => column.charset !== null).map(({ name }) => name);
  }
  for (const [table, columns] of Object.entries(texts)) {
    right.set(table, await textsOf(store.content, table, columns));
  }
  await store.close();
  const doubled = (column: string): string =>
    `\`${column}\` = CONVERT(CONVERT(CAST(\`${column}\` AS BINARY) USING latin1) USING utf8mb4)`;
  await executeOnMariadb(url, [
    ...Object.entries(texts).flatMap(([table, columns]) => [
      `UPDATE ${prefix}${table} SET ${columns.map(doubled).join(', ')}`,
      `ALTER TABLE ${prefix}${table} CONVERT TO CHARACTER SET ${charset}`,
    ]),
    "SET SESSION sql_mode = ''",
    // What later clients wrote rightly, and what was spoilt by hand.
    `INSERT INTO ${prefix}site_content (id, pagetitle, alias, uri, content, introtext) VALUES (9004, 'caf\u00e9', 'a', 'a', '', ''),
      (9005, '\u00c3\u00a9 caf\u00e9', 'b', 'b', '', '')`,
  ]);
  const [names] = await withDatabase(url, async (database) => [
    await database.select({
      sql: "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name LIKE 'hcd!_%' ESCAPE '!'",
      params: [],
    }),
  ]);
  await executeOnMariadb(
    url,
    (names ?? []).map(([name]) => `DROP TABLE ${name}`),
  );
  return right;
}

type Selecting = Parameters<Parameters<typeof withDatabase>[1]>[0];

export function textsOf(database: Selecting, table: string, columns: readonly string[]) {
  const list = columns.map((column) => `\`${column}\``).join(', ');
  const sql = `SELECT id, ${list} FROM ${prefix}${table} ORDER BY id`;
  return database.select({ sql, params: [] });
}
