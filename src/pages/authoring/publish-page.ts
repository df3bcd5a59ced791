/** Publishes the draft of a page: readers get a copy of it under a new number. */
import type { Tx } from '../../store/base/database.js';
import { findDraft, type PageRow } from '../models/pages.js';
import { type PageProblem, refuseProblems } from '../rules/page-problem.js';
import { publishProblems } from '../rules/publish-problems.js';
import type { SectionTypes } from '../rules/section-type.js';
import { announcePublication, type PageAuthoring } from './announce.js';
import { parseStoredDocument } from './documents.js';
import { type PageView, readPage, viewPage } from './page-view.js';
import { loadSectionTypes } from './section-types.js';
import { checkRevision, lockPage, noPage, putPublication } from './write-page.js';

interface PublishRequest {
  readonly resource: number;
  /** Expected revision of the draft; null = any. */
  readonly expected: number | null;
}

/**
 * The page under its new number. Throws not_found, conflict (revision_conflict), and validation_failed with every
 * required value that is missing.
 */
export async function publishPage(
  { store, by, tellReaders }: PageAuthoring,
  { resource, expected }: PublishRequest,
): Promise<PageView> {
  const published = await store.own.write(async (tx) => {
    const page = await lockPage(tx, resource);
    checkRevision(page, expected);
    const { text, problems } = await readDraftFor(tx, { page, types: await loadSectionTypes(tx) });
    refuseProblems(problems, `The page of resource ${resource} cannot be published`);
    await putPublication(tx, page, { document: text, restoredFrom: null, by });
    await announcePublication(tx);
    return readPage(tx, resource);
  });
  await tellReaders();
  return viewPage(store, published);
}

/** The draft, and what keeps it from being published. Throws not_found and refused. */
export async function readDraftFor(
  tx: Tx,
  { page, types }: { readonly page: PageRow; readonly types: SectionTypes },
): Promise<{ readonly text: string; readonly problems: readonly PageProblem[] }> {
  const text = await findDraft(tx, page.resource);
  if (text === null) throw noPage(page.resource);
  const document = parseStoredDocument(text, `The draft of resource ${page.resource}`);
  return { text, problems: publishProblems(document, types) };
}
