/** Section types of the site: definitions that replace shipped ones or add to them, and hidden keys. */
import type { Tx } from '../../store/base/database.js';
import { fromNow, key, orNull, text, time } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';

export type SectionTypeRow = RowOf<typeof sectionTypes>;

export const sectionTypes = defineModel('hcd_section_types', {
  key: key(text(101)),
  /** JSON, as it was imported; null hides the shipped type of the key. */
  definition: orNull(text()),
  /** Unix milliseconds of the database's clock. */
  changedOn: time(),
  changedBy: text(190),
});

export function putSectionType(tx: Tx, row: Omit<SectionTypeRow, 'changedOn'>): Promise<void> {
  const updateOnDuplicate = ['definition' as const, 'changedOn' as const, 'changedBy' as const];
  return sectionTypes.on(tx).bulkCreate([{ ...row, changedOn: fromNow(tx) }], { updateOnDuplicate });
}
