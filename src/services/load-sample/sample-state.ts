/** Whether a store may take the sample site: empty, holding the sample already, or holding something else. */

import { sampleSite } from '../../sample/sample-site.js';
import { readTables } from '../../store/columns.js';
import type { Reader } from '../../store/database.js';
import type { Store } from '../../store/open.js';
import { readState } from '../../store/rows/state.js';

/** sample: loaded by this program earlier, perhaps changed since; foreign: anything that the sample must not touch. */
export type SampleState = 'empty' | 'sample' | 'foreign';

/** Key in hcd_state. It is written before the rows, so that it says nothing while there is no content. */
export const sampleMark = 'sample_site';

/** Rows that the migrations put into tables which the sample fills too; the other tables it fills start empty. */
const seededRows: Readonly<Record<string, number>> = {
  context: 2,
  content_type: 8,
  media_sources: 1,
  user_group_roles: 2,
  membergroup_names: 1,
  access_context: 3,
};

/** Settings are no content: they may be set before the sample is loaded. */
const settingTables: ReadonlySet<string> = new Set(['system_settings', 'context_setting']);

/** Reads only; works before the migrations too. */
export async function sampleState(store: Store): Promise<SampleState> {
  if (store.kind === 'attached') return 'foreign';
  if (store.kind === 'empty') return (await hasOtherTables(store)) ? 'foreign' : 'empty';
  if (!(await hasContent(store))) return 'empty';
  const own = await readTables(store.own.primary, 'hcd_state');
  const mark = own.has('hcd_state') ? await readState(store.own.primary, sampleMark) : null;
  return mark === null ? 'foreign' : 'sample';
}

/** The database of something else: the sample is for a database of its own. */
async function hasOtherTables({ content }: Store): Promise<boolean> {
  const tables = await readTables(content.primary, '');
  return [...tables.keys()].some((name) => !name.startsWith('hcd_'));
}

async function hasContent({ content, prefix, tables }: Store): Promise<boolean> {
  const names = new Set([...sampleSite()].map(({ table }) => table).filter((table) => !settingTables.has(table)));
  for (const name of names) {
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
