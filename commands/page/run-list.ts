/** Reads pages for `hcd page list`. */
import { listPages, type PageState } from '../../src/pages/authoring/page-view.js';
import type { Deps } from '../deps.js';
import type { ListResult, Marks } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { pageRecord } from './page-record.js';
import { defaultLimit } from './parameters.js';

const columns = [
  'resource_id',
  'pagetitle',
  'context_key',
  'uri',
  'state',
  'revision',
  'published_revision',
  'published_on',
  'publish_on',
  'unpublish_on',
  'edited_on',
];
const spare = ['unpublish_on', 'publish_on', 'edited_on', 'context_key', 'published_on', 'revision', 'uri'];
const marks: Marks = { state: { changed: 'warning', withdrawn: 'past' } };

export interface ListOptions {
  readonly state: PageState | undefined;
  readonly planned: boolean;
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

export async function runList(options: ListOptions, deps: Deps): Promise<ListResult> {
  const { state = null, planned: isPlanned, limit = defaultLimit, offset = 0 } = options;
  const store = await openReady(deps);
  const { pages, total } = await listPages(store, { filter: { state, isPlanned }, limit, offset });
  const empty =
    state === null && !isPlanned
      ? 'There is no page document. Make one: hcd page edit ID --file FILE'
      : 'No page is like that.';
  const isSilentlyCut = offset + pages.length < total && !deps.flags.json && !deps.io.stdout.isTerminal;
  const notes = isSilentlyCut ? [`${pages.length} of ${total} shown.`] : [];
  return { kind: 'list', columns, spare, marks, rows: pages.map(pageRecord), total, empty, notes };
}
