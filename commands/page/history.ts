/** `hcd page history ID`: what was published, number by number. */
import { type HistoryEntry, listHistory } from '../../src/pages/authoring/page-history.js';
import { defineCommand } from '../command.js';
import type { JsonRecord } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { isoTime } from './page-record.js';
import { defaultLimit, pageParameter, partParameters } from './parameters.js';

const columns = ['revision', 'published_on', 'published_by', 'restored_from', 'characters', 'is_published'];

export const command = defineCommand({
  path: 'page history',
  summary: 'List the publications of a page',
  description:
    'Lists what was published of a page, the newest first: number, time, who did it, the earlier number that it brought back, and the length of the document as JSON. Every publication is kept as it was. hcd page diff compares two of them, hcd page rollback brings one back.',
  arguments: { id: pageParameter },
  options: partParameters,
  examples: [
    { line: 'page history 42', does: 'See when a page was published' },
    { line: 'page history 42 --limit 1 --json', does: 'Read the last publication, for a script' },
  ],
  async run({ id, limit = defaultLimit, offset = 0 }, deps) {
    const store = await openReady(deps);
    const { entries, total } = await listHistory(store, { resource: id, limit, offset });
    const empty = `The page was never published. Publish it: hcd page publish ${id}`;
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
