/** Lists published pages of a context (docs/pages.md#the-list) and their changes (docs/pages.md#the-change-feed). */
import type { Asker } from '../../clock/fair-queue.js';
import type { Predicate } from '../../content/query/predicate.js';
import { AppError } from '../../errors/app-error.js';
import { readAs } from '../../store/base/database.js';
import {
  type DeliverySite,
  deliverable,
  factsStatement,
  hasValue,
  idsStatement,
  readFacts,
  refOf,
} from './deliverable.js';
import { pageHead } from './page-answer.js';
import {
  type ChangesQuestion,
  countPageChanges,
  readPageChanges,
  readSiteRevision,
  type ToldPage,
} from './page-feed.js';
import {
  countPublishedResources,
  type ResourceRow,
  readPublishedIds,
  readPublishedResources,
  readResourcesOf,
} from './page-reads.js';

export interface ListQuestion {
  readonly context: string;
  /** Text in page title and alias, or an id; null for all. */
  readonly search: string | null;
  readonly asker: Asker;
  readonly limit: number;
  readonly offset: number;
}

export interface PageList {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
  /** Number of the last change of any page; the change feed continues from here. */
  readonly revision: number;
}

/** From here on an offset is slow. */
const farOffset = 1000;

export async function listPages(site: DeliverySite, question: ListQuestion): Promise<PageList> {
  // Read first: changes during the reading are then in the feed after this number.
  const revision = await readSiteRevision(site.store.own.primary);
  const { store } = site;
  const { rows, total } = await (store.own === store.content
    ? listTogether(site, question)
    : listApart(site, question));
  return { items: rows.map((row) => headOf(site, row)), total, revision };
}

interface Part {
  readonly rows: readonly ResourceRow[];
  readonly total: number;
}

async function listTogether(site: DeliverySite, question: ListQuestion): Promise<Part> {
  const { limit, offset, search } = question;
  const db = readAs(site.store.content.primary, question.asker);
  const resources = factsStatement(site, conditionsOf(site, question), heavyPart(question));
  const rows = await readPublishedResources(db, { resources, limit, offset });
  // The last part determines the total.
  if (rows.length < limit && (rows.length > 0 || offset === 0)) return { rows, total: offset + rows.length };
  const sought = search === null ? {} : { heavy: 'search' as const };
  const counted = await countPublishedResources(db, idsStatement(site, conditionsOf(site, question), sought));
  return { rows, total: Math.max(counted, rows.length > 0 ? offset + rows.length : 0) };
}

/** Statements over many rows must not hold up others. */
function heavyPart({ search, offset }: ListQuestion): { readonly heavy?: true | 'search' } {
  if (search !== null) return { heavy: 'search' };
  return offset >= farOffset ? { heavy: true } : {};
}

/** Two databases cannot be joined in SQL, so the ids are joined here. */
async function listApart(site: DeliverySite, question: ListQuestion): Promise<Part> {
  const { store } = site;
  const where = conditionsOf(site, question);
  const [published, seen] = await Promise.all([
    readPublishedIds(readAs(store.own.primary, question.asker)),
    readAs(store.content.primary, question.asker).select(
      idsStatement(site, where, { heavy: question.search === null ? true : 'search' }),
    ),
  ]);
  const visibleIds = new Set(seen.map(([id]) => Number(id)));
  const ids = published.filter((id) => visibleIds.has(id));
  const part = ids.slice(question.offset, question.offset + question.limit);
  const found = await readResourcesOf(site, part, where);
  const rows = part.flatMap((id) => found.get(id) ?? []).filter(({ publication }) => publication?.isPublished);
  return { rows, total: ids.length };
}

function conditionsOf(site: DeliverySite, { context, search }: ListQuestion): readonly Predicate[] {
  const within = deliverable(site).within(context);
  if (search === null) return [within];
  const inText: Predicate = { kind: 'contains', refs: [refOf(site, 'pagetitle'), refOf(site, 'alias')], text: search };
  const isId = /^(0|[1-9]\d{0,9})$/.test(search);
  return [within, isId ? { kind: 'any', of: [inText, hasValue(site, 'id', Number(search))] } : inText];
}

function headOf(site: DeliverySite, { row, publication }: ResourceRow): PageList['items'][number] {
  const { lastPublished: publishedRevision = 0, publishedOn = null } = publication ?? {};
  return pageHead({ facts: readFacts(site, row), publishedRevision, publishedOn });
}

export interface FeedQuestion extends ChangesQuestion {
  readonly limit: number;
  readonly asker: Asker;
}

export interface PageFeed extends PageList {
  readonly more: boolean;
}

/** Without pages that were never delivered there. Throws bad_request for a number that the site has not reached. */
export async function listChanges(site: DeliverySite, question: FeedQuestion): Promise<PageFeed> {
  const own = site.store.own.primary;
  // Before the changes: one that is committed in between is reported twice rather than missed.
  const current = await readSiteRevision(own);
  if (question.since > current) throw aheadOf(current);
  const changes = await readPageChanges(own, { ...question, limit: question.limit + 1 });
  const told = changes.slice(0, question.limit);
  const more = changes.length > told.length;
  const total = more ? await countPageChanges(readAs(own, question.asker), question) : told.length;
  // A page occurs once, with its last change, so a reader at the last number misses nothing.
  const revision = more ? (told.at(-1)?.siteRevision ?? question.since) : current;
  return { items: await itemsOf(site, question, told), total, revision, more };
}

/** With empty answers the reader would miss every change until the site has caught up. */
function aheadOf(current: number): AppError {
  return new AppError('bad_request', {
    message: `changed_since is ahead of this site, which is at revision ${current}: it is another one, or was put back to an earlier state; begin again with 0`,
  });
}

async function itemsOf(
  site: DeliverySite,
  { context }: FeedQuestion,
  told: readonly ToldPage[],
): Promise<PageList['items']> {
  const ids = told.filter(({ isDelivered }) => isDelivered).map(({ resource }) => resource);
  const found = await readResourcesOf(site, ids, [deliverable(site).within(context)]);
  return told.map(({ resource, lastPublished }) => {
    const row = found.get(resource);
    // The feed may lag: the next reconciliation records that the page is withdrawn.
    if (row?.publication?.isPublished) return headOf(site, row);
    return { resourceId: resource, publishedRevision: lastPublished, withdrawn: true };
  });
}
