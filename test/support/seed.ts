/** Puts rows into a migrated own store for a test: only what the test cares about, the rest by the CMS's defaults. */
import { sourceOf } from '../../src/content/indexing/keep-indexes.js';
import { noteSeen } from '../../src/content/indexing/known.js';
import type { Param, Tx } from '../../src/store/base/database.js';
import type { Store } from '../../src/store/open/open.js';

export type Tables = Readonly<Record<string, readonly Row[]>>;

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

/** A row of an access table: what the CMS gives the members of the first user group. */
export function accessRule(target: string | number, other: Row = {}): Row {
  const principal = { principal_class: 'MODX\\Revolution\\modUserGroup', principal: 1, authority: 9999 };
  return { target, ...principal, policy: 1, context_key: '', ...other };
}

/** Inserts rows into tables (names without prefix), in the order given; a server that runs already takes them for its own. */
export async function seed(store: Store, tables: Tables): Promise<void> {
  const ids = (tables['site_content'] ?? []).map(({ id }) => Number(id)).filter((id) => id > 0);
  await store.content.write(async (tx) => {
    await insertAll(tx, store, tables);
    if (store.content === store.own) await noteSeen(tx, sourceOf(store, tx), ids);
  });
  if (store.content !== store.own) await store.own.write((tx) => noteSeen(tx, sourceOf(store, tx), ids));
}

/** As another program inserts them. */
export async function seedByOthers(store: Store, tables: Tables): Promise<void> {
  await store.content.write((tx) => insertAll(tx, store, tables));
}

async function insertAll(tx: Tx, { prefix }: Store, tables: Tables): Promise<void> {
  for (const [table, rows] of Object.entries(tables)) {
    for (const row of rows) await insert(tx, `${prefix}${table}`, { ...defaults[table], ...row });
  }
}

async function insert(tx: Tx, table: string, row: Row): Promise<void> {
  const names = Object.keys(row);
  await tx.run({
    sql: `INSERT INTO \`${table}\` (${names.map((name) => `\`${name}\``).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    params: Object.values(row),
  });
}
