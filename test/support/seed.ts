/** Puts rows into a migrated own store for a test: only what the test cares about, the rest by the CMS's defaults. */
import type { Param, Tx } from '../../src/store/base/database.js';
import type { Store } from '../../src/store/open/open.js';

export type Row = Readonly<Record<string, Param>>;

const resourceDefaults: Row = {
  type: 'document',
  pagetitle: 'A page',
  longtitle: '',
  description: '',
  alias: '',
  link_attributes: '',
  published: 1,
  parent: 0,
  introtext: '',
  content: '',
  template: 0,
  menuindex: 0,
  createdon: 1_700_000_000,
  class_key: 'MODX\\Revolution\\modDocument',
  context_key: 'web',
};

/** Columns without a default in the CMS's tables. */
const defaults: Readonly<Record<string, Row>> = {
  site_content: resourceDefaults,
  site_templates: { content: '' },
  site_tmplvar_contentvalues: { value: '' },
};

/** Inserts rows into tables (names without prefix), in the order given. */
export async function seed(store: Store, tables: Readonly<Record<string, readonly Row[]>>): Promise<void> {
  await store.content.write(async (tx) => {
    for (const [table, rows] of Object.entries(tables)) {
      for (const row of rows) await insert(tx, `${store.prefix}${table}`, { ...defaults[table], ...row });
    }
  });
}

async function insert(tx: Tx, table: string, row: Row): Promise<void> {
  const names = Object.keys(row);
  await tx.run({
    sql: `INSERT INTO \`${table}\` (${names.map((name) => `\`${name}\``).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    params: Object.values(row),
  });
}
