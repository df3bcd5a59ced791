/** How lists by template variables find their rows: by other conditions, by the index of values, or row by row. */
import { invalidField } from '../../errors/app-error.js';
import { compileCount } from '../query/compile.js';
import { after } from '../query/cursor.js';
import type { ListPlan } from '../query/plan.js';
import { looksAtTvs } from '../query/plan-filter.js';
import {
  all,
  type ColumnRef,
  conditionsIn,
  mayScan,
  type OrderTerm,
  type Predicate,
  type Scalar,
} from '../query/predicate.js';
import type { TvDriver } from '../query/sql-statement.js';
import { type CountedFrom, countCandidates, mostCandidates, remembered } from './counts.js';
import { type ContentReader, keyColumn, type LoadedRow, selectPrepared } from './select-rows.js';

export interface Access {
  /** In the order of the first sort's values; rows without a value are last. */
  readonly isByValue: boolean;
  readonly driver: TvDriver | null;
  readonly counted: CountedFrom | null;
  readonly isWalk: boolean;
}

export const plainAccess: Access = Object.freeze({ isByValue: false, driver: null, counted: null, isWalk: false });

const few = 500;

/** Throws validation_failed if the index of values is in another database. */
export async function findAccess(reader: ContentReader, plan: ListPlan): Promise<Access> {
  if (reader.words !== null) {
    const problem =
      "by a template variable needs the program's tables in the database of the content, and here they are in another one (HCD_OWN_DATABASE_URL); use fields, or choose by the values that include=tvs gives";
    throw invalidField(plan.order.some(({ ref }) => ref.tv !== undefined) ? 'sort' : 'filter', problem);
  }
  if (plan.words !== null || mayScan(plan.where)) return plainAccess;
  const parts = conditionsIn(plan.where);
  const candidates = candidatesOf(parts);
  const [best] = candidates;
  const ofTvs = parts.filter(looksAtTvs);
  const rest = all(parts.filter((part) => !looksAtTvs(part)));
  const table = reader.table(plan.definition);
  const key = keyColumn(plan.definition);
  const countRest = compileCount({ table, key, where: rest, most: few + 1 }, reader.dialect);
  if ((await remembered(reader, table.name, { ...countRest, heavy: false })) <= few) return plainAccess;
  const countedFrom = ({ driver, where }: Candidate): CountedFrom => ({
    candidates: { driver, among: all(where), most: mostCandidates },
    where: all(parts.filter((part) => !where.includes(part))),
  });
  const countedByRows = { candidates: { driver: null, among: rest, most: mostCandidates }, where: all(ofTvs) };
  let counted = ofTvs.length === 0 ? null : best === undefined ? countedByRows : countedFrom(best);
  const sorted = plan.order[0]?.ref.tv;
  for (const candidate of candidates) {
    const { driver, where } = candidate;
    if ((await countCandidates(reader, plan, { driver, among: all(where), most: few + 1 })) > few) continue;
    counted = countedFrom(candidate);
    if (driver.tv.id !== sorted?.id) return { isByValue: false, driver, counted, isWalk: false };
  }
  if (sorted !== undefined) return { isByValue: true, driver: { tv: sorted }, counted, isWalk: false };
  // Equal values are in the order of the keys.
  const isInOrder = best?.rank === 0 && plan.order.length === 1;
  if (isInOrder) return { isByValue: false, driver: best.driver, counted, isWalk: false };
  return { isByValue: false, driver: null, counted, isWalk: true };
}

interface Candidate {
  readonly driver: TvDriver;
  readonly where: readonly Predicate[];
  /** 0 for one value. */
  readonly rank: number;
}

function candidatesOf(parts: readonly Predicate[]): readonly Candidate[] {
  const found = new Map<unknown, Candidate>();
  for (const one of parts.flatMap(driverOf)) {
    const of = one.driver.member ?? one.driver.tv.id;
    const known = found.get(of);
    const better = known === undefined || one.rank < known.rank ? one : known;
    found.set(of, { ...better, where: [...(known?.where ?? []), ...one.where] });
  }
  return [...found.values()].sort((one, other) => one.rank - other.rank);
}

function driverOf(where: Predicate): readonly Candidate[] {
  if (where.kind === 'tv_member') {
    const { member, negated } = where;
    const isOne = member.kind === 'compare' && member.comparison === 'eq' && member.ref.tv !== undefined;
    return isOne && !negated && member.ref.tv
      ? [{ driver: { tv: member.ref.tv, member: where }, where: [where], rank: 0 }]
      : [];
  }
  if (where.kind !== 'compare' && where.kind !== 'in' && where.kind !== 'null') return [];
  const { tv } = where.ref;
  if (tv === undefined || (where.kind === 'null' && !where.negated)) return [];
  return [{ driver: { tv }, where: [where], rank: rankOf(where) }];
}

function rankOf(where: Extract<Predicate, { kind: 'compare' | 'in' | 'null' }>): number {
  if (where.kind === 'null') return 4;
  if (where.kind === 'in') return where.negated ? 3 : 1;
  return where.comparison === 'eq' ? 0 : where.comparison === 'neq' ? 3 : 2;
}

interface Asked {
  readonly plan: ListPlan;
  readonly question: Omit<Parameters<typeof selectPrepared>[2], 'where'> & {
    readonly where: () => Predicate;
    readonly order: readonly OrderTerm[];
    readonly limit: number;
    readonly offset: number;
  };
  readonly cursor: readonly (Scalar | null)[] | null;
}

export async function selectBy(
  access: Access,
  reader: ContentReader,
  { plan, question, cursor }: Asked,
): Promise<readonly LoadedRow[]> {
  const { driver, isByValue, isWalk } = access;
  const tvValues = valuesOf(plan);
  const name = `${question.name} ${JSON.stringify([driver?.tv ?? null, isByValue])}`;
  const asked = { ...question, name, driver, tvValues, heavy: isWalk ? true : (question.heavy ?? false) };
  const [first, ...rest] = plan.order;
  if (!isByValue || first === undefined) return selectPrepared(reader, plan, asked);
  const found =
    cursor === null || cursor[0] !== null
      ? await selectPrepared(reader, plan, { ...asked, ...withValue({ first, rest, cursor }) })
      : [];
  const { limit, offset, where } = question;
  // A row without a value meets no condition on the variable.
  const isOver = conditionsIn(where())
    .flatMap(driverOf)
    .some((one) => one.driver.tv.id === first.ref.tv?.id);
  if (found.length >= limit || isOver) return found;
  const empty: Predicate = { kind: 'null', ref: first.ref, unset: null, negated: false };
  const before = found.length > 0 || offset === 0 ? 0 : await countWithValue(reader, { plan, driver, most: offset });
  const without = await selectPrepared(reader, plan, {
    ...asked,
    name: `${name} without ${found.length} ${before}`,
    driver: null,
    where: () => all([where(), empty]),
    order: rest,
    seek: cursor !== null && cursor[0] === null ? after(rest, cursor.slice(1)) : undefined,
    limit: limit - found.length,
    offset: found.length > 0 ? 0 : offset - before,
    heavy: true,
  });
  return [...found, ...without];
}

function withValue(asked: {
  readonly first: OrderTerm;
  readonly rest: readonly OrderTerm[];
  readonly cursor: Asked['cursor'];
}) {
  const { first, rest, cursor } = asked;
  const order = [{ ...first, ref: { ...first.ref, nullable: false } }, ...rest];
  return { order, seek: cursor === null ? undefined : after(order, cursor) };
}

function valuesOf({ sort, order }: ListPlan): ReadonlyMap<string, ColumnRef> {
  const values = new Map<string, ColumnRef>();
  sort.forEach(({ field }, place) => {
    const ref = order[place]?.ref;
    if (ref?.tv !== undefined) values.set(field, ref);
  });
  return values;
}

async function countWithValue(
  reader: ContentReader,
  { plan, driver, most }: { readonly plan: ListPlan; readonly driver: TvDriver | null; readonly most: number },
): Promise<number> {
  const { definition, where } = plan;
  const spec = { table: reader.table(definition), key: keyColumn(definition), where, driver, most };
  const rows = await reader.db.select(compileCount(spec, reader.dialect));
  return Number(rows[0]?.[0] ?? 0);
}
