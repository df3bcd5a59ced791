/** Plans what an answer shows besides its own rows: relations, and what the tags and links of texts lead to. */

import type { Problems } from '../../errors/app-error.js';
import type { ObjectDefinition, Registry, RelationDefinition } from '../objects/definition.js';
import type { ShapeIntent, TvRequest } from './ast.js';
import {
  type Caller,
  readableFields,
  rowPolicy,
  type TvPolicy,
  tvPolicy,
  usableContexts,
  visible,
} from './authorize.js';
import { tvRecordProblem } from './plan-filter.js';
import type { Predicate } from './predicate.js';

export interface IncludePlan {
  readonly relation: RelationDefinition;
  readonly target: ObjectDefinition;
  readonly fields: readonly string[];
  readonly where: Predicate;
  readonly includes: readonly IncludePlan[];
  readonly tvs: TvRequest | null;
}

/** A template variable with the id of a record, which the answer shows instead. */
export interface TvRecordPlan extends Pick<IncludePlan, 'target' | 'fields' | 'where'> {
  readonly name: string;
}

interface IncludeInput {
  readonly definition: ObjectDefinition;
  readonly registry: Registry;
  readonly caller: Caller;
  readonly context: string;
  readonly problems: Problems;
  readonly path: readonly string[];
  /** Resources of every context that the caller may use. */
  readonly everywhere: () => Predicate;
}

export function planRelations(intent: ShapeIntent, input: Omit<IncludeInput, 'path'>): IncludePlan[] {
  const plans = planIncludes(intent, { ...input, path: [] });
  const included = new Set([...pathsOf(plans), ...intent.tvRecords.map((name) => `tvs.${name}`)]);
  for (const path of intent.relationFields.keys()) {
    if (!included.has(path)) {
      const problem = `${path} is not an included relation; included: ${[...included].join(', ') || 'none'}`;
      input.problems.add('fields', problem, 'Field not allowed');
    }
  }
  return plans;
}

function pathsOf(plans: readonly IncludePlan[]): string[] {
  return plans.flatMap(({ relation, includes }) => [
    relation.name,
    ...pathsOf(includes).map((path) => `${relation.name}.${path}`),
  ]);
}

function planIncludes(intent: ShapeIntent, input: IncludeInput): IncludePlan[] {
  const { definition, registry, path, problems } = input;
  const names = new Set<string>();
  for (const asked of [...intent.include, ...intent.tvPaths]) {
    const next = asked[path.length];
    if (next !== undefined && path.every((part, index) => asked[index] === part)) names.add(next);
  }
  const plans: IncludePlan[] = [];
  for (const name of names) {
    const usable = definition.relations.filter((one) => mayFollow(one, input));
    const relation = usable.find((candidate) => candidate.name === name);
    const target = relation && registry.objects.get(relation.target);
    if (!relation || !target?.readable) {
      const known = [...usable.map((one) => one.name), ...(definition.templateVariables ? ['tvs'] : [])];
      const where = path.length === 0 ? name : `${path.join('.')}.${name}`;
      problems.add(
        'include',
        `${where} is not a relation; relations: ${known.join(', ') || 'none'}`,
        'Include not allowed',
      );
      continue;
    }
    plans.push(planInclude(intent, { ...input, relation, target, path: [...path, name] }));
  }
  return plans;
}

/** The records show what the relation to a parent shows; variables that name no records become problems. */
export function planTvRecords(intent: ShapeIntent, input: Omit<IncludeInput, 'path' | 'everywhere'>): TvRecordPlan[] {
  const { definition: target, caller, context, problems } = input;
  for (const name of intent.tvRecords) {
    const problem = tvRecordProblem(name, { caller, context });
    if (problem !== null) problems.add('include', `tvs.${name} ${problem}`, 'Include not allowed');
  }
  const readable = readableFields(target, caller);
  const related = target.relations.find(({ name }) => name === 'parent')?.fields ?? [target.primaryKey];
  const shown = related.filter((name) => readable.includes(name));
  const where = visible(target, rowPolicy(target, caller, { ...intent, context, purpose: 'list' }));
  return intent.tvRecords.map((name) => ({
    name,
    target,
    where,
    fields: chosenFields(intent, { path: ['tvs', name], shown, problems }),
  }));
}

/** A relation reveals the values of both of its keys: a protected one needs the same right as the field. */
function mayFollow(relation: RelationDefinition, { definition, registry, caller }: IncludeInput): boolean {
  const target = registry.objects.get(relation.target);
  const [holder, referenced] = relation.type === 'to_one' ? [definition, target] : [target, definition];
  const mayUse = (owner: ObjectDefinition | undefined, field: string): boolean =>
    !owner?.protected.includes(field) || readableFields(owner, caller).includes(field);
  return mayUse(holder, relation.foreignKey) && mayUse(referenced, relation.localKey);
}

function planInclude(
  intent: ShapeIntent,
  input: IncludeInput & { readonly relation: RelationDefinition; readonly target: ObjectDefinition },
): IncludePlan {
  const { relation, target, caller, context, path, problems } = input;
  if (relation.isTranslation === true) {
    const fields = chosenFields(intent, { path, shown: relation.fields, problems });
    const hasMore = [...intent.include, ...intent.tvPaths.map((asked) => [...asked, 'tvs'])].some(
      (asked) => asked.length > path.length && samePath(asked.slice(0, path.length), path),
    );
    if (hasMore) problems.add('include', `${path.join('.')} has no relations`, 'Include not allowed');
    return { relation, target, fields, where: input.everywhere(), includes: [], tvs: null };
  }
  const below = { ...input, definition: target };
  const readable = readableFields(target, caller);
  // A related row is shown inside another answer: the same rights as in a list.
  const policy = rowPolicy(target, caller, { ...intent, context, purpose: 'list' });
  return {
    relation,
    target,
    fields: chosenFields(intent, { path, shown: relation.fields.filter((name) => readable.includes(name)), problems }),
    where: visible(target, policy),
    includes: planIncludes(intent, below),
    tvs: target.templateVariables && intent.tvPaths.some((asked) => samePath(asked, path)) ? intent.tvs : null,
  };
}

/** A relation shows few fields, so that an answer of any depth stays small: a choice can only narrow them. */
function chosenFields(
  { relationFields }: ShapeIntent,
  { path, shown, problems }: Pick<IncludeInput, 'path' | 'problems'> & { readonly shown: readonly string[] },
): readonly string[] {
  const where = path.join('.');
  const asked = relationFields.get(where);
  if (asked === undefined) return shown;
  for (const name of asked) {
    if (shown.includes(name)) continue;
    problems.add('fields', `${name} is not available in ${where}; fields: ${shown.join(', ')}`, 'Field not allowed');
  }
  return asked;
}

function samePath(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((part, index) => part === right[index]);
}

/** What the tags of texts may show to a caller. */
export interface TagRules {
  readonly linkTargets: Predicate;
  readonly fields: readonly string[];
  readonly maySee: TvPolicy;
}

export function planTagRules(
  intent: Pick<ShapeIntent, 'preview' | 'includeDeleted'>,
  input: LinkScope & { readonly readable: readonly string[] },
): TagRules {
  const { caller, context, readable } = input;
  return { linkTargets: planLinkTargets(intent, input), fields: readable, maySee: tvPolicy(caller, context) };
}

interface LinkScope {
  readonly definition: ObjectDefinition;
  readonly caller: Caller;
  readonly context: string;
}

export function planLinkTargets(
  intent: Pick<ShapeIntent, 'preview' | 'includeDeleted'>,
  { definition, caller, context: asked }: LinkScope,
): Predicate {
  const of = [...new Set([asked, ...usableContexts(caller)])].map((context) =>
    visible(definition, rowPolicy(definition, caller, { ...intent, context, purpose: 'read' })),
  );
  const [only] = of;
  return of.length === 1 && only !== undefined ? only : { kind: 'any', of };
}
