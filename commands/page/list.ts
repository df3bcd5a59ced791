/** `hcd page list`: the pages with their state and schedule. */
import { choiceValue } from '../../src/config/value-type.js';
import { listPages, type PageState } from '../../src/pages/authoring/page-view.js';
import { defineCommand } from '../command.js';
import { defaultRows, optional, rowParameters, toggle } from '../parameters.js';
import type { Marks } from '../result.js';
import { pageRecord } from './shared.js';

const states = ['draft', 'published', 'changed', 'withdrawn'] as const satisfies readonly PageState[];

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

export const command = defineCommand({
  path: 'page list',
  summary: 'List pages with their state and schedule',
  description:
    'Lists all resources that have a page document, by id: state, revision of the draft, published revision (0 when not published) and schedule. States: draft (never published), published, changed (published, with a newer draft), withdrawn (unpublished). A narrow terminal shows fewer columns and names the missing ones.',
  arguments: {},
  options: {
    state: optional(choiceValue(states), { placeholder: 'STATE', description: 'Show only pages in this state' }),
    planned: toggle('Show only pages that are scheduled to be published or unpublished'),
    ...rowParameters,
  },
  examples: [
    { line: 'page list --state changed', does: 'List pages with changes that are not published' },
    { line: 'page list --limit 1000 --json', does: 'List 1000 pages as JSON' },
  ],
  async run(options, deps) {
    const { state = null, planned: isPlanned, limit = defaultRows, offset = 0 } = options;
    const store = await deps.openReady();
    const { pages, total } = await listPages(store, { filter: { state, isPlanned }, limit, offset });
    const empty =
      state === null && !isPlanned ? 'No pages. Create one: hcd page edit ID --file FILE' : 'No matching pages.';
    return { kind: 'list', columns, spare, marks, rows: pages.map(pageRecord), total, offset, empty };
  },
});
