/** Reads publications for `hcd page history`. */
import { type HistoryEntry, listHistory } from '../../src/pages/authoring/page-history.js';
import type { Deps } from '../deps.js';
import type { JsonRecord, ListResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { isoTime } from './page-record.js';
import { defaultLimit } from './parameters.js';

const columns = ['revision', 'published_on', 'published_by', 'restored_from', 'characters', 'is_published'];

export interface HistoryOptions {
  readonly id: number;
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

export async function runHistory(
  { id, limit = defaultLimit, offset = 0 }: HistoryOptions,
  deps: Deps,
): Promise<ListResult> {
  const store = await openReady(deps);
  const { entries, total } = await listHistory(store, { resource: id, limit, offset });
  const empty = `The page was never published. Publish it: hcd page publish ${id}`;
  return { kind: 'list', columns, rows: entries.map(entryRecord), total, empty };
}

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
