/** `hcd page list`: list pages with their state and schedule. */
import { choiceValue, listValue } from '../../src/config/value-type.js';
import { listPages } from '../../src/pages/authoring/page-view.js';
import { defineSiteCommand } from '../command.js';
import { defaultRows, idValue, optional, rowParameters, toggle } from '../parameters.js';
import { pageRecord } from './shared.js';

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

export const command = defineSiteCommand({
  description:
    'Lists all resources that have a page document, by id: state, revision of the draft, published revision (0 when not published) and schedule. States: draft (never published), published, changed (published, with a newer draft), withdrawn (unpublished). A narrow terminal shows fewer columns and names the missing ones.',
  options: {
    state: optional(choiceValue(['draft', 'published', 'changed', 'withdrawn']), 'Show only pages in this state'),
    resources: optional(listValue(idValue, { min: 1, accepts: 'a comma list of ids' }), {
      placeholder: 'IDS',
      description: 'Show only the pages of these resources, separated by commas',
    }),
    planned: toggle('Show only pages that are scheduled to be published or unpublished'),
    ...rowParameters,
  },
  examples: {
    'page list --state changed': 'List pages with changes that are not published',
    'page list --limit 1000 --json': 'List 1000 pages as JSON',
  },
  async run(options, deps) {
    const { state = null, resources = null, planned: isPlanned, limit = defaultRows, offset = 0 } = options;
    const { pages, total } = await listPages(deps.store, { filter: { resources, state, isPlanned }, limit, offset });
    const empty =
      state === null && resources === null && !isPlanned
        ? 'No pages. Create one: hcd page new ID --sections hero,faq'
        : 'No matching pages.';
    return {
      kind: 'list',
      columns,
      spare: ['unpublish_on', 'publish_on', 'edited_on', 'context_key', 'published_on', 'revision', 'uri'],
      marks: { state: { changed: 'warning', withdrawn: 'past' } },
      rows: pages.map(pageRecord),
      total,
      offset,
      empty,
    };
  },
});
