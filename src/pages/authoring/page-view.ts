/** Pages, their publications and differences, as commands show them. */
import { col, Op, type WhereOptions } from 'sequelize';
import { AppError } from '../../errors/app-error.js';
import type { Reader } from '../../store/base/database.js';
import type { RowOf } from '../../store/models/model.js';
import type { Store } from '../../store/open/open.js';
import { batchesOf } from '../../values/batches.js';
import { parseJson } from '../../values/json.js';
import { findPublished, pageRevisions } from '../models/page-revisions.js';
import { findDraft, findPageRows, type PageRow, pageNumbers, pages } from '../models/pages.js';
import { diffPageDocuments, type SectionChange } from '../rules/page-diff.js';
import type { PageDocument } from '../rules/page-document.js';
import { formatPageProblem, type PageReading } from '../rules/page-problem.js';
import { readStoredDocument } from '../rules/read-page-document.js';
import { type PageResource, readPageResources } from './page-resources.js';
import { noPage } from './write-page.js';

export const pageStates = ['draft', 'published', 'changed', 'withdrawn'] as const;
export type PageState = (typeof pageStates)[number];

interface PageFilter {
  readonly resources?: readonly number[] | null;
  readonly state: PageState | null;
  readonly isPlanned: boolean;
}

export interface PageView extends PageRow {
  readonly state: PageState;
  readonly publishedRevision: number;
  readonly about: PageResource | null;
}

export async function loadPage(store: Store, resource: number): Promise<PageView> {
  return viewPage(store, await readPage(store.own.primary, resource));
}

/** A writer reads in its transaction: later, the page may have numbers of another writer. Throws not_found. */
export async function readPage(reader: Reader, resource: number): Promise<PageRow> {
  const [row] = await findPageRows(reader, [resource]);
  if (!row) throw noPage(resource);
  return row;
}

export async function viewPage(store: Store, row: PageRow): Promise<PageView> {
  return viewOf(row, (await readPageResources(store, [row.resource])).get(row.resource) ?? null);
}

export async function listPages(
  store: Store,
  { filter, ...part }: { readonly filter: PageFilter; readonly limit: number; readonly offset: number },
): Promise<{ readonly pages: readonly PageView[]; readonly total: number }> {
  const where = whereOf(filter);
  const found = pages.on(store.own.primary);
  const rows = await found.findAll({ attributes: pageNumbers, where, order: ['resource'], ...part });
  const about = new Map<number, PageResource>();
  for (const some of batchesOf(rows, batchSize)) {
    const ids = some.map(({ resource }) => resource);
    for (const [id, resource] of await readPageResources(store, ids)) about.set(id, resource);
  }
  const views = rows.map((row) => viewOf(row, about.get(row.resource) ?? null));
  return { pages: views, total: await found.count({ where }) };
}

const batchSize = 500;

const published = { isPublished: true };

const conditions: Readonly<Record<PageState, WhereOptions<PageRow>>> = {
  draft: { lastPublished: 0 },
  published: { ...published, revision: { [Op.eq]: col(pages.columnOf('publishedDraft')) } },
  changed: { ...published, revision: { [Op.ne]: col(pages.columnOf('publishedDraft')) } },
  withdrawn: { isPublished: false, lastPublished: { [Op.gt]: 0 } },
};

function whereOf({ resources = null, state, isPlanned }: PageFilter): WhereOptions<PageRow> {
  const planned = { [Op.or]: { publishOn: { [Op.ne]: null }, unpublishOn: { [Op.ne]: null } } };
  const named = resources === null ? {} : { resource: [...resources] };
  return { [Op.and]: [state === null ? {} : conditions[state], isPlanned ? planned : {}, named] };
}

function stateOf({ lastPublished, isPublished, revision, publishedDraft }: PageRow): PageState {
  if (lastPublished === 0) return 'draft';
  if (!isPublished) return 'withdrawn';
  return revision === publishedDraft ? 'published' : 'changed';
}

function viewOf(row: PageRow, about: PageResource | null): PageView {
  const publishedRevision = row.isPublished ? row.lastPublished : 0;
  return Object.freeze({ ...row, state: stateOf(row), publishedRevision, about });
}

interface HistoryEntry extends Pick<RowOf<typeof pageRevisions>, (typeof listed)[number]> {
  readonly isPublished: boolean;
}

/** Documents are too long for a list. */
const listed = ['revision', 'publishedOn', 'publishedBy', 'restoredFrom', 'size'] as const;

/** The newest first. Throws not_found for a resource without a page. */
export async function listHistory(
  store: Store,
  { resource, ...part }: { readonly resource: number; readonly limit: number; readonly offset: number },
): Promise<{ readonly page: PageView; readonly entries: readonly HistoryEntry[]; readonly total: number }> {
  const page = await loadPage(store, resource);
  const revisions = pageRevisions.on(store.own.primary);
  const where = { resource };
  const rows = await revisions.findAll({ attributes: listed, where, order: [['revision', 'DESC']], ...part });
  const total = await revisions.count({ where });
  const entries = rows.map((row) => ({ ...row, isPublished: row.revision === page.publishedRevision }));
  return { page, entries, total };
}

export type DocumentChoice = 'draft' | 'published' | number;

/** `name` is for people, such as `published 7`. Throws not_found, and refused when the document is damaged. */
export async function loadDocument(store: Store, page: PageView, choice: DocumentChoice) {
  const { resource } = page;
  const own = store.own.primary;
  if (choice === 'draft') {
    const text = await findDraft(own, resource);
    if (text === null) throw noPage(resource);
    return { document: parseStoredDocument(text, `The draft of resource ${resource}`), name: 'draft' };
  }
  const revision = choice === 'published' ? page.publishedRevision : choice;
  if (revision === 0) throw new AppError('not_found', { message: `The page of resource ${resource} is not published` });
  const text = await findPublished(own, { resource, revision });
  if (text === null) throw noRevision(resource, revision);
  const document = parseStoredDocument(text, `Publication ${revision} of resource ${resource}`);
  return { document, name: `published ${revision}` };
}

export function noRevision(resource: number, revision: number): AppError {
  return new AppError('not_found', {
    message: `Resource ${resource} was never published as revision ${revision}; hcd page history ${resource} lists them`,
  });
}

export interface Comparison {
  /** Names for people, such as `published 7` and `draft`. */
  readonly from: string;
  readonly to: string;
  readonly changes: readonly SectionChange[];
}

/** By default from the current publication to the draft. Throws not_found. */
export async function compareDocuments(
  store: Store,
  asked: { readonly resource: number; readonly from?: DocumentChoice; readonly to?: DocumentChoice },
): Promise<Comparison> {
  const page = await loadPage(store, asked.resource);
  // For a withdrawn page the last publication is the most useful one.
  const usual = page.publishedRevision > 0 ? 'published' : page.lastPublished;
  const from = await loadDocument(store, page, asked.from ?? (usual === 0 ? 'published' : usual));
  const to = await loadDocument(store, page, asked.to ?? 'draft');
  return { from: from.name, to: to.name, changes: diffPageDocuments(from.document, to.document) };
}

export function readStoredText(text: string): PageReading<PageDocument> {
  const given = parseJson(text);
  if (given === undefined) return { value: null, problems: [{ path: '', message: 'it is not JSON' }] };
  return readStoredDocument(given);
}

/** `name` says in refusals whose document it is. Throws refused when it is damaged. */
export function parseStoredDocument(text: string, name: string): PageDocument {
  const { value, problems } = readStoredText(text);
  if (value) return value;
  const [first] = problems;
  const why = first === undefined ? '' : `: ${formatPageProblem(first)}`;
  throw new AppError('refused', { message: `${name} is damaged${why}` });
}

/** Present sections keep their ids, and may stay where new ones of their type may not be put. */
interface PresentSections {
  /** Null without a draft, or with a damaged one: a good draft must be able to replace it. */
  readonly earlier: PageDocument | null;
  /** Of the draft and of the last publication, trash included. */
  readonly presentIds: ReadonlySet<string>;
}

export async function readPresent(reader: Reader, page: PageRow | null): Promise<PresentSections> {
  if (page === null || page.revision === 0) return { earlier: null, presentIds: new Set() };
  const { resource, lastPublished: revision } = page;
  const earlier = documentOf(await findDraft(reader, resource));
  // A draft that is published as it is has the same sections.
  const isSame = page.lastPublished === 0 || page.publishedDraft === page.revision;
  const published = isSame ? null : documentOf(await findPublished(reader, { resource, revision }));
  const sections = [earlier, published].flatMap((one) => (one ? [...one.sections, ...one.trash] : []));
  return { earlier, presentIds: new Set(sections.map(({ id }) => id)) };
}

function documentOf(text: string | null): PageDocument | null {
  return text === null ? null : readStoredText(text).value;
}
