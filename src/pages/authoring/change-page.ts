/** Saves, publishes, restores, unpublishes and plans a page. */
import { randomId } from '../../crypto/primitives.js';
import { invalidField } from '../../errors/app-error.js';
import type { Tx } from '../../store/base/database.js';
import { readNow } from '../../store/state/state.js';
import { findPublished } from '../models/page-revisions.js';
import { findDraft, type PageRow, updatePage } from '../models/pages.js';
import {
  type PageProblem,
  publishProblems,
  refuseProblems,
  requireValue,
  type Sanitised,
} from '../rules/page-problem.js';
import { readPageDocument } from '../rules/read-page-document.js';
import type { SectionTypes } from '../rules/section-type.js';
import { findPlace, loadPageResource } from './page-resources.js';
import { noRevision, type PageView, parseStoredDocument, readPage, readPresent, viewPage } from './page-view.js';
import { loadSectionTypes } from './section-types.js';
import {
  announcePublication,
  checkRevision,
  lockOrCreatePage,
  lockPage,
  nextSiteRevision,
  noPage,
  type PageAuthoring,
  type PageEvent,
  putDraft,
  putPublication,
} from './write-page.js';

interface Change<T> {
  readonly resource: number;
  readonly publishes: boolean;
  readonly work: (tx: Tx, page: PageRow) => Promise<T>;
  readonly lock?: (tx: Tx, resource: number) => Promise<PageRow>;
}

async function changePage<T>(
  { store, tellReaders }: PageAuthoring,
  { resource, publishes, work, lock = lockPage }: Change<T>,
): Promise<{ readonly page: PageView; readonly isPublished: boolean; readonly result: T }> {
  const place = publishes ? await findPlace(store, resource) : null;
  const { row, isPublished, result } = await store.own.write(async (tx) => {
    const before = await lock(tx, resource);
    const result = await work(tx, before);
    const row = await readPage(tx, resource);
    const { lastPublished } = row;
    const isPublished = lastPublished > before.lastPublished;
    if (isPublished) await announcePublication(tx, { action: 'published', resource, lastPublished, place });
    return { row, isPublished, result };
  });
  if (isPublished) await tellReaders();
  return { page: await viewPage(store, row), isPublished, result };
}

interface DraftRequest {
  readonly resource: number;
  readonly document: unknown;
  /** Revision of the draft that it was made from, 0 for a page without one; null accepts any. */
  readonly expected: number | null;
  readonly publish: boolean;
}

export interface SavedDraft {
  readonly page: PageView;
  readonly missing: readonly PageProblem[];
  readonly sanitised: readonly Sanitised[];
}

/** Throws not_found, validation_failed with every problem by its path, and conflict (revision_conflict). */
export async function saveDraft(authoring: PageAuthoring, request: DraftRequest): Promise<SavedDraft> {
  const { store, by } = authoring;
  const { resource, expected, publish } = request;
  const about = await loadPageResource(store, resource);
  const { page, result } = await changePage(authoring, {
    resource,
    publishes: publish,
    lock: (tx) => lockOrCreatePage(tx, { resource, by }),
    async work(tx, row) {
      const types = await loadSectionTypes(tx);
      const rules = { types, makeId: randomId, place: about, ...(await readPresent(tx, row)) };
      const reading = readPageDocument(request.document, rules);
      const document = requireValue(reading, 'The document cannot be saved');
      const problems = publishProblems(document, types);
      if (publish) refuseProblems(problems, `The page of resource ${resource} cannot be published`);
      const text = JSON.stringify(document);
      const saved = await putDraft(tx, row, { text, expected, by });
      if (publish) await putPublication(tx, saved, { document: text, restoredFrom: null, by });
      return { missing: problems, sanitised: reading.sanitised };
    },
  });
  return { page, ...result };
}

interface PublishRequest {
  readonly resource: number;
  readonly expected: number | null;
}

/** With `onlyChanges` an unchanged draft gets no number. Throws not_found, conflict and validation_failed. */
export async function publishPage(
  authoring: PageAuthoring,
  { resource, expected, onlyChanges = false }: PublishRequest & { readonly onlyChanges?: boolean },
): Promise<PageView & { readonly isNew: boolean }> {
  const work = async (tx: Tx, row: PageRow): Promise<void> => {
    checkRevision(row, expected);
    const { text, problems } = await readDraftFor(tx, { page: row, types: await loadSectionTypes(tx) });
    refuseProblems(problems, `The page of resource ${resource} cannot be published`);
    const isSame = row.isPublished && text === (await findPublished(tx, { resource, revision: row.lastPublished }));
    if (!onlyChanges || !isSame)
      await putPublication(tx, row, { document: text, restoredFrom: null, by: authoring.by });
    else if (row.publishOn !== null) await updatePage(tx, resource, { publishOn: null, failedDraft: null });
  };
  const { page, isPublished } = await changePage(authoring, { resource, publishes: true, work });
  return { ...page, isNew: isPublished };
}

/** Throws not_found and refused. */
export async function readDraftFor(
  tx: Tx,
  { page, types }: { readonly page: PageRow; readonly types: SectionTypes },
): Promise<{ readonly text: string; readonly problems: readonly PageProblem[] }> {
  const text = await findDraft(tx, page.resource);
  if (text === null) throw noPage(page.resource);
  const document = parseStoredDocument(text, `The draft of resource ${page.resource}`);
  return { text, problems: publishProblems(document, types) };
}

/** Uses a new number, even if a type requires more today. Throws not_found. */
export async function rollBackPage(
  authoring: PageAuthoring,
  { resource, revision }: { readonly resource: number; readonly revision: number },
): Promise<Omit<SavedDraft, 'sanitised'>> {
  const { by } = authoring;
  const work = async (tx: Tx, row: PageRow): Promise<readonly PageProblem[]> => {
    const text = await findPublished(tx, { resource, revision });
    if (text === null) throw noRevision(resource, revision);
    const document = parseStoredDocument(text, `Publication ${revision} of resource ${resource}`);
    const saved = await putDraft(tx, row, { text, expected: null, by });
    await putPublication(tx, saved, { document: text, restoredFrom: revision, by });
    return publishProblems(document, await loadSectionTypes(tx));
  };
  const { page, result } = await changePage(authoring, { resource, publishes: true, work });
  return { page, missing: result };
}

/** Cancels plans too, so that the page does not come back. Throws not_found. */
export async function withdrawPage(authoring: PageAuthoring, resource: number) {
  const place = await findPlace(authoring.store, resource);
  const work = async (tx: Tx, row: PageRow) => {
    const { isPublished, publishOn, unpublishOn } = row;
    const wasPlanned = publishOn !== null || unpublishOn !== null;
    if (wasPlanned) await updatePage(tx, resource, { publishOn: null, unpublishOn: null });
    if (isPublished) await putWithdrawal(tx, row, { place });
    return { wasPublished: isPublished, wasPlanned };
  };
  const { page, result } = await changePage(authoring, { resource, publishes: false, work });
  return { page, ...result };
}

/** The transaction holds the page locked. Webhooks get an event unless `told` is null. */
export async function putWithdrawal(
  tx: Tx,
  { resource, lastPublished }: Pick<PageRow, 'resource' | 'lastPublished'>,
  told: Pick<PageEvent, 'place'> | null,
): Promise<void> {
  const siteRevision = await nextSiteRevision(tx);
  await updatePage(tx, resource, { isPublished: false, isDelivered: false, siteRevision, unpublishOn: null });
  await announcePublication(tx, told && { action: 'withdrawn', resource, lastPublished, ...told });
}

export type PlannedStep = 'publish' | 'withdraw';

export interface PlanRequest extends PublishRequest {
  readonly step: PlannedStep;
  /** Unix milliseconds; null cancels the plan. */
  readonly at: number | null;
}

/** Checks the current draft, so that the caller sees its problems. Throws not_found, conflict and validation_failed. */
export async function planPage(authoring: PageAuthoring, request: PlanRequest): Promise<PageView> {
  const { resource, step, at, expected } = request;
  const work = async (tx: Tx, row: PageRow): Promise<void> => {
    checkRevision(row, expected);
    if (at !== null && at <= (await readNow(tx))) {
      throw invalidField('at', 'The time must be in the future; without it the page changes now');
    }
    if (step === 'publish' && at !== null) {
      const { problems } = await readDraftFor(tx, { page: row, types: await loadSectionTypes(tx) });
      refuseProblems(problems, `The page of resource ${resource} could not be published now`);
    }
    await updatePage(tx, resource, step === 'publish' ? { publishOn: at, failedDraft: null } : { unpublishOn: at });
  };
  return (await changePage(authoring, { resource, publishes: false, work })).page;
}
