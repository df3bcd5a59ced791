/** Tells all processes, in the transaction of the change, that what the pages API delivers has changed. */

import { Op } from 'sequelize';
import { writeChangedRows } from '../../content/live/content-change.js';
import { writeChange } from '../../content/models/changes.js';
import { touch } from '../../store/base/commits.js';
import type { Tx } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { bumpContentGeneration, nextNumber } from '../../store/state/state.js';
import { pages } from '../models/pages.js';

/** What services that write pages work with. */
export interface PageAuthoring {
  readonly store: Store;
  /** Who writes, as history shows it, such as `cli`. */
  readonly by: string;
  /**
   * Called after the commit of a publication: whether readers may see the page depends on its resource, and the feed
   * must report it before it can be withdrawn again. Servers do the same by themselves, so nothing is lost without it.
   */
  readonly tellReaders: () => Promise<void>;
}

/** Key of the number of the last change of any page in `hcd_state`. */
export const siteRevisionKey = 'pages_revision';

/** Key of the number in `hcd_state` that every change of section types raises. */
export const sectionTypesGenerationKey = 'section_types_generation';

/** The next number of the site. The next publication waits for the commit, so numbers become visible in their order. */
export function nextSiteRevision(tx: Tx): Promise<number> {
  return nextNumber(tx, siteRevisionKey);
}

/** Call it last. No row of content changed: answers of the gateway that are kept stay good. */
export async function announcePublication(tx: Tx): Promise<void> {
  touch(tx, 'live');
  const generation = await bumpContentGeneration(tx);
  await writeChange(tx, { generation, payload: writeChangedRows({ rows: [] }) });
}

/** Other section types are in force. Call it last: the next change of section types waits for the commit. */
export async function announceSectionTypes(tx: Tx): Promise<void> {
  await nextNumber(tx, sectionTypesGenerationKey);
  // Documents may be complete for the other types: refused plans are tried again.
  await pages.on(tx).update({ failedDraft: null }, { where: { failedDraft: { [Op.ne]: null } } });
  await announcePublication(tx);
}
