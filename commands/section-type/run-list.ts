/** Reads section types for `hcd section-type list`. */
import { listSectionTypes } from '../../src/pages/authoring/section-type-view.js';
import type { Deps } from '../deps.js';
import type { ListResult, Marks } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { typeRecord } from './type-record.js';

const columns = ['key', 'version', 'label', 'category', 'state', 'changed_on', 'fields'];
const spare = ['fields', 'changed_on', 'category', 'version'];
const marks: Marks = { state: { unreadable: 'warning', hidden: 'past' } };

export async function runList(deps: Deps): Promise<ListResult> {
  const store = await openReady(deps);
  const views = await listSectionTypes(store.own.primary);
  return { kind: 'list', columns, spare, marks, rows: views.map(typeRecord) };
}
