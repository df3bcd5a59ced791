/** The sections that a page has already: they may stay where new ones of their type may not be put. */
import type { Reader } from '../../store/database.js';
import { readPublishedDocument } from '../../store/rows/page-revision-rows.js';
import { type PageRow, readDraft } from '../../store/rows/page-rows.js';
import { readStoredText } from './stored-document.js';

/** Ids of the sections of the draft and of what was published last, the trash included. */
export async function presentIds(reader: Reader, page: PageRow): Promise<ReadonlySet<string>> {
  const { resource, lastPublished: revision } = page;
  if (page.revision === 0) return new Set();
  const draft = await readDraft(reader, resource);
  // Where the draft is what was published there is nothing more to see.
  const isSame = page.lastPublished === 0 || page.publishedDraft === page.revision;
  const published = isSame ? null : await readPublishedDocument(reader, { resource, revision });
  const texts = [draft, published].filter((text) => text !== null);
  return new Set(texts.flatMap(idsOf));
}

/** Of a damaged document nothing is known: writing a good one over it must be possible. */
function idsOf(text: string): readonly string[] {
  const { value } = readStoredText(text);
  return value ? [...value.sections, ...value.trash].map(({ id }) => id) : [];
}
