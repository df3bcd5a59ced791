/** Attaches template variables as `tvs: {name: value}`. Bindings that need PHP, SQL or the disk are never evaluated. */

import { type AskedTvs, readTvRows, type TvRow } from '../models/template-variables.js';
import type { ObjectDefinition } from '../objects/definition.js';
import type { JsonValue } from '../objects/values.js';
import type { TvPolicy } from '../query/authorize.js';
import type { RowPlan } from '../query/plan.js';
import { all, hasAnyKey } from '../query/predicate.js';
import { resolveInherited } from './ancestors.js';
import type { ContentReader, LoadedRow, RecordJson, RowSet } from './select-rows.js';

export async function readShownTvs(
  reader: ContentReader,
  { definition, maySee, ...asked }: AskedTvs & { readonly definition: ObjectDefinition; readonly maySee: TvPolicy },
) {
  const found = await readTvRows(reader.db, reader.prefix, asked);
  const shown = found.filter(({ variable }) => maySee(variable));
  const { values, ancestors } = await resolveInherited(reader, shown);
  const inherited = ancestors.length === 0 ? [] : [{ definition, where: hasAnyKey(definition, ancestors) }];
  return { shown, textOf: values, dependsOn: [...variablesOf(reader), ...inherited] };
}

export interface TvSlot extends TvRow {
  readonly tvs: RecordJson;
  text: string;
}

export async function attachTvs(
  reader: ContentReader,
  asked: {
    readonly plan: Pick<RowPlan, 'definition' | 'tvs'>;
    readonly rows: readonly LoadedRow[];
    readonly maySee: TvPolicy;
    readonly slots: TvSlot[] | null;
  },
): Promise<readonly RowSet[]> {
  const { plan, rows, maySee, slots } = asked;
  if (!plan.tvs || rows.length === 0) return [];
  const idOf = (row: LoadedRow) => Number(row.raw(plan.definition.primaryKey));
  const { shown, textOf, dependsOn } = await readShownTvs(reader, {
    definition: plan.definition,
    maySee,
    resources: [...new Set(rows.map(idOf))],
    names: plan.tvs.kind === 'named' ? plan.tvs.names : null,
  });
  const byResource = new Map<number, RecordJson>();
  for (const tv of shown) {
    const tvs = byResource.get(tv.resource) ?? {};
    byResource.set(tv.resource, tvs);
    const { name } = tv.variable;
    if (Object.hasOwn(tvs, name)) continue;
    const text = textOf(tv);
    setOwn(tvs, name, text);
    slots?.push({ ...tv, tvs, text });
  }
  for (const row of rows) row.record['tvs'] = byResource.get(idOf(row)) ?? {};
  return dependsOn;
}

/** All that says which variables a resource has. */
export function variablesOf({ registry }: ContentReader): readonly RowSet[] {
  return ['tvs', 'templates'].flatMap((name): RowSet[] => {
    const elements = registry.objects.get(name);
    return elements ? [{ definition: elements, where: all([]) }] : [];
  });
}

/** A tv may be called `__proto__`: plain assignment would not make it a key. */
export function setOwn(target: RecordJson, name: string, value: JsonValue): void {
  if (name !== '__proto__') target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
