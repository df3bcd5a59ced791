/** `hcd page history ID`: the publications of a page. */
import { type HistoryEntry, listHistory } from '../../src/pages/authoring/page-view.js';
import { defineCommand } from '../command.js';
import { defaultRows, rowParameters } from '../parameters.js';
import { isoTime, type JsonRecord } from '../result.js';
import { pageParameter } from './shared.js';

const columns = ['revision', 'published_on', 'published_by', 'restored_from', 'characters', 'is_published'];

export const command = defineCommand({
  path: 'page history',
  summary: 'List the publications of a page',
  description:
    'Lists the publications of a page, newest first: revision, time, who published it, the revision that it restored, and the length of the document as JSON. Publications never change. To compare two of them, use hcd page diff; to publish one again, use hcd page rollback.',
  arguments: { id: pageParameter },
  options: rowParameters,
  examples: [
    { line: 'page history 42', does: 'Show when a page was published' },
    { line: 'page history 42 --limit 1 --json', does: 'Show the last publication as JSON' },
  ],
  async run({ id, limit = defaultRows, offset = 0 }, deps) {
    const store = await deps.openReady();
    const { entries, total } = await listHistory(store, { resource: id, limit, offset });
    const empty = `The page has never been published. Publish it: hcd page publish ${id}`;
    return { kind: 'list', columns, rows: entries.map(entryRecord), total, empty };
  },
});

function entryRecord(entry: HistoryEntry): JsonRecord {
  return {
    revision: entry.revision,
    published_on: isoTime(entry.publishedOn),
    published_by: entry.publishedBy,
    restored_from: entry.restoredFrom,
    characters: entry.size,
    is_published: entry.isPublished,
  };
}
