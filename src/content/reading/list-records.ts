/** Lists records of one object. */
import type { JsonValue } from '../../values/json.js';
import type { Paging } from '../query/ast.js';
import type { Caller } from '../query/authorize.js';
import { compileCount, compileCountAmong } from '../query/compile.js';
import { after, readCursor, writeCursor } from '../query/cursor.js';
import type { ListPlan } from '../query/plan.js';
import { hasAnyKey, type Predicate, type Scalar } from '../query/predicate.js';
import { excerptOf } from '../rules/search-excerpt.js';
import { type CountedFrom, countCandidates, inTime, remembered } from './counts.js';
import { bestHits, conditionOf } from './find-words.js';
import { type Attached, attachAll } from './includes.js';
import { type Searched, searchMostWords } from './leave-out-words.js';
import {
  type ContentReader,
  type FoundRow,
  foundRow,
  keyColumn,
  type LoadedRow,
  type RecordJson,
  selectPrepared,
} from './select-rows.js';
import { type Access, findAccess, plainAccess, selectBy } from './tv-access.js';

export interface RecordList extends Attached {
  readonly rows: readonly FoundRow[];
  readonly total: number;
  /** Not all rows were counted: `total` is a lower bound. */
  readonly isTotalLeast: boolean;
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
  readonly missing: readonly number[] | null;
  /** As written; left out because no record has all words; null = none. */
  readonly leftOut: readonly string[] | null;
  /** The answer has no room for more, although the page has. */
  readonly isCutShort: boolean;
}

/** Throws validation_failed for a cursor that does not belong to the plan, unavailable without a store. */
export async function listRecords(
  reader: ContentReader,
  asked: {
    readonly plan: ListPlan;
    readonly paging: Paging;
    readonly caller: Caller;
    readonly mostTotal?: number;
  },
): Promise<RecordList> {
  const { paging, caller, mostTotal: most } = asked;
  const { plan, leftOut, page } = await readSearched(reader, { plan: asked.plan, paging, most });
  const { total, isTotalLeast } = page;
  const attached = await attachAll(reader, { plan, rows: page.rows, caller });
  const rows = fitting(page.rows);
  const isCutShort = rows.length < page.rows.length;
  const hasMore = page.hasMore || isCutShort;
  const last = plan.isRanked || plan.ids !== null ? undefined : rows.at(-1);
  return {
    ...attached,
    rows: rows.map((row) => foundRow(plan.withExcerpt ? withExcerpt(row, plan) : row, plan)),
    total,
    isTotalLeast,
    hasMore,
    missing: missingOf(page.rows, plan),
    leftOut,
    nextCursor: hasMore && last ? writeCursor(plan, sortValues(last, plan), reader.sign) : null,
    isCutShort,
    dependsOn: [{ definition: plan.definition, where: plan.where }, ...attached.dependsOn],
  };
}

interface AskedPage {
  readonly plan: ListPlan;
  readonly paging: Paging;
  readonly most: number | undefined;
}

interface Page extends Pick<RecordList, 'total' | 'isTotalLeast' | 'hasMore'> {
  readonly rows: readonly LoadedRow[];
}

async function readSearched(reader: ContentReader, { plan, paging, most }: AskedPage): Promise<Searched<Page>> {
  const access = plan.usesTvs ? await findAccess(reader, plan) : plainAccess;
  if (plan.words === null) return { plan, leftOut: null, page: await readPage(reader, { plan, paging, most, access }) };
  return searchMostWords({ plan, paging, sign: reader.sign }, async (searched) => {
    const asked = { plan: searched, paging, most };
    return (await readBest(reader, asked)) ?? (await readPage(reader, { ...asked, access }));
  });
}

async function readBest(reader: ContentReader, { plan, paging, most }: AskedPage): Promise<Page | null> {
  const { words, definition } = plan;
  if (words === null || !plan.isRanked || paging.kind !== 'offset') return null;
  const best = await bestHits(reader, { ...plan, words });
  if (best === null) return null;
  const end = paging.offset + paging.limit;
  const ids = best.ids.slice(paging.offset, end);
  const where = (values: readonly Scalar[]) => hasAnyKey(definition, values);
  const query = { name: 'best hits', values: ids, where, limit: paging.limit, heavy: false, extra: extraFields(plan) };
  const rows = ids.length === 0 ? [] : await selectPrepared(reader, plan, query);
  const total = Math.min(best.ids.length, most ?? Number.POSITIVE_INFINITY);
  return {
    rows: byKeys(rows, ids, plan),
    hasMore: best.ids.length > end,
    total: ids.length === 0 ? total : Math.max(total, paging.offset + ids.length),
    isTotalLeast: !best.areAll || total < best.ids.length,
  };
}

async function readPage(
  reader: ContentReader,
  { plan, paging, most, access }: AskedPage & { readonly access: Access },
): Promise<Page> {
  const cursor = paging.kind === 'cursor' ? readCursor(plan, paging.cursor, reader.sign) : null;
  const { words } = plan;
  const { where, counted } =
    words === null ? { where: plan.where, counted: null } : await conditionOf(reader, { ...plan, words });
  const question = {
    // Filters and paging are part of what a plan is remembered by: one statement per plan and page.
    name: `${paging.kind} ${paging.limit} ${paging.kind === 'cursor' ? paging.cursor : paging.offset}`,
    values: [],
    where: () => where,
    seek: cursor === null ? undefined : after(plan.order, cursor),
    rank: plan.isRanked ? plan.words : null,
    order: plan.order,
    // One row more than shown: whether there is a next page, without a count.
    limit: paging.limit + 1,
    offset: paging.kind === 'offset' ? paging.offset : 0,
    heavy: plan.heavy ? ('search' as const) : false,
    extra: extraFields(plan),
  };
  const asked = where === plan.where ? plan : { ...plan };
  // A list without template variables is read in one way only, so its name is enough.
  const found = await (plan.usesTvs
    ? selectBy(access, reader, { plan: asked, question, cursor })
    : selectPrepared(reader, asked, question));
  const rows = (plan.ids === null ? found : byKeys(found, plan.ids, plan)).slice(0, paging.limit);
  const hasMore = found.length > paging.limit;
  const page = { where, counted: access.counted ?? counted, paging, shown: rows.length, hasMore, most };
  const { total, isTotalLeast } = await totalOf(reader, plan, page);
  return { rows, hasMore, total, isTotalLeast };
}

function extraFields(plan: ListPlan): string[] {
  return plan.withExcerpt ? [...sortFields(plan), ...excerptFields] : sortFields(plan);
}

function sortFields({ sort }: ListPlan): string[] {
  return sort.map(({ field }) => field);
}

const excerptFields = ['content', 'introtext', 'description', 'longtitle', 'pagetitle'];

function withExcerpt(row: LoadedRow, { words }: ListPlan): LoadedRow {
  if (words === null) return row;
  const texts = excerptFields.map((name) => String(row.raw(name) ?? ''));
  return { ...row, record: { ...row.record, excerpt: excerptOf(texts, words) } };
}

function byKeys(rows: readonly LoadedRow[], keys: readonly number[], { definition }: ListPlan): readonly LoadedRow[] {
  const known = new Map(rows.map((row) => [Number(row.raw(definition.primaryKey)), row]));
  return keys.flatMap((key) => known.get(key) ?? []);
}

function missingOf(rows: readonly LoadedRow[], { ids, definition }: ListPlan): readonly number[] | null {
  if (ids === null) return null;
  const found = new Set(rows.map((row) => Number(row.raw(definition.primaryKey))));
  return ids.filter((id) => !found.has(id));
}

interface CountedPage extends Pick<Page, 'hasMore'>, Pick<AskedPage, 'paging' | 'most'> {
  readonly where: Predicate;
  readonly counted: CountedFrom | null;
  readonly shown: number;
}

async function totalOf(
  reader: ContentReader,
  plan: ListPlan,
  page: CountedPage,
): Promise<Pick<RecordList, 'total' | 'isTotalLeast'>> {
  const before = page.paging.kind === 'offset' ? page.paging.offset : 0;
  const known = before + page.shown + (page.hasMore ? 1 : 0);
  const isLast = !page.hasMore && (page.shown > 0 || before === 0);
  // The last page shows the total without a count, unless a cursor hides the number of earlier rows.
  if (isLast && page.paging.kind === 'offset') return { total: known, isTotalLeast: false };
  const { counted, most = Number.POSITIVE_INFINITY } = page;
  // A shared total may be a moment old: it never contradicts the rows that are shown.
  const shown = page.shown > 0 ? known : 0;
  const of = { table: reader.table(plan.definition), key: keyColumn(plan.definition) };
  const statement =
    counted === null
      ? compileCount({ ...of, where: page.where, most: page.most === undefined ? undefined : most + 1 }, reader.dialect)
      : compileCountAmong({ ...of, ...counted }, reader.dialect);
  const total = await inTime(remembered(reader, of.table.name, statement));
  if (total === null) return { total: shown, isTotalLeast: true };
  const isTotalLeast = total > most || (counted !== null && (await isCut(reader, plan, counted)));
  return { total: Math.max(Math.min(total, most), shown), isTotalLeast };
}

async function isCut(reader: ContentReader, plan: ListPlan, { candidates }: CountedFrom): Promise<boolean> {
  return (await countCandidates(reader, plan, { ...candidates, most: candidates.most + 1 })) > candidates.most;
}

function sortValues(row: LoadedRow, plan: ListPlan): (string | number | null)[] {
  return plan.sort.map((term) => {
    const value = row.raw(term.field);
    return typeof value === 'string' || typeof value === 'number' || value === null ? value : String(value);
  });
}

/** 8 MiB as JSON without what surrounds the records (docs/reference/gateway.md#cursors). */
const mostBytes = 8 * 1024 * 1024 - 65_536;

export function fitting<T extends { readonly record: RecordJson }>(rows: readonly T[]): readonly T[] {
  // Most lists are far smaller: they need not be serialised twice.
  if (rows.reduce((sum, { record }) => sum + mostBytesOf(record), 0) <= mostBytes) return rows;
  let bytes = 0;
  const end = rows.findIndex(({ record }) => {
    bytes += Buffer.byteLength(JSON.stringify(record)) + 1;
    return bytes > mostBytes;
  });
  return end < 0 ? rows : rows.slice(0, Math.max(1, end));
}

/** No character takes more than six bytes, and no number more than 24. */
function mostBytesOf(value: JsonValue | RecordJson): number {
  if (typeof value === 'string') return 6 * value.length + 3;
  if (typeof value !== 'object' || value === null) return 25;
  let bytes = 3;
  for (const name of Object.keys(value)) bytes += 6 * name.length + 4 + mostBytesOf(value[name as never]);
  return bytes;
}
