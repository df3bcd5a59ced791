/** Lists records of one object for a command: short columns for people and pipes, every field for `--json`. */

import { listContent } from '../../src/content/administration/browse-content.js';
import { openAdministration } from '../../src/content/live/administrator.js';
import type { Deps } from '../deps.js';
import type { ListResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { type ListFlags, listIntent } from './query-flags.js';

export interface ListAsked {
  readonly object: string;
  readonly flags: ListFlags;
  /** Fields to show when none are asked for. */
  readonly columns: readonly string[];
}

export async function listRecordsOf(deps: Deps, { object, flags, columns }: ListAsked): Promise<ListResult> {
  const shown = flags.fields ? [...new Set(flags.fields)] : columns;
  // Scripts get whole records unless they choose; people get what fits a line.
  const fields = deps.flags.json ? flags.fields : shown;
  const intent = listIntent({ ...flags, fields });
  const admin = await openAdministration(await openReady(deps), deps);
  const list = await listContent(admin, { object, intent });
  const rows = list.rows.map(({ record }) => record);
  const isSilentlyCut = list.hasMore && !deps.flags.json && !deps.io.stdout.isTerminal;
  return {
    kind: 'list',
    columns: shown,
    rows,
    total: list.total,
    empty: `No matching ${object}.`,
    // On a terminal the table itself says so.
    notes: isSilentlyCut ? [`${rows.length} of ${list.total} shown.`] : [],
  };
}
