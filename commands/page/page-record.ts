/** Pages as records: the columns of the row, times as ISO 8601, and the title of their resource. */
import { timeValue } from '../../src/config/time-values.js';
import type { PageView } from '../../src/pages/authoring/page-view.js';
import type { PageProblem } from '../../src/pages/rules/page-problem.js';
import { formatPageProblem } from '../../src/pages/rules/page-problem.js';
import type { JsonRecord } from '../result.js';

export function pageRecord(page: PageView): JsonRecord {
  return {
    resource_id: page.resource,
    pagetitle: page.about?.pagetitle ?? null,
    context_key: page.about?.context ?? null,
    uri: page.about?.uri ?? null,
    state: page.state,
    revision: page.revision,
    published_revision: page.publishedRevision,
    last_published: page.lastPublished,
    published_on: isoTime(page.publishedOn),
    publish_on: isoTime(page.publishOn),
    unpublish_on: isoTime(page.unpublishOn),
    created_on: isoTime(page.createdOn),
    edited_on: isoTime(page.editedOn),
    edited_by: page.editedBy,
  };
}

/** `2026-11-21T09:30:00Z` of Unix milliseconds; null stays null. */
export function isoTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : timeValue.format(Math.floor(milliseconds / 1000));
}

/** Such as `page 42 "About us" (about.html)`. */
export function pageName({ resource, about }: PageView): string {
  return about === null ? `page ${resource}` : `page ${resource} "${about.pagetitle}" (${about.uri})`;
}

/** Values that are missing, as lines for people. */
export function missingNotes(missing: readonly PageProblem[], intro: string): readonly string[] {
  return missing.length === 0 ? [] : [intro, ...missing.map((problem) => `  ${formatPageProblem(problem)}`)];
}
