/**
 * Remembers plans. Parsing and planning are pure in the query text, the caller's rights and the live settings, and a
 * frontend asks the same few questions over and over: only the keys and paths in them differ.
 */
import { anonymousPrincipal } from '../../access/acl.js';
import type { Caller } from '../../access/authorize.js';
import type { Call } from '../../http/endpoint.js';
import type { ObjectDefinition } from '../../objects/definition.js';
import type { Paging } from '../../query/ast.js';
import type { ListPlan, RowPlan } from '../../query/plan.js';

/** Questions that are remembered; beyond them the memory starts anew. */
const capacity = 1000;
/** Longer questions are rare and would only fill the memory. */
const longestKey = 1000;

export interface Question {
  readonly call: Call;
  readonly caller: Caller;
  readonly definition: ObjectDefinition;
}

export class PlanMemo<T> {
  #view: object | null = null;
  readonly #plans = new Map<string, T>();

  /** The plan for the question under the caller's view of settings and rights, or the result of `make`. A throw is not kept. */
  get(question: Question, make: () => T): T {
    // The view that the caller's rights are from, not the newest one: it may have changed since they were found.
    const view = question.caller.snapshot;
    if (view !== this.#view || this.#plans.size >= capacity) {
      this.#plans.clear();
      this.#view = view;
    }
    const key = keyOf(question);
    if (key === null || key.length > longestKey) return make();
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const plan = make();
    this.#plans.set(key, plan);
    return plan;
  }
}

/** Everything that shapes a plan; null for callers whose rights come from the database at each request. */
function keyOf({ call, caller, definition }: Question): string | null {
  const { identity } = caller;
  if (identity.kind === 'session' || caller.principal !== anonymousPrincipal) return null;
  const rights = identity.kind === 'anonymous' ? '' : [...identity.scopes].sort().join(' ');
  return JSON.stringify([definition.name, identity.kind, rights, call.header('x-context') ?? '', call.query]);
}

/** The memories of one gateway. */
export interface PlanMemos {
  readonly lists: PlanMemo<{ readonly plan: ListPlan; readonly paging: Paging }>;
  readonly shapes: PlanMemo<RowPlan>;
}

export function newPlanMemos(): PlanMemos {
  return { lists: new PlanMemo(), shapes: new PlanMemo() };
}
