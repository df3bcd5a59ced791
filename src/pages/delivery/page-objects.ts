/** Makes the object of a page (docs/pages.md#one-page). Loaded late, with the template language and HTML parser. */
import type { Log } from '../../log/observation.js';
import { LruMap, perObject } from '../../values/kept-values.js';
import type { PageSection } from '../rules/page-document.js';
import {
  documentPart,
  htmlPart,
  keepSectionTypes,
  sectionsPart,
  valuesPart,
  visibleSections,
} from '../rules/page-parts.js';
import { notRendered, type RenderedSection, renderSections } from '../rules/render.js';
import { type AnswerOf, pageHead } from './page-answer.js';
import type { TypesInForce } from './section-type-memory.js';

export function pageObject(asked: AnswerOf, log: Log): Readonly<Record<string, unknown>> {
  const { found, page, include, sectionTypes, visit, inForce, hreflang } = asked;
  const kept = keepSectionTypes(page.document, sectionTypes);
  const seen = visibleSections(kept, visit);
  const rendering = include.has('html') || include.has('sections') ? render(asked, log) : null;
  const rendered = seen.map((section) => rendering?.get(section) ?? notRendered);
  return {
    ...pageHead(found),
    ...(include.has('document') ? { document: documentPart(kept) } : {}),
    ...(include.has('values') ? { values: valuesPart(seen, inForce.types) } : {}),
    ...(include.has('html') ? { html: htmlPart(rendered) } : {}),
    ...(include.has('sections') ? { sections: sectionsPart(seen, rendered) } : {}),
    ...(hreflang === null ? {} : { hreflang }),
  };
}

/** Includes hidden sections: all share one budget, so the result is always the same. */
function render({ page, inForce }: AnswerOf, log: Log): ReadonlyMap<PageSection, RenderedSection> {
  const { document, resource, revision } = page;
  const rendered = renderSections(document.sections, inForce.types);
  const rendering = new Map(document.sections.map((section, at) => [section, rendered[at] ?? notRendered]));
  const reported = reportedWith(inForce);
  if (reported.get(page.key)) return rendering;
  reported.set(page.key, true);
  for (const [{ id: section, type }, { failure: reason }] of rendering) {
    if (reason !== null) log({ kind: 'section_not_rendered', resource, revision, section, type, reason });
  }
  return rendering;
}

/** Keys of pages whose missing sections are in the log already. A draft is read again for each answer. */
const reportedWith = perObject((_: TypesInForce) => new LruMap<string, true>(10_000));
