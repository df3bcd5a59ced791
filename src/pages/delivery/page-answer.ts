/**
 * Makes the answer for one page: the parts that are asked for, as the sections that the request sees allow
 * (docs/pages.md#one-page).
 */
import { isoTimeOfMs } from '../../values/dates.js';
import {
  documentPart,
  htmlPart,
  keepSectionTypes,
  sectionsPart,
  valuesPart,
  visibleSections,
} from '../rules/page-parts.js';
import { notRendered } from '../rules/render.js';
import { isVisible, type Visit } from '../rules/section-settings.js';
import type { FoundPage, PageState } from './find-page.js';
import type { PublishedPage, PublishedPages } from './published-pages.js';
import type { TypesInForce } from './section-type-memory.js';

/** In the order in which an answer has them. */
export const pageParts = ['document', 'values', 'html', 'sections'] as const;
export type PagePart = (typeof pageParts)[number];

export interface PageShape {
  readonly include: ReadonlySet<PagePart>;
  /** Types of the sections to keep; null keeps all. */
  readonly sectionTypes: ReadonlySet<string> | null;
}

export interface AnswerOf extends PageShape {
  readonly found: PageState;
  readonly page: PublishedPage;
  readonly visit: Visit;
  readonly inForce: TypesInForce;
}

/** What the answer depends on, as a text: equal texts have equal answers. */
export function answerKey({ found, page, include, sectionTypes, visit, inForce }: AnswerOf): string {
  const parts = pageParts.filter((part) => include.has(part)).join(',');
  const types = sectionTypes === null ? '*' : [...sectionTypes].sort().join(',');
  // Not the visit itself, whose values are unbounded, but the few decisions that follow from it.
  const seen = page.conditional.map((section) => (isVisible(section, visit) ? '1' : '0')).join('');
  // Texts of a site come last and as JSON, so that they cannot be confused with other parts.
  return `${inForce.generation} ${parts} ${types} ${seen} ${found.text}`;
}

/** The page object of the envelope. */
export function pageObject(asked: AnswerOf, pages: PublishedPages): Readonly<Record<string, unknown>> {
  const { found, page, include, sectionTypes, visit, inForce } = asked;
  const kept = keepSectionTypes(page.document, sectionTypes);
  const seen = visibleSections(kept, visit);
  const rendering = include.has('html') || include.has('sections') ? pages.render(page, inForce) : null;
  const rendered = seen.map((section) => rendering?.get(section) ?? notRendered);
  return {
    ...pageHead(found),
    ...(include.has('document') ? { document: documentPart(kept) } : {}),
    ...(include.has('values') ? { values: valuesPart(seen, inForce.types) } : {}),
    ...(include.has('html') ? { html: htmlPart(rendered) } : {}),
    ...(include.has('sections') ? { sections: sectionsPart(seen, rendered) } : {}),
  };
}

/** The fields that a list also shows. */
export function pageHead({ facts, publishedRevision, publishedOn }: FoundPage): Readonly<Record<string, unknown>> {
  return {
    resourceId: facts.id,
    publishedRevision,
    publishedAt: publishedOn === null ? null : isoTimeOfMs(publishedOn),
    resource: facts,
  };
}
