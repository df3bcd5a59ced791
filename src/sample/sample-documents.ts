/** The documents of the sample site's pages with the ids of their resources, ready to be saved and published in order. */
import { type SampleDocument, sampleDocument } from './document.js';
import { frontDocuments } from './documents/front.js';
import { houseDocuments } from './documents/house.js';
import { serviceDocuments } from './documents/services.js';
import { sampleTree } from './sample-site.js';

export interface SamplePageDocuments {
  readonly resource: number;
  /** In the order of publishing; empty for a page that was never published. */
  readonly published: readonly SampleDocument[];
  /** A later draft; null when the last published document is the draft. */
  readonly draft: SampleDocument | null;
  /** Whether the page is unpublished at the end. */
  readonly withdrawn: boolean;
}

/** In the order in which they are published. */
export function samplePageDocuments(): readonly SamplePageDocuments[] {
  const { links } = sampleTree();
  return [...frontDocuments, ...houseDocuments, ...serviceDocuments].map(({ page, published, draft, withdrawn }) => ({
    resource: links.id(page),
    published: published.map((sections) => sampleDocument(page, sections(links))),
    draft: draft ? sampleDocument(page, draft(links)) : null,
    withdrawn: withdrawn === true,
  }));
}
