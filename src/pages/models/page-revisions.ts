/** The publications of pages by their numbers. Rows are written once and never changed. */
import type { Reader } from '../../store/base/database.js';
import { computed, integer, key, named, orNull, text, time } from '../../store/models/columns.js';
import { defineModel } from '../../store/models/model.js';

export const pageRevisions = defineModel('hcd_page_revisions', {
  resource: named('resource_id', key(integer())),
  revision: key(integer()),
  document: text(),
  /** Unix milliseconds of the database's clock. */
  publishedOn: time(),
  publishedBy: text(190),
  /** The earlier number whose document this is again; null when it came from the draft. */
  restoredFrom: orNull(integer()),
  size: computed((dialect) => (dialect === 'mariadb' ? 'CHAR_LENGTH(`document`)' : 'LENGTH(`document`)')),
});

/** JSON; null when nothing was published under the number. */
export async function findPublished(
  reader: Reader,
  key: { readonly resource: number; readonly revision: number },
): Promise<string | null> {
  const [row] = await pageRevisions.on(reader).lookUpAll(key, { attributes: ['document'] });
  return row?.document ?? null;
}
