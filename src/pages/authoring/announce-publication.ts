/** Tells all processes, in the transaction of the change, that what the pages API delivers has changed. */

import { writeChangedRows } from '../../content/live/content-change.js';
import { writeChange } from '../../content/models/changes.js';
import { touch } from '../../store/base/commits.js';
import type { Tx } from '../../store/base/database.js';
import { bumpContentGeneration, nextNumber } from '../../store/state/state.js';
import { siteRevisionKey } from '../rows/page-feed.js';

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
