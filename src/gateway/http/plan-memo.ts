/**
 * Remembers plans. Parsing and planning are pure in the query text, the caller's rights and the live settings, and a
 * frontend asks the same few questions over and over: only the keys and paths in them differ.
 */
import type { Principal } from '../../access/acl.js';
import type { ObjectDefinition } from '../../content/objects/definition.js';
import type { Paging } from '../../content/query/ast.js';
import type { Caller } from '../../content/query/authorize.js';
import type { ListPlan, RowPlan } from '../../content/query/plan.js';
import type { Call } from '../../http/interface/endpoint.js';

/** Questions that are remembered; beyond them the memory starts again empty. */
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
    if (key.length > longestKey) return make();
    const made = this.#plans.get(key);
    if (made !== undefined) return made;
    const plan = make();
    this.#plans.set(key, plan);
    return plan;
  }
}

/**
 * Everything that shapes a plan. What a session may do follows from its user's groups and the view, as what anybody sees
 * of the content does; the user as such has no part in it.
 */
function keyOf({ call, caller, definition }: Question): string {
  const { identity, principal } = caller;
  const { query } = call;
  const context = call.header('x-context') ?? '';
  // Most questions are of this form. The others begin with a bracket, which no name does.
  if (identity.kind === 'anonymous' && principal.userId === 0 && context === '' && query.length === 0) {
    return definition.name;
  }
  const scopes = 'scopes' in identity ? [...identity.scopes].sort().join(' ') : '';
  const rights = [identity.kind, scopes, groupsOf(principal)];
  return JSON.stringify([definition.name, rights, context, query]);
}

const known = new WeakMap<Principal, string>();

/** What the rules look at: an anonymous caller, one who may do everything, or one with these roles in these groups. */
function groupsOf(principal: Principal): string {
  const made = known.get(principal) ?? describe(principal);
  known.set(principal, made);
  return made;
}

function describe({ userId, sudo, groups }: Principal): string {
  if (userId === 0) return '';
  return sudo ? 'sudo' : JSON.stringify([...groups].sort(([left], [right]) => left - right));
}

/** The memories of one gateway. */
export interface PlanMemos {
  readonly lists: PlanMemo<{ readonly plan: ListPlan; readonly paging: Paging }>;
  readonly shapes: PlanMemo<RowPlan>;
}

export function newPlanMemos(): PlanMemos {
  return { lists: new PlanMemo(), shapes: new PlanMemo() };
}
