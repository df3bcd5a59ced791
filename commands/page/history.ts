/** `hcd page history`: list the publications of a page. */
import { listHistory } from '../../src/pages/authoring/page-view.js';
import { defineSiteCommand, isoTime } from '../command.js';
import { defaultRows, rowParameters } from '../parameters.js';
import { pageParameter } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Lists the publications of a page, newest first: revision, time, who published it, the revision that it restored, and the length of the document as JSON. Publications never change. To compare two of them, use hcd page diff; to publish one again, use hcd page rollback.',
  arguments: { id: pageParameter },
  options: rowParameters,
  examples: {
    'page history 42': 'Show when a page was published',
    'page history 42 --limit 1 --json': 'Show the last publication as JSON',
  },
  async run({ id, limit = defaultRows, offset = 0 }, deps) {
    const { entries, total } = await listHistory(deps.store, { resource: id, limit, offset });
    const empty = `The page has never been published. Publish it: hcd page publish ${id}`;
    return {
      kind: 'list',
      columns: ['revision', 'published_on', 'published_by', 'restored_from', 'characters', 'is_published'],
      rows: entries.map((entry) => ({
        revision: entry.revision,
        published_on: isoTime(entry.publishedOn),
        published_by: entry.publishedBy,
        restored_from: entry.restoredFrom,
        characters: entry.size,
        is_published: entry.isPublished,
      })),
      total,
      empty,
    };
  },
});
