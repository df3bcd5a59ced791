/** Template variables in filters and sorts, as `tv.NAME`. A hidden variable is answered like an unknown one. */
import type { Problems } from '../../errors/app-error.js';
import type { ListedTv } from '../models/template-variables.js';
import type { FieldDefinition, ObjectDefinition } from '../objects/definition.js';
import { refersToResources, type TvKind, tvKind } from '../rules/tv-types.js';
import { type Caller, tvPolicy } from './authorize.js';
import { operatorsOn } from './operators.js';
import type { ColumnRef, OrderTerm, Predicate, TvRef } from './predicate.js';

export interface TvNames {
  readonly definition: ObjectDefinition;
  readonly caller: Caller;
  readonly context: string;
  readonly problems: Problems;
}

const prefix = 'tv.';

/** True for unknown variables too. */
export function isTvField(field: string, { definition }: Pick<TvNames, 'definition'>): boolean {
  return definition.templateVariables && field.startsWith(prefix);
}

type TvSight = Pick<TvNames, 'caller' | 'context'>;

export function findTv(field: string, sight: TvSight): ListedTv | null {
  return findNamed(field.slice(prefix.length), sight);
}

function findNamed(name: string, { caller, context }: TvSight): ListedTv | null {
  const tv = caller.tvs.get(name);
  if (tv === undefined) return null;
  const { hiddenTvs, hiddenCategories } = tvPolicy(caller, context);
  return hiddenTvs.has(tv.id) || hiddenCategories.has(tv.category) ? null : tv;
}

export const fieldTypes: Readonly<Record<TvKind, FieldDefinition['type']>> = {
  text: 'string',
  list: 'string',
  number: 'number',
  boolean: 'boolean',
  reference: 'integer',
  date: 'datetime',
  json: 'json',
};

export const unknownTv = 'is not a template variable of this site; GET /schema lists them';

export function operatorsOnTv(kind: TvKind): ReturnType<typeof operatorsOn> {
  const rows = operatorsOn(fieldTypes[kind]);
  return kind === 'json' ? rows.filter(({ takes }) => takes === 'none') : rows;
}

export function isSortableTv(kind: TvKind): boolean {
  return kind !== 'json';
}

/** Null for an unknown variable or one without an order. */
export function planTvSort(field: string, names: TvNames): ColumnRef | null {
  const tv = isTvField(field, names) ? findTv(field, names) : null;
  if (tv === null) return null;
  const kind = tvKind(tv);
  if (!isSortableTv(kind)) return null;
  return valueRef(tv.id, kind === 'text' || kind === 'list' ? 'text' : 'number');
}

export function tvSortProblem(field: string, names: TvNames): string {
  const tv = findTv(field, names);
  return `${field} ${tv === null ? unknownTv : `cannot be sorted: it is of the type ${tv.type}`}`;
}

/** Null when its values can be included as records. */
export function tvRecordProblem(name: string, sight: TvSight): string | null {
  const tv = findNamed(name, sight);
  if (tv === null) return unknownTv;
  return refersToResources(tv) ? null : `names no records: it is of the type ${tv.type}`;
}

export function valueRef(id: number, as: TvRef['as'], of: TvRef['of'] = 'value'): ColumnRef {
  // No changed row has such a column, so a condition on it counts as met.
  return { column: `${prefix}${id}`, text: as === 'text' || as === 'whole', nullable: true, tv: { id, of, as } };
}

export function isByTvs(where: Predicate, order: readonly OrderTerm[]): boolean {
  return looksAtTvs(where) || order.some(({ ref }) => ref.tv !== undefined);
}

export function looksAtTvs(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case 'tv_member':
      return true;
    case 'all':
    case 'any':
      return predicate.of.some(looksAtTvs);
    case 'compare':
    case 'in':
    case 'null':
    case 'like':
      return predicate.ref.tv !== undefined;
    case 'contains':
    case 'words':
    case 'nothing':
    case 'resource_groups':
      return false;
  }
}
