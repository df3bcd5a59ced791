/** Tells all processes, in the transaction of the change, that other section types are in force. */
import type { Tx } from '../../store/base/database.js';
import { nextNumber } from '../../store/state/state.js';
import { forgetRefusedPlans } from '../rows/page-writes.js';
import { announcePublication } from './announce-publication.js';
import { sectionTypesGenerationKey } from './load-section-types.js';

/** Call it last: whoever changes section types next waits for the commit. */
export async function announceSectionTypes(tx: Tx): Promise<void> {
  await nextNumber(tx, sectionTypesGenerationKey);
  await forgetRefusedPlans(tx);
  await announcePublication(tx);
}
