/**
 * Shows values in the form that the caller asked for, after everything has been attached: one pass over the answer, and
 * one statement for the records that template variables name, whatever the number of rows.
 */
import type { RowPlan } from '../query/plan.js';
import type { TvRecordPlan } from '../query/plan-includes.js';
import { all, fieldRef, type Predicate } from '../query/predicate.js';
import { refersToResources, tvReader } from '../rules/tv-types.js';
import { knownTimeZone } from '../rules/tv-values.js';
import { type ContentReader, type LoadedRow, neededFields, type RowSet, selectRows } from './select-rows.js';
import { setOwn, type TvSlot } from './template-variables.js';

/** What could not be shown as it was asked for. */
export interface Remarks {
  /** Names of template variables with a value that is not of the variable's type, sorted. */
  readonly untyped: readonly string[];
}

interface Presented extends Remarks {
  /** Further rows that the answer depends on. */
  readonly dependsOn: readonly RowSet[];
}

/** Changes the values of the records in place. */
export async function presentValues(
  reader: ContentReader,
  asked: { readonly plan: RowPlan; readonly rows: readonly LoadedRow[]; readonly slots: readonly TvSlot[] },
): Promise<Presented> {
  const { plan, slots } = asked;
  const untyped = plan.form?.typed === true ? giveTypes(reader, slots) : [];
  return { untyped, dependsOn: await attachTvRecords(reader, asked) };
}

function giveTypes({ site }: ContentReader, slots: readonly TvSlot[]): readonly string[] {
  const readers = new Map<number, ReturnType<typeof tvReader>>();
  const zones = new Map<string, string>();
  const untyped = new Set<string>();
  for (const { tvs, tv, text } of slots) {
    if (tv.facts === null) continue;
    const { context } = tv.facts;
    const read = readers.get(tv.tv) ?? tvReader(tv.facts);
    readers.set(tv.tv, read);
    const zone = zones.get(context) ?? knownTimeZone(site.setting(context, 'date_timezone') ?? '');
    zones.set(context, zone);
    const value = read(text, zone);
    if (value === undefined) untyped.add(tv.name);
    setOwn(tvs, tv.name, value ?? null);
  }
  return [...untyped].sort();
}

/** Puts the records in the place of their ids; where the caller may not see one, the id stays. */
async function attachTvRecords(
  reader: ContentReader,
  {
    plan,
    rows,
    slots,
  }: { readonly plan: RowPlan; readonly rows: readonly LoadedRow[]; readonly slots: readonly TvSlot[] },
): Promise<readonly RowSet[]> {
  const shown = new Set(rows.map(({ record }) => record['tvs']));
  const sets = await Promise.all(
    plan.tvRecords.map((one) =>
      attachOne(
        reader,
        one,
        slots.filter((slot) => isNamedBy(slot, one) && shown.has(slot.tvs)),
      ),
    ),
  );
  return sets.flat();
}

function isNamedBy({ tv }: TvSlot, { name }: TvRecordPlan): boolean {
  return tv.name === name && tv.facts !== null && refersToResources(tv.facts);
}

async function attachOne(
  reader: ContentReader,
  { name, target, fields, where }: TvRecordPlan,
  slots: readonly TvSlot[],
): Promise<readonly RowSet[]> {
  const ids = [...new Set(slots.map(({ tvs }) => tvs[name]).filter((value) => typeof value === 'number'))];
  if (ids.length === 0) return [];
  const named: Predicate = { kind: 'in', ref: fieldRef(target, target.primaryKey), values: ids, negated: false };
  const needed = neededFields({ definition: target, includes: [] });
  const found = await selectRows(reader, target, { fields, needed, where: all([where, named]) });
  const byId = new Map(found.map((row) => [Number(row.raw(target.primaryKey)), row.record]));
  for (const { tvs } of slots) {
    const record = byId.get(Number(tvs[name]));
    if (record !== undefined) setOwn(tvs, name, record);
  }
  return [{ definition: target, where: named }];
}
