/**
 * Finds the resource that a page path means (docs/gateway.md#pages-by-uri), and where old addresses lead, as far as the
 * caller sees the pages (docs/gateway.md#moved-pages).
 */

import { Op } from 'sequelize';
import { invalidField } from '../../errors/app-error.js';
import type { Reader } from '../../store/base/database.js';
import { contextResources } from '../models/elements.js';
import { type RedirectRow, redirectDigest, redirects } from '../models/redirects.js';
import type { Caller } from '../query/authorize.js';
import type { RowPlan } from '../query/plan.js';
import { all, conditionsIn, fieldRef, hasAnyKey, type Predicate, type Scalar } from '../query/predicate.js';
import { longestPath, type PageCandidates, pageCandidates } from '../rules/uri.js';
import { attachAll } from './includes.js';
import { fitting } from './list-records.js';
import { isOneOf } from './read-record.js';
import { type ContentReader, foundRow, type LoadedRow, selectPlanned, selectPrepared } from './select-rows.js';

const deciding = ['uri', 'parent', 'menuindex'];

interface PagesAsked {
  readonly plan: RowPlan;
  readonly paths: readonly string[];
  readonly startPage: number;
  readonly caller: Caller;
}

/** For each path the first candidate with a visible row. Throws validation_failed, for `parameter`, for a long path. */
export async function findPages(reader: ContentReader, parameter: 'uri' | 'uris', asked: PagesAsked) {
  const { plan, paths, caller } = asked;
  if (paths.some((path) => Buffer.byteLength(path) > longestPath)) {
    throw invalidField(parameter, `must be at most ${longestPath} bytes long`);
  }
  const places = await findPlaces(reader, asked);
  const rows = places.flatMap(({ row }) => row ?? []);
  const { dependsOn, ...attached } = await attachAll(reader, { plan, rows: [...new Set(rows)], caller });
  const shown = fitting(rows);
  const rivals = places.flatMap((place) => place.rivals.map((where) => ({ definition: plan.definition, where })));
  return {
    rows: shown.map((row) => foundRow(row, plan)),
    isCutShort: shown.length < rows.length,
    missing: paths.filter((_path, at) => places[at]?.row === undefined),
    ...attached,
    dependsOn: [...dependsOn, ...rivals],
  };
}

export async function findPageIds(
  reader: ContentReader,
  asked: Omit<PagesAsked, 'caller'>,
): Promise<readonly (number | null)[]> {
  const places = await findPlaces(reader, asked);
  return places.map(({ row }) => (row === undefined ? null : Number(row.raw('id'))));
}

interface Place {
  readonly row: LoadedRow | undefined;
  /** Of this row, and of those that would take precedence if they existed. */
  readonly rivals: readonly Predicate[];
}

async function findPlaces(reader: ContentReader, asked: Omit<PagesAsked, 'caller'>): Promise<readonly Place[]> {
  const { plan } = asked;
  const wanted = asked.paths.map((path) => pageCandidates(path));
  const findStart = async () => {
    const start = { name: 'by id', field: 'id', values: [asked.startPage], visible: [plan.where] } as const;
    return (await selectBy(reader, plan, start))[0];
  };
  const start = wanted.some(({ startPage }) => startPage === 'first') ? await findStart() : undefined;
  const isHome = ({ startPage }: PageCandidates) => startPage === 'first' && start !== undefined;
  const others = wanted.filter((one) => !isHome(one));
  const byUri = await findByUri(reader, plan, others);
  const open = others.filter((one) => byUri(one) === undefined);
  const linked = open.length === 0 ? findNothing : await findLinked(reader, plan, open);
  const isLast = (one: PageCandidates) => one.startPage === 'last' && linked(one) === undefined;
  const last = open.some(isLast) ? await findStart() : undefined;
  const isStart = isOneOf(fieldRef(plan.definition, 'id'), [asked.startPage]);
  return wanted.map((one): Place => {
    const ofStart = one.startPage === 'no' ? [] : [isStart];
    if (isHome(one)) return { row: start, rivals: ofStart };
    const found = byUri(one);
    // Another row may get the URI, or become visible, and then take precedence.
    const ofUri = all([
      isOneOf(fieldRef(plan.definition, 'uri'), one.uris),
      ...(found ? [plan.where] : anyContext(plan)),
    ]);
    const row = found ?? linked(one) ?? (one.startPage === 'last' ? last : undefined);
    return { row, rivals: [ofUri, ...ofStart] };
  });
}

type FindRow = (wanted: PageCandidates) => LoadedRow | undefined;

const findNothing: FindRow = () => undefined;

async function findByUri(reader: ContentReader, plan: RowPlan, wanted: readonly PageCandidates[]): Promise<FindRow> {
  if (wanted.length === 0) return findNothing;
  const values = urisOf(reader, wanted);
  return best(await selectBy(reader, plan, { name: 'by uri', field: 'uri', values, visible: [plan.where] }));
}

/** A resource of another context is found only when it is linked to this one. */
async function findLinked(reader: ContentReader, plan: RowPlan, wanted: readonly PageCandidates[]): Promise<FindRow> {
  const links = await contextResources.on(reader.db, reader.prefix).lookUpAll({ contextKey: plan.context });
  const linked = new Set(links.map(({ resource }) => resource));
  if (linked.size === 0) return findNothing;
  // The same visibility, with the links instead of the context.
  const visible = anyContext(plan);
  const rows = await selectBy(reader, plan, { name: 'linked', field: 'uri', values: urisOf(reader, wanted), visible });
  // There may be more links than a statement can name; rows with the same URI are few.
  return best(rows.filter((row) => linked.has(Number(row.raw('id')))));
}

function urisOf({ dialect }: ContentReader, wanted: readonly PageCandidates[]): readonly Scalar[] {
  const [one] = wanted;
  const uris = one !== undefined && wanted.length === 1 ? one.uris : [...new Set(wanted.flatMap(({ uris }) => uris))];
  return dialect.formsOf?.(uris) ?? uris;
}

function anyContext(plan: RowPlan): readonly Predicate[] {
  const context = fieldRef(plan.definition, plan.definition.visibility.context ?? '');
  return conditionsIn(plan.where).filter((one) => one.kind !== 'compare' || one.ref.column !== context.column);
}

function selectBy(
  reader: ContentReader,
  plan: RowPlan,
  asked: Pick<Parameters<typeof selectPrepared>[2], 'name' | 'values'> & {
    readonly field: 'id' | 'uri';
    readonly visible: readonly Predicate[];
  },
) {
  const { name, field, values, visible } = asked;
  const where = (some: readonly Scalar[]) => all([isOneOf(fieldRef(plan.definition, field), some), ...visible]);
  return selectPrepared(reader, plan, { name, values, where, extra: deciding });
}

function best(rows: readonly LoadedRow[]): FindRow {
  if (rows.length === 0) return findNothing;
  const byUri = new Map<string, LoadedRow>();
  for (const row of rows) {
    const uri = String(row.raw('uri') ?? '');
    const known = byUri.get(uri);
    if (known === undefined || isBefore(row, known)) byUri.set(uri, row);
  }
  return ({ uris }) => {
    const first = uris.find((uri) => byUri.has(uri));
    return first === undefined ? undefined : byUri.get(first);
  };
}

function isBefore(row: LoadedRow, other: LoadedRow): boolean {
  for (const name of ['parent', 'menuindex', 'id']) {
    const difference = Number(row.raw(name)) - Number(other.raw(name));
    if (difference !== 0) return difference < 0;
  }
  return false;
}

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
