/** The sections that a page has already: they keep their ids, and may stay where new ones of their type may not be put. */

import type { Reader } from '../../store/base/database.js';
import { readPublishedDocument } from '../rows/page-revision-rows.js';
import { type PageRow, readDraft } from '../rows/page-rows.js';
import type { PageDocument } from '../rules/page-document.js';
import { readStoredText } from './stored-document.js';

export interface PresentSections {
  /** The draft; null where there is none, or where it is damaged: writing a good one over it must be possible. */
  readonly earlier: PageDocument | null;
  /** Ids of the sections of the draft and of what was published last, the trash included. */
  readonly presentIds: ReadonlySet<string>;
}

export async function readPresent(reader: Reader, page: PageRow | null): Promise<PresentSections> {
  if (page === null || page.revision === 0) return { earlier: null, presentIds: new Set() };
  const { resource, lastPublished: revision } = page;
  const earlier = documentOf(await readDraft(reader, resource));
  // Where the draft is what was published there is nothing more to see.
  const isSame = page.lastPublished === 0 || page.publishedDraft === page.revision;
  const published = isSame ? null : documentOf(await readPublishedDocument(reader, { resource, revision }));
  const sections = [earlier, published].flatMap((one) => (one ? [...one.sections, ...one.trash] : []));
  return { earlier, presentIds: new Set(sections.map(({ id }) => id)) };
}

function documentOf(text: string | null): PageDocument | null {
  return text === null ? null : readStoredText(text).value;
}
