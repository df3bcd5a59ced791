/** The context and the parent of a resource, which belong together (docs/reference/storage.md#creating-resources). */
import type { FieldValues } from '../live/mutation.js';
import type { ResourceState } from '../models/resources.js';
import { contextProblem } from '../query/authorize.js';
import { checkRowContext, type ResourceWork, rightsTo } from './resource-write.js';

export interface Place {
  readonly context: string;
  readonly parent: number;
}

/** The context of the body, else of the request, else of the given parent, else the bootstrap context. */
export async function placeNew(work: ResourceWork, values: FieldValues): Promise<Place> {
  const parent = await findParent(work, values);
  const named = givenContext(work, values);
  const context = named ?? (work.namesContext || !parent ? work.context : parent.context_key);
  if (named === undefined) checkRowContext(work, context);
  checkTogether(work, { context, parent });
  return { context, parent: numberOf(values, 'parent') ?? 0 };
}

export async function placeChanged(
  work: ResourceWork,
  { values, before }: { readonly values: FieldValues; readonly before: ResourceState },
): Promise<Place> {
  const { rows, problems } = work;
  const parent = numberOf(values, 'parent') ?? before.parent;
  const isMoved = parent !== before.parent;
  const target = isMoved ? await findParent(work, values) : undefined;
  const named = givenContext(work, values);
  const context = named ?? target?.context_key ?? before.context_key;
  // A context that changes with the parent needs the same right as a named one.
  if (named === undefined && context !== before.context_key) checkRowContext(work, context);
  if (isMoved) {
    checkTogether(work, { context, parent: target });
    const above = await rows.loadUpwards(parent);
    if (parent === before.id) problems.add('parent', 'must not be the resource itself');
    else if (above.some(({ id }) => id === before.id))
      problems.add('parent', 'must not be a descendant of the resource');
  } else if (context !== before.context_key && parent !== 0) {
    problems.add('context_key', 'the parent stays in the old context: give a parent of the new context too, or 0');
  }
  return { context, parent };
}

async function findParent(work: ResourceWork, values: FieldValues): Promise<ResourceState | undefined> {
  const id = numberOf(values, 'parent') ?? 0;
  // The range of the field refuses negative numbers.
  if (id <= 0) return undefined;
  const parent = await work.rows.load(id);
  const rights = parent && !parent.deleted ? await rightsTo(work, parent) : undefined;
  if (!rights?.mayLoad) {
    work.problems.add('parent', 'must be the id of a resource that is not deleted, or 0');
    return undefined;
  }
  rights.check('add_children');
  return parent;
}

function givenContext(work: ResourceWork, values: FieldValues): string | undefined {
  const context = values['context_key'];
  if (typeof context !== 'string') return undefined;
  const problem = contextProblem(work.caller, context);
  if (problem === null) checkRowContext(work, context);
  else work.problems.add('context_key', problem, 'Invalid context');
  return problem === null ? context : undefined;
}

function checkTogether(
  { problems }: ResourceWork,
  { context, parent }: { readonly context: string; readonly parent: ResourceState | undefined },
): void {
  if (!parent || parent.context_key === context) return;
  problems.add('parent', `must be a resource of the context ${context}`);
}

function numberOf(values: FieldValues, name: string): number | undefined {
  const value = values[name];
  return typeof value === 'number' ? value : undefined;
}
