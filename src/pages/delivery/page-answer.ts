/** What the answer for one page depends on, and the fields that lists show as well. */
import { isoTimeOfMs } from '../../values/dates.js';
import { isVisible, type Visit } from '../rules/section-settings.js';
import type { FoundPage, PageState } from './find-page.js';
import type { LanguageLink } from './language-links.js';
import type { DeliveredPage } from './published-pages.js';
import type { TypesInForce } from './section-type-memory.js';

export const pageParts = ['document', 'values', 'html', 'sections', 'hreflang'] as const;
export type PagePart = (typeof pageParts)[number];

export interface PageShape {
  readonly include: ReadonlySet<PagePart>;
  readonly sectionTypes: ReadonlySet<string> | null;
}

export interface AnswerOf extends PageShape {
  readonly found: FoundPage;
  readonly page: DeliveredPage;
  readonly visit: Visit;
  readonly inForce: TypesInForce;
  /** Null unless they are included. */
  readonly hreflang: readonly LanguageLink[] | null;
}

/** Equal texts have equal answers. */
export function answerKey(asked: AnswerOf & { readonly found: PageState }): string {
  const { found, page, include, sectionTypes, visit, inForce, hreflang } = asked;
  const parts = pageParts.filter((part) => include.has(part)).join(',');
  const types = sectionTypes === null ? '*' : [...sectionTypes].sort().join(',');
  // The visit has unbounded values; only the few decisions that follow from it matter.
  const seen = page.conditional.map((section) => (isVisible(section, visit) ? '1' : '0')).join('');
  // Texts of a site come last and as JSON, so that they cannot be confused with other parts.
  return `${inForce.generation} ${parts} ${types} ${seen} ${found.text}${hreflang === null ? '' : JSON.stringify(hreflang)}`;
}

export function pageHead({ facts, publishedRevision, publishedOn }: FoundPage): Readonly<Record<string, unknown>> {
  return {
    resourceId: facts.id,
    publishedRevision,
    publishedAt: publishedOn === null ? null : isoTimeOfMs(publishedOn),
    resource: facts,
  };
}
