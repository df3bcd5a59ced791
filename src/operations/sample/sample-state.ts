/** Whether a store may take the sample site: empty, holding the sample already or a part of it, or holding something else. */

import { readTables } from '../../store/base/columns.js';
import type { Reader, Tx } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { readState, writeState } from '../../store/state/state.js';
import { contentKinds } from '../transfer/load-content.js';

/**
 * begun: its rows are there, and what comes after them was interrupted; sample: loaded by this program earlier, perhaps
 * changed since; foreign: anything that the sample must not touch.
 */
export type SampleState = 'empty' | 'begun' | 'sample' | 'foreign';

/** Key in hcd_state. It is written before the rows, so it alone does not mean that the content exists. */
const sampleMark = 'sample_site';
/** Of the mark, until pages and credentials are there as well. */
const begun = 'begun';

/** Rows that the migrations put into tables which the sample fills too; the other tables it fills start empty. */
const seededRows: Readonly<Record<string, number>> = {
  context: 2,
  content_type: 8,
  media_sources: 1,
  user_group_roles: 2,
  membergroup_names: 1,
  access_context: 3,
};

/** Settings are not content: they may be set before the sample is loaded. */
const settingTables: ReadonlySet<string> = new Set(['system_settings', 'context_setting']);

/** Of a site's content, whichever of them the sample fills. */
const contentTables = [...new Set([...contentKinds.values()].map(({ table }) => table))].filter(
  (table) => !settingTables.has(table),
);

/** Reads only; works before the migrations too. */
export async function sampleState(store: Store): Promise<SampleState> {
  if (store.kind === 'attached') return 'foreign';
  if (store.kind === 'empty') return (await hasOtherTables(store)) ? 'foreign' : 'empty';
  if (!(await hasContent(store))) return 'empty';
  const own = await readTables(store.own.primary, 'hcd_state');
  const mark = own.has('hcd_state') ? await readState(store.own.primary, sampleMark) : null;
  if (mark === null) return 'foreign';
  return mark === begun ? 'begun' : 'sample';
}

/** Together with the rows: the next run can do what is left. */
export function markBegun(tx: Tx): Promise<void> {
  return writeState(tx, sampleMark, begun);
}

/** Once everything is there; from then on nothing is loaded again. */
export async function markLoaded({ own }: Store): Promise<void> {
  await own.write((tx) => writeState(tx, sampleMark, '1'), { outcome: async () => undefined });
}

/** The database of something else: the sample is for a database of its own. */
async function hasOtherTables({ content }: Store): Promise<boolean> {
  const tables = await readTables(content.primary, '');
  return [...tables.keys()].some((name) => !name.startsWith('hcd_'));
}

async function hasContent({ content, prefix, tables }: Store): Promise<boolean> {
  for (const name of contentTables) {
    const table = `${prefix}${name}`;
    if (tables.has(table) && (await hasMoreRows(content.primary, table, seededRows[name] ?? 0))) return true;
  }
  return false;
}

async function hasMoreRows(reader: Reader, table: string, count: number): Promise<boolean> {
  const sql = `SELECT COUNT(*) FROM (SELECT 1 AS found FROM \`${table}\` LIMIT ${count + 1}) AS some`;
  const [row] = await reader.select({ sql, params: [] });
  return Number(row?.[0]) > count;
}
