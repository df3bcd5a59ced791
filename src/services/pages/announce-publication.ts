/** Tells all processes, in the transaction of the change, that what the pages API delivers has changed. */
import { touch } from '../../store/commits.js';
import type { Tx } from '../../store/database.js';
import { writeChange } from '../../store/rows/changes.js';
import { siteRevisionKey } from '../../store/rows/page-feed.js';
import { bumpContentGeneration, nextNumber } from '../../store/rows/state.js';
import { writeChangedRows } from '../content-change.js';

/** The next number of the site; whoever publishes next waits for the commit, so numbers become visible in their order. */
export function nextSiteRevision(tx: Tx): Promise<number> {
  return nextNumber(tx, siteRevisionKey);
}

/** Call it last. No row of content changed: answers of the gateway that are kept stay good. */
export async function announcePublication(tx: Tx): Promise<void> {
  touch(tx, 'live');
  const generation = await bumpContentGeneration(tx);
  await writeChange(tx, { generation, payload: writeChangedRows({ rows: [] }) });
}
