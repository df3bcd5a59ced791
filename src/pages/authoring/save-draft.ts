/** Saves the draft of a page: read strictly against the section types, and never over a draft that was saved since. */
import { randomId } from '../../crypto/random.js';
import type { Tx } from '../../store/base/database.js';
import type { PageRow } from '../models/pages.js';
import type { PageDocument } from '../rules/page-document.js';
import { type PageProblem, refuseProblems, requireValue } from '../rules/page-problem.js';
import { publishProblems } from '../rules/publish-problems.js';
import { readPageDocument } from '../rules/read-page-document.js';
import type { SectionTypes } from '../rules/section-type.js';
import { announcePublication, type PageAuthoring } from './announce.js';
import { readPresent } from './documents.js';
import { loadPageResource, type PageResource, placeOf } from './page-resources.js';
import { type PageView, readPage, viewPage } from './page-view.js';
import { loadSectionTypes } from './section-types.js';
import { lockOrCreatePage, putDraft, putPublication } from './write-page.js';

interface DraftRequest {
  readonly resource: number;
  /** The document as it was given. */
  readonly document: unknown;
  /** Revision of the draft that it was made from, 0 for a page without one; null does not ask. */
  readonly expected: number | null;
  readonly publish: boolean;
}

export interface SavedDraft {
  readonly page: PageView;
  /** What keeps the draft from being published. */
  readonly missing: readonly PageProblem[];
}

/**
 * The page with its new draft, published too when that was asked for. Throws not_found, validation_failed with every
 * problem by its path, and conflict (revision_conflict).
 */
export async function saveDraft(authoring: PageAuthoring, request: DraftRequest): Promise<SavedDraft> {
  const { store, by } = authoring;
  const { resource, expected, publish } = request;
  const about = await loadPageResource(store, resource);
  const { row, missing } = await store.own.write(async (tx) => {
    const types = await loadSectionTypes(tx);
    const page = await lockOrCreatePage(tx, { resource, by });
    const document = await readGiven(tx, { page, about, types, given: request.document });
    const problems = publishProblems(document, types);
    if (publish) refuseProblems(problems, `The page of resource ${resource} cannot be published`);
    const text = JSON.stringify(document);
    const saved = await putDraft(tx, page, { text, expected, by });
    if (publish) {
      await putPublication(tx, saved, { document: text, restoredFrom: null, by });
      await announcePublication(tx);
    }
    return { row: await readPage(tx, resource), missing: problems };
  });
  if (publish) await authoring.tellReaders();
  return { page: await viewPage(store, row), missing };
}

async function readGiven(
  tx: Tx,
  asked: {
    readonly page: PageRow;
    readonly about: PageResource;
    readonly types: SectionTypes;
    readonly given: unknown;
  },
): Promise<PageDocument> {
  const { page, about, types, given } = asked;
  const present = await readPresent(tx, page);
  const reading = readPageDocument(given, { types, makeId: randomId, place: placeOf(about), ...present });
  return requireValue(reading, 'The document cannot be saved');
}
