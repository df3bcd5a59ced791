/** Finds the page that a reader asks for. A withdrawn page is gone from the next request on. */

import { UnchangedReads } from '../../memory/seen-memory.js';
import type { Statement } from '../../store/base/database.js';
import { batchesOf, padded } from '../../values/batches.js';
import { gatheredRead } from '../../values/joined.js';
import { perObject } from '../../values/kept-values.js';
import { largestUnsigned } from '../../values/unsigned.js';
import {
  type Deliverable,
  type DeliverySite,
  deliverable,
  exists,
  factsStatement,
  hasId,
  hasValue,
  idsStatement,
  type ResourceFacts,
  readFacts,
} from './deliverable.js';
import {
  type ResourceRow,
  readResourcesApart,
  readResourcesOf,
  readResourcesWithPages,
  readResourceWithPage,
} from './page-reads.js';

export type PageName =
  | { readonly kind: 'id'; readonly id: number }
  | { readonly kind: 'alias' | 'either'; readonly text: string; readonly context: string };

export interface FoundPage {
  readonly facts: ResourceFacts;
  readonly publishedRevision: number;
  readonly publishedOn: number | null;
  /** Names the state: equal texts have equal members. Empty for a draft, which is not kept. */
  readonly text: string;
}

type PageSearch = FoundPage | 'missing' | 'not published';

const idForm = /^(0|[1-9]\d{0,9})$/;
/** Resources of one context with the same alias, in different folders. */
const mostNamesakes = 500;

/** Of several with the same alias the published one counts, then the smallest id. */
export async function findPage(site: DeliverySite, name: PageName): Promise<PageSearch> {
  const found = memoryOf(site)(deliverable(site));
  const state = found.state();
  const key = keyOf(name);
  const known = found.get(state, key);
  if (known !== undefined) return known;
  const result = await search(site, name);
  // The number of names that lead nowhere has no bound, so they are not kept.
  if (typeof result !== 'string') found.set(state, { key, value: result });
  return result;
}

/** Contexts have no spaces. */
function keyOf(name: PageName): string {
  return name.kind === 'id' ? `${name.id}` : `${name.kind} ${name.context} ${name.text}`;
}

/** About a kilobyte each. */
const mostFound = 5000;

const memoryOf = perObject(({ store }: DeliverySite) =>
  perObject(
    (_: Deliverable) => new UnchangedReads<string, FoundPage>([store.content.primary, store.own.primary], mostFound),
  ),
);

async function search(site: DeliverySite, name: PageName): Promise<PageSearch> {
  if (name.kind === 'alias') return byAlias(site, name);
  const id = name.kind === 'id' ? name.id : readId(name.text);
  if (id !== null) {
    // Requests of the same turn of the event loop are answered by one read.
    const found = toSearch(site, (await readerById(site)(id)) ?? null);
    // An id that exists means its resource: the address of a withdrawn page never shows another page.
    if (found !== 'missing' || name.kind === 'id' || (await exists(site, [hasId(site, [id])]))) return found;
  }
  return name.kind === 'id' ? 'missing' : byAlias(site, name);
}

/** Whether the name is one of a published resource that anonymous callers may not view. */
export async function isHidden(site: DeliverySite, name: PageName): Promise<boolean> {
  const where =
    name.kind === 'id'
      ? [hasId(site, [name.id])]
      : [hasValue(site, 'alias', name.text), hasValue(site, 'context_key', name.context)];
  return exists(site, [...where, deliverable(site).published]);
}

export function readId(text: string): number | null {
  const id = Number(text);
  return idForm.test(text) && id <= largestUnsigned ? id : null;
}

const mostTogether = 64;

const readerById = perObject((site: DeliverySite) => gatheredRead((ids: readonly number[]) => readByIds(site, ids)));

async function readByIds(site: DeliverySite, ids: readonly number[]): Promise<ReadonlyMap<number, ResourceRow>> {
  const { content, own } = site.store;
  const found = new Map<number, ResourceRow>();
  for (const some of batchesOf(ids, mostTogether)) {
    const resources = preparedIds(site, padded(some));
    const rows =
      own === content
        ? await readResourcesWithPages(content.primary, resources)
        : (await readResourcesApart(site, { resources, ids: some })).values();
    for (const one of rows) found.set(Number(one.row[0]), one);
  }
  return found;
}

const standIn = -1;

/** The statements that find resources by ids, by the number of ids; they are dropped with the conditions. */
const preparedFor = perObject<Deliverable, Map<number, Statement>>(() => new Map());

function preparedIds(site: DeliverySite, ids: readonly number[]): Statement {
  const conditions = deliverable(site);
  const bySize = preparedFor(conditions);
  const standIns = () => ids.map(() => standIn);
  const known = bySize.get(ids.length) ?? factsStatement(site, [hasId(site, standIns()), conditions.anywhere]);
  bySize.set(ids.length, known);
  return { ...known, params: known.params.toSpliced(known.params.indexOf(standIn), ids.length, ...ids) };
}

async function byAlias(
  site: DeliverySite,
  { text: alias, context }: { readonly text: string; readonly context: string },
): Promise<PageSearch> {
  const { content, own } = site.store;
  if (alias === '') return 'missing';
  const where = [hasValue(site, 'alias', alias), deliverable(site).within(context)];
  if (own === content) return toSearch(site, await readResourceWithPage(content.primary, factsStatement(site, where)));
  const namesakes = await content.primary.select(idsStatement(site, where, { limit: mostNamesakes }));
  const ids = namesakes.map(([id]) => Number(id));
  const found = await readResourcesOf(site, ids, where);
  const both = ids.flatMap((id) => found.get(id) ?? []);
  return toSearch(site, both.find(({ publication }) => publication?.isPublished) ?? both[0] ?? null);
}

function toSearch(site: DeliverySite, found: ResourceRow | null): PageSearch {
  if (found === null) return 'missing';
  const { publication, row } = found;
  if (!publication?.isPublished || publication.lastPublished === 0) return 'not published';
  const { lastPublished, publishedOn } = publication;
  const facts = readFacts(site, row);
  const text = `${facts.id}:${lastPublished}:${publishedOn ?? ''} ${JSON.stringify(facts)}`;
  return Object.freeze({ facts, publishedRevision: lastPublished, publishedOn, text });
}
