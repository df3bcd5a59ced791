/** The list of published pages of a context (docs/pages.md#the-list), without their documents. */

import type { Predicate } from '../../content/query/predicate.js';
import type { Asker } from '../../store/base/fair-queue.js';
import { readAs } from '../../store/base/read-as.js';
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
import { readSiteRevision } from './page-feed.js';
import {
  countPublishedResources,
  type ResourceRow,
  readPublishedIds,
  readPublishedResources,
  readResourcesOf,
} from './page-reads.js';

export interface ListQuestion {
  readonly context: string;
  /** Text to look for in page title and alias, or an id; null for all. */
  readonly search: string | null;
  readonly asker: Asker;
  readonly limit: number;
  readonly offset: number;
}

export interface PageList {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  /** Pages that the question is about, over all parts. */
  readonly total: number;
  /** Number of the last change of any page; from here on the change feed tells what is new. */
  readonly revision: number;
}

/** From here on an offset is a long way to go. */
const farOffset = 1000;

/** One part of the list, by id. */
export async function listPages(site: DeliverySite, question: ListQuestion): Promise<PageList> {
  // The number first: what changes while the list is read is found again in the feed from this number on.
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
  // The last part tells the total by itself.
  if (rows.length < limit && (rows.length > 0 || offset === 0)) return { rows, total: offset + rows.length };
  const sought = search === null ? {} : { heavy: 'search' as const };
  const counted = await countPublishedResources(db, idsStatement(site, conditionsOf(site, question), sought));
  return { rows, total: Math.max(counted, rows.length > 0 ? offset + rows.length : 0) };
}

/** Whether so many rows may have to be looked at that others must not wait for them. */
function heavyPart({ search, offset }: ListQuestion): { readonly heavy?: true | 'search' } {
  if (search !== null) return { heavy: 'search' };
  return offset >= farOffset ? { heavy: true } : {};
}

/** Two databases cannot join: the ids of both are brought together here. */
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

/** What a list says of a page. */
export function headOf(site: DeliverySite, { row, publication }: ResourceRow): PageList['items'][number] {
  const { lastPublished: publishedRevision = 0, publishedOn = null } = publication ?? {};
  return pageHead({ facts: readFacts(site, row), publishedRevision, publishedOn });
}
