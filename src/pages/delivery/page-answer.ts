/** What the answer for one page depends on, and the fields that lists show as well. */

import { translationFields } from '../../content/objects/core-objects.js';
import type { RecordJson } from '../../content/reading/select-rows.js';
import { loadTranslations } from '../../content/reading/translations.js';
import { isoTimeOfMs } from '../../values/dates.js';
import { findPageRows } from '../models/pages.js';
import { isVisible, type Visit } from '../rules/section-settings.js';
import { type DeliverySite, deliverable } from './deliverable.js';
import type { FoundPage } from './find-page.js';
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
  readonly hreflang: readonly LanguageLink[] | null;
}

/** Equal texts have equal answers. */
export function answerKey(asked: AnswerOf): string {
  const { found, page, include, sectionTypes, visit, inForce, hreflang } = asked;
  const parts = pageParts.filter((part) => include.has(part)).join(',');
  const types = sectionTypes === null ? '*' : [...sectionTypes].sort().join(',');
  // The visit has unbounded values; only the few decisions that follow from it matter.
  const seen = page.conditional.map((section) => (isVisible(section, visit) ? '1' : '0')).join('');
  // Texts of a site come last and as JSON, so that they cannot be confused with other parts.
  return `${inForce.generation} ${parts} ${types} ${seen} ${found.text}${hreflang === null ? '' : JSON.stringify(hreflang)}`;
}

export function pageHead({
  facts,
  publishedRevision,
  publishedOn,
}: Omit<FoundPage, 'text'>): Readonly<Record<string, unknown>> {
  return {
    resourceId: facts.id,
    publishedRevision,
    publishedAt: publishedOn === null ? null : isoTimeOfMs(publishedOn),
    resource: facts,
  };
}

type LanguageLink = RecordJson;

/** The one in the context of the site comes once more, as `x-default`. */
export async function languageLinks(site: DeliverySite, id: number): Promise<readonly LanguageLink[]> {
  const { reader, registry, store, live } = site;
  const asked = { target: registry.resources, where: deliverable(site).anywhere, fields: translationFields };
  const rows = (await loadTranslations(reader, asked, [id])).byKey.get(id) ?? [];
  const ids = rows.map(({ record }) => Number(record['id']));
  const pages = await findPageRows(store.own.primary, ids);
  const delivered = new Set(pages.flatMap(({ resource, isPublished }) => (isPublished ? resource : [])));
  const links = rows.map(({ record }) => record).filter((one) => delivered.has(Number(one['id'])));
  const usual = live().settings.values.gateway_context;
  const ofSite = links.filter(({ context }) => context === usual);
  return [...links, ...ofSite.map((link) => ({ ...link, language: 'x-default' }))];
}
