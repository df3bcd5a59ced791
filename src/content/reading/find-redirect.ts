/** Where old addresses lead, as far as the caller sees the pages (docs/gateway.md#moved-pages). */
import { Op } from 'sequelize';
import type { Reader } from '../../store/base/database.js';
import { type RedirectRow, redirectDigest, redirects } from '../models/redirects.js';
import type { RowPlan } from '../query/plan.js';
import { all, hasAnyKey } from '../query/predicate.js';
import { pageCandidates } from '../rules/uri.js';
import { findPageIds } from './find-page.js';
import { type ContentReader, selectPlanned } from './select-rows.js';

export interface Redirect {
  readonly from: string;
  /** The URI of a page of the context, or a whole address. */
  readonly to: string;
  readonly status: number;
}

interface Visible {
  readonly reader: ContentReader;
  readonly plan: RowPlan;
}

interface Sources extends Visible {
  readonly own: Reader;
}

/** Null when the address leads nowhere that the caller may see. The page of a path must be looked up before. */
export async function findRedirect(
  sources: Sources,
  path: string,
): Promise<(Redirect & { readonly page: number | null }) | null> {
  const { context } = sources.plan;
  const digest = [...new Set(pageCandidates(path).uris.map((uri) => redirectDigest(context, uri)))];
  const rows = await redirects.on(sources.own).lookUpAll({ digest });
  const [found] = await leadingRedirects(sources, rows);
  return found === undefined ? null : { ...found.redirect, page: found.page };
}

const batchSize = 100;
/** The home page has no old address. */
const noPage = 0;

/** In the order in which the addresses were left, without those that a page has again. `next` is null at the end. */
export async function listRedirects(
  sources: Sources,
  { after, limit }: { readonly after: number; readonly limit: number },
) {
  const { context } = sources.plan;
  const found: { readonly id: number; readonly redirect: Redirect }[] = [];
  for (let last = after; found.length <= limit; ) {
    const where = { context, id: { [Op.gt]: last } };
    const rows = await redirects.on(sources.own).findAll({ where, order: ['id'], limit: batchSize });
    found.push(...(await leadingRedirects(sources, await withoutTaken(sources, rows))));
    const end = rows.at(-1);
    if (end === undefined || rows.length < batchSize) break;
    last = end.id;
  }
  const shown = found.slice(0, limit);
  return {
    redirects: shown.map(({ redirect }) => redirect),
    next: found.length > limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

async function withoutTaken({ reader, plan }: Sources, rows: readonly RedirectRow[]): Promise<readonly RedirectRow[]> {
  const paths = rows.map(({ source }) => source);
  const pages = await findPageIds(reader, { plan, paths, startPage: noPage });
  return rows.filter((_row, at) => pages[at] === null);
}

async function leadingRedirects(sources: Sources, rows: readonly RedirectRow[]) {
  const ids = rows.flatMap(({ resource }) => resource ?? []);
  const uris = await readUris(sources, ids);
  return rows.flatMap(({ id, source: from, resource, target, status }) => {
    const to = resource === null ? target : uris.get(resource);
    return to === undefined || to === null || to === '' ? [] : [{ id, page: resource, redirect: { from, to, status } }];
  });
}

/** Of the pages that the plan lets see. */
export async function readUris(
  { reader, plan }: Visible,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const isAsked = hasAnyKey(plan.definition, [...new Set(ids)]);
  const pages = ids.length === 0 ? [] : await selectPlanned(reader, plan, all([isAsked, plan.where]));
  return new Map(pages.map((row) => [Number(row.raw('id')), String(row.raw('uri') ?? '')]));
}
