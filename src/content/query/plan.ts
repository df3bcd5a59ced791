/** Resolves names, checks types and adds visibility. Throws validation_failed or scope_denied; touches no database. */
import { Problems } from '../../errors/app-error.js';
import { fitsTree, type ObjectDefinition, type Registry, treeFields } from '../objects/definition.js';
import { type SearchTerms, searchTerms } from '../rules/search-words.js';
import type { ListIntent, ShapeIntent, SortTerm, TvRequest, ValueForm } from './ast.js';
import {
  type Caller,
  checkContextAccess,
  checkPreviewRights,
  chooseContext,
  offered,
  readableFields,
  rowPolicy,
  visible,
} from './authorize.js';
import {
  isTvField,
  looksAtTvs,
  type NameCheck,
  planFilter,
  planTvSort,
  type TermCheck,
  tvSortProblem,
} from './plan-filter.js';
import {
  type IncludePlan,
  planLinkTargets,
  planRelations,
  planTagRules,
  planTvRecords,
  type TagRules,
  type TvRecordPlan,
} from './plan-includes.js';
import { all, conditionsIn, equals, fieldRef, mayScan, type OrderTerm, oneOf, type Predicate } from './predicate.js';

export interface RowPlan {
  readonly definition: ObjectDefinition;
  readonly context: string;
  readonly fields: readonly string[];
  readonly includes: readonly IncludePlan[];
  readonly tvs: TvRequest | null;
  readonly tvRecords: readonly TvRecordPlan[];
  readonly form: ValueForm | null;
  readonly tagRules: TagRules | null;
  readonly where: Predicate;
}

export interface ListPlan extends RowPlan {
  readonly order: readonly OrderTerm[];
  readonly sort: readonly SortTerm[];
  readonly ids: readonly number[] | null;
  readonly words: SearchTerms | null;
  readonly writtenWords: string | null;
  /** The best hits are first: the caller requested no order. */
  readonly isRanked: boolean;
  readonly withExcerpt: boolean;
  /** The statement may read every row. */
  readonly heavy: boolean;
  readonly usesTvs: boolean;
}

export interface PlanInput {
  readonly definition: ObjectDefinition;
  readonly registry: Registry;
  readonly caller: Caller;
}

export function planList(intent: ListIntent, input: PlanInput): ListPlan {
  const context = decideContext(intent, input);
  const { definition, caller } = input;
  const readable = readableFields(definition, caller);
  const problems = new Problems();
  const tvs = { definition, caller, context, problems };
  const asked = { definition: offered(definition, caller.extendedColumns), readable, problems, tvs };
  const filters = intent.filters.flatMap((term) => planFilter(term, asked));
  const sort = planSort(intent.sort, asked);
  const search = planSearch(intent.search, { definition, readable, problems });
  const words = planWords(intent, { definition, readable, problems });
  const shape = planShape(intent, { ...input, readable, problems, context, purpose: 'list' });
  problems.throwIfAny();
  const key = fieldRef(definition, definition.primaryKey);
  const named = intent.ids === null ? [] : [oneOf(key, intent.ids)];
  const where = all([...conditionsIn(shape.where), ...named, ...filters, ...search, ...words.where]);
  const order = sort.map(({ field, direction }) => ({
    ref: planTvSort(field, tvs) ?? fieldRef(definition, field),
    direction,
  }));
  return {
    ...shape,
    where,
    sort,
    ids: intent.ids,
    order,
    words: words.terms,
    writtenWords: intent.words,
    isRanked: words.terms !== null && intent.sort.length === 0 && intent.ids === null,
    withExcerpt: intent.withExcerpt,
    heavy: mayScan(where) || sort.some(({ field }) => isLongText(definition, field)),
    usesTvs: looksAtTvs(where) || order.some(({ ref }) => ref.tv !== undefined),
  };
}

/** MariaDB indexes only the beginning of such a column, and sorts every row by it. */
function isLongText(definition: ObjectDefinition, name: string): boolean {
  return definition.fields[name]?.maxBytes !== undefined;
}

export function planRead(intent: ShapeIntent, input: PlanInput): RowPlan {
  const context = decideContext(intent, input);
  const problems = new Problems();
  const readable = readableFields(input.definition, input.caller);
  const shape = planShape(intent, { ...input, readable, problems, context, purpose: 'read' });
  problems.throwIfAny();
  return shape;
}

export function planTree(intent: ShapeIntent, input: PlanInput): RowPlan {
  const { definition, caller } = input;
  const context = decideContext(intent, input);
  const problems = new Problems();
  const readable = readableFields(definition, caller).filter((name) => fitsTree(definition.fields[name] ?? {}));
  const fields = intent.fields ?? treeFields;
  const shape = planShape({ ...intent, fields }, { ...input, readable, problems, context, purpose: 'list' });
  problems.throwIfAny();
  return shape;
}

/** The answer to a write: all readable fields of the record in any state (docs/writing.md#what-an-answer-shows). */
export function planWritten(intent: ShapeIntent, input: PlanInput & { readonly context: string }): RowPlan {
  const problems = new Problems();
  const readable = readableFields(input.definition, input.caller);
  const shape = planShape({ ...intent, fields: null }, { ...input, readable, problems, purpose: 'read' });
  problems.throwIfAny();
  return { ...shape, where: all([]) };
}

function decideContext(intent: ShapeIntent, { definition, caller }: PlanInput): string {
  const context = chooseContext(caller, intent.context);
  // Context rows are gated by their own key (docs/reference/gateway.md#definitions), not by the context of the request.
  if (!definition.visibility.contextGated) checkContextAccess(caller, context);
  checkPreviewRights(caller, intent);
  return context;
}

/** The primary key is appended, so that the order is total. */
function planSort(sort: readonly SortTerm[], { definition, readable, problems, tvs }: TermCheck): SortTerm[] {
  const accepted = definition.sortable.filter((name) => readable.includes(name));
  const terms: SortTerm[] = [];
  for (const term of sort) {
    if (isTvField(term.field, tvs) && planTvSort(term.field, tvs) === null) {
      problems.add('sort', tvSortProblem(term.field, tvs), 'Sort not allowed');
    } else if (!isTvField(term.field, tvs) && !accepted.includes(term.field)) {
      problems.add('sort', `${term.field} cannot be sorted; sortable: ${accepted.join(', ')}`, 'Sort not allowed');
    } else if (!terms.some((earlier) => earlier.field === term.field)) {
      terms.push(term);
    }
  }
  const key = definition.primaryKey;
  const cut = terms.findIndex((term) => term.field === key);
  // Nothing after the primary key can change the order.
  if (cut >= 0) return terms.slice(0, cut + 1);
  return [...terms, { field: key, direction: terms.at(-1)?.direction ?? 'asc' }];
}

function planSearch(search: string | null, { definition, readable, problems }: NameCheck): Predicate[] {
  if (search === null) return [];
  const fields = definition.searchable.filter((name) => readable.includes(name));
  if (fields.length === 0) {
    problems.add('q', `${definition.name} cannot be searched`, 'Search not allowed');
    return [];
  }
  return [{ kind: 'contains', refs: fields.map((name) => fieldRef(definition, name)), text: search }];
}

/** Only resources have an index of words. A text without a word finds nothing. */
function planWords(
  { words, withExcerpt, sort, paging }: ListIntent,
  { definition, problems }: NameCheck,
): { readonly terms: SearchTerms | null; readonly where: readonly Predicate[] } {
  if (words === null) {
    if (withExcerpt) problems.add('search_excerpt', 'needs search');
    return { terms: null, where: [] };
  }
  if (definition.name !== 'resources') problems.add('search', `${definition.name} have no index of words; use q`);
  // Cursors hold values of the record, and the rank of a hit is not one.
  if (paging.kind === 'cursor' && sort.length === 0) {
    problems.add('cursor', 'needs sort with search; or use offset or page', 'Conflicting pagination parameters');
  }
  const terms = searchTerms(words);
  const ref = fieldRef(definition, definition.primaryKey);
  const isSearchable = equals(fieldRef(definition, 'searchable'), 1);
  return { terms, where: terms === null ? [{ kind: 'nothing' }] : [isSearchable, { kind: 'words', ref, terms }] };
}

interface ShapeInput extends PlanInput, NameCheck {
  readonly context: string;
  readonly purpose: 'list' | 'read';
}

function planShape(intent: ShapeIntent, input: ShapeInput): RowPlan {
  const { definition, caller, context, problems, readable } = input;
  const fields = intent.fields ?? readable;
  for (const name of fields) {
    if (!readable.includes(name)) {
      problems.add('fields', `${name} is not available; fields: ${readable.join(', ')}`, 'Field not allowed');
    }
  }
  return {
    definition,
    context,
    fields,
    includes: asksForRelations(intent)
      ? planRelations(intent, {
          ...input,
          everywhere: () => planLinkTargets(intent, { ...input, definition: input.registry.resources }),
        })
      : [],
    tvs: definition.templateVariables && intent.tvPaths.some((path) => path.length === 0) ? intent.tvs : null,
    tvRecords: definition.templateVariables && intent.tvRecords.length > 0 ? planTvRecords(intent, input) : [],
    form: definition.templateVariables ? intent.form : null,
    tagRules: definition.templateVariables && resolvesTexts(intent) ? planTagRules(intent, input) : null,
    where: visible(definition, rowPolicy(definition, caller, { ...intent, context, purpose: input.purpose })),
  };
}

function resolvesTexts({ form }: ShapeIntent): boolean {
  return form !== null && (form.resolvesLinks || form.resolvesTags);
}

function asksForRelations({ include, tvPaths, relationFields }: ShapeIntent): boolean {
  return include.length > 0 || tvPaths.some((path) => path.length > 0) || relationFields.size > 0;
}
