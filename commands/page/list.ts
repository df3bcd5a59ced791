/** `hcd page list`: the pages with their numbers and plans. */
import { choiceValue } from '../../src/config/value-type.js';
import { listPages, type PageState } from '../../src/pages/authoring/page-view.js';
import { defineCommand } from '../command.js';
import { optional, toggle } from '../parameters.js';
import type { Marks } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { pageRecord } from './page-record.js';
import { defaultLimit, partParameters } from './parameters.js';

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
  summary: 'List pages with their state and plans',
  description:
    'Lists every resource that has a page document, by its id: state, revision of the draft, the number under which readers see the page (0 while it is not published), and what is planned. States: draft (was never published), published, changed (published, and the draft has been saved since), withdrawn. A narrow terminal shows fewer columns and says which are missing.',
  arguments: {},
  options: {
    state: optional(choiceValue(states), { placeholder: 'STATE', description: 'Only pages in this state' }),
    planned: toggle('Only pages with a planned publication or withdrawal'),
    ...partParameters,
  },
  examples: [
    { line: 'page list --state changed', does: 'Show pages whose draft differs from what readers see' },
    { line: 'page list --limit 1000 --json', does: 'Read a thousand pages, for a script' },
  ],
  async run(options, deps) {
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
  },
});
