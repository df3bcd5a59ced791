/**
 * The numbers of a page: a draft's own, and those under which it was published. A published number is used once:
 * withdrawing a page and publishing it again goes on counting (docs/reference/pages.md#numbers).
 */
import { AppError } from '../../errors/app-error.js';

export interface PageRevisions {
  /** Of the draft; grows with every save. */
  readonly revision: number;
  /** The last number under which the page was published; 0 before the first time. */
  readonly lastPublished: number;
  /** Whether that one is being delivered. */
  readonly isPublished: boolean;
}

export const newPageRevisions: PageRevisions = Object.freeze({ revision: 0, lastPublished: 0, isPublished: false });

/** What readers see as publishedRevision: 0 for a page that is not delivered. */
export function publishedRevision({ lastPublished, isPublished }: PageRevisions): number {
  return isPublished ? lastPublished : 0;
}

/** After saving a draft that was made from `expected`; null does not ask. Throws conflict when another came first. */
export function saveRevisions(revisions: PageRevisions, expected: number | null): PageRevisions {
  if (expected !== null && expected !== revisions.revision) {
    throw new AppError('conflict', { message: `revision_conflict: the draft is at revision ${revisions.revision}` });
  }
  return { ...revisions, revision: revisions.revision + 1 };
}

/** After publishing the draft. */
export function publishRevisions(revisions: PageRevisions): PageRevisions {
  return { ...revisions, lastPublished: revisions.lastPublished + 1, isPublished: true };
}

/** After withdrawing the page; its number stays used. */
export function withdrawRevisions(revisions: PageRevisions): PageRevisions {
  return { ...revisions, isPublished: false };
}
