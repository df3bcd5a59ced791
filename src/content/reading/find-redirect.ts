/** Where old addresses lead, as far as the caller sees the pages (docs/gateway.md#moved-pages). */
import { Op } from 'sequelize';
import type { Reader } from '../../store/base/database.js';
import { type RedirectRow, redirectDigest, redirects } from '../models/redirects.js';
import type { RowPlan } from '../query/plan.js';
import { all, fieldRef } from '../query/predicate.js';
import { pageCandidates } from '../rules/uri.js';
import { isOneOf } from './read-record.js';
import { type ContentReader, type LoadedRow, selectPlanned } from './select-rows.js';

export interface Redirect {
  readonly from: string;
  /** The URI of a page of the context, or a whole address. */
  readonly to: string;
  readonly status: number;
}

interface Visible {
  readonly reader: ContentReader;
  /** Of resources, with the caller's rights. */
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

interface RedirectList {
  readonly redirects: readonly Redirect[];
  /** Continues after the last one; null at the end. */
  readonly next: number | null;
}

const together = 100;

/** In the order in which the addresses were left, without those that a page has again. */
export async function listRedirects(
  sources: Sources,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<RedirectList> {
  const { context } = sources.plan;
  const found: { readonly id: number; readonly redirect: Redirect }[] = [];
  for (let last = after; found.length <= limit; ) {
    const where = { context, id: { [Op.gt]: last } };
    const rows = await redirects.on(sources.own).findAll({ where, order: ['id'], limit: together });
    found.push(...(await leadingRedirects(sources, await withoutTaken(sources, rows))));
    const end = rows.at(-1);
    if (end === undefined || rows.length < together) break;
    last = end.id;
  }
  const shown = found.slice(0, limit);
  return {
    redirects: shown.map(({ redirect }) => redirect),
    next: found.length > limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

async function withoutTaken(sources: Sources, rows: readonly RedirectRow[]): Promise<readonly RedirectRow[]> {
  const forms = rows.map(({ source }) => pageCandidates(source).uris);
  const pages = await selectVisible(sources, 'uri', [...new Set(forms.flat())]);
  const taken = new Set(pages.map((row) => String(row.raw('uri'))));
  return rows.filter((_row, at) => !forms[at]?.some((uri) => taken.has(uri)));
}

async function leadingRedirects(sources: Sources, rows: readonly RedirectRow[]) {
  const uris = await readUris(
    sources,
    rows.flatMap(({ resource }) => resource ?? []),
  );
  return rows.flatMap(({ id, source: from, resource, target, status }) => {
    const to = resource === null ? target : uris.get(resource);
    return to === undefined || to === null || to === '' ? [] : [{ id, page: resource, redirect: { from, to, status } }];
  });
}

/** Of the pages that the plan lets see. */
export async function readUris(sources: Visible, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const pages = await selectVisible(sources, 'id', [...new Set(ids)]);
  return new Map(pages.map((row) => [Number(row.raw('id')), String(row.raw('uri') ?? '')]));
}

async function selectVisible(
  { reader, plan }: Visible,
  field: 'id' | 'uri',
  values: readonly (string | number)[],
): Promise<LoadedRow[]> {
  if (values.length === 0) return [];
  return selectPlanned(reader, plan, all([isOneOf(fieldRef(plan.definition, field), values), plan.where]));
}
