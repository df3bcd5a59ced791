/** The CMS's access rules (docs/reference/storage.md#access-rules) as pure functions over a snapshot of its tables. */
import { groupBy } from '../values/batches.js';

export interface AccessRule {
  /** Context key, resource group id or category id, as text. */
  readonly target: string;
  /** User group; 0 = anonymous. */
  readonly group: number;
  /** A member's role authority must not exceed it. */
  readonly authority: number;
  readonly policy: number;
  /** Context in which the rule is active; '' = every context. Always '' for context rules. */
  readonly context: string;
}

/** Permissions of a policy; 'all' for a policy that does not exist or has no data: it grants everything. */
export type Policy = ReadonlySet<string> | 'all';

export interface AccessSnapshot {
  readonly contextRules: readonly AccessRule[];
  readonly resourceGroupRules: readonly AccessRule[];
  readonly categoryRules: readonly AccessRule[];
  readonly policies: ReadonlyMap<number, Policy>;
  readonly tvGroups: ReadonlyMap<number, readonly number[]>;
  readonly categories: CategoryTree;
}

export interface CategoryTree {
  /** The CMS's own table of ancestors, the category itself and the root 0 among them: category -> ancestors. */
  readonly closure: ReadonlyMap<number, readonly number[]>;
  /** Category -> parent; 0 = none. */
  readonly parents: ReadonlyMap<number, number>;
}

export interface Principal {
  /** 0 = anonymous. */
  readonly userId: number;
  readonly sudo: boolean;
  /** Group id -> the user's strongest (smallest) role authority in it. */
  readonly groups: ReadonlyMap<number, number>;
}

export const anonymousPrincipal: Principal = Object.freeze({ userId: 0, sudo: false, groups: new Map() });

function policyGrants(snapshot: AccessSnapshot, policyId: number, permissions: readonly string[]): boolean {
  const policy = snapshot.policies.get(policyId) ?? 'all';
  return policy === 'all' || permissions.every((permission) => policy.has(permission));
}

function ruleApplies(rule: AccessRule, principal: Principal): boolean {
  // Rules for anonymous callers (group 0) do not apply to users who are logged in, as in the CMS.
  if (principal.userId === 0) return rule.group === 0;
  const authority = principal.groups.get(rule.group);
  return authority !== undefined && authority <= rule.authority;
}

function grants(
  snapshot: AccessSnapshot,
  rules: readonly AccessRule[],
  asked: { readonly principal: Principal; readonly permissions: readonly string[] },
): boolean {
  if (asked.principal.sudo || rules.length === 0) return true;
  return rules.some(
    (rule) => ruleApplies(rule, asked.principal) && policyGrants(snapshot, rule.policy, asked.permissions),
  );
}

/** An object without any rule is open to every caller. */
export function contextAllows(
  snapshot: AccessSnapshot,
  principal: Principal,
  asked: { readonly context: string; readonly permissions: readonly string[] },
): boolean {
  const rules = snapshot.contextRules.filter((rule) => rule.target === asked.context);
  return grants(snapshot, rules, { principal, permissions: asked.permissions });
}

/** Unlike `contextAllows`: must be written in a policy, since sites give groups contexts with "no policy". */
export function holdsPermission(
  snapshot: AccessSnapshot,
  principal: Principal,
  asked: { readonly context: string; readonly permission: string },
): boolean {
  if (principal.sudo) return true;
  return snapshot.contextRules.some((rule) => {
    const policy = snapshot.policies.get(rule.policy) ?? 'all';
    const isNamed = policy !== 'all' && policy.has(asked.permission);
    return isNamed && rule.target === asked.context && ruleApplies(rule, principal);
  });
}

export interface ResourceGroupDecision {
  /** Groups that have a rule in this context: a resource in any of them is protected. */
  readonly protecting: readonly number[];
  /** Those of `protecting` that admit the principal: membership in one is enough. */
  readonly granting: readonly number[];
}

const openToAll: ResourceGroupDecision = Object.freeze({ protecting: [], granting: [] });

/** Nothing is protected for sudo users and where the setting access_resource_group_enabled is off. */
export function decideResourceGroups(
  snapshot: AccessSnapshot,
  principal: Principal,
  asked: { readonly context: string; readonly permissions: readonly string[]; readonly enabled: boolean },
): ResourceGroupDecision {
  if (principal.sudo || !asked.enabled) return openToAll;
  const byGroup = rulesByTarget(snapshot.resourceGroupRules, asked.context);
  const protecting = [...byGroup.keys()].sort((a, b) => a - b);
  const granting = protecting.filter((group) =>
    grants(snapshot, byGroup.get(group) ?? [], { principal, permissions: asked.permissions }),
  );
  return { protecting, granting };
}

function rulesByTarget(rules: readonly AccessRule[], context: string): ReadonlyMap<number, readonly AccessRule[]> {
  const active = rules.filter((rule) => rule.context === '' || rule.context === context);
  return groupBy(active, ({ target }) => Number(target));
}

export function groupsAllow(decision: ResourceGroupDecision, groups: readonly number[]): boolean {
  const guarded = groups.filter((group) => decision.protecting.includes(group));
  return guarded.length === 0 || guarded.some((group) => decision.granting.includes(group));
}

export function hiddenTvs(
  snapshot: AccessSnapshot,
  principal: Principal,
  asked: { readonly context: string; readonly enabled: boolean },
): ReadonlySet<number> {
  const decision = decideResourceGroups(snapshot, principal, { ...asked, permissions: ['load'] });
  const hidden = new Set<number>();
  for (const [tv, groups] of snapshot.tvGroups) {
    if (!groupsAllow(decision, groups)) hidden.add(tv);
  }
  return hidden;
}

/** Rules of ancestors count by the CMS's own table; if rows are missing there, parents protect but never open. */
export function hiddenCategories(
  snapshot: AccessSnapshot,
  principal: Principal,
  asked: { readonly context: string; readonly enabled: boolean },
): ReadonlySet<number> {
  const rules = rulesByTarget(asked.enabled ? snapshot.categoryRules : [], asked.context);
  const hidden = new Set<number>();
  if (rules.size === 0) return hidden;
  const { closure, parents } = snapshot.categories;
  const allows = (targets: Iterable<number>): boolean => {
    const reaching = [...targets].flatMap((target) => rules.get(target) ?? []);
    return grants(snapshot, reaching, { principal, permissions: ['load'] });
  };
  for (const category of new Set([...closure.keys(), ...parents.keys(), ...rules.keys()])) {
    const listed = closure.get(category) ?? [];
    if (!allows(listed) || !allows(new Set([...listed, ...lineage(parents, category)]))) hidden.add(category);
  }
  return hidden;
}

/** Damaged data may form a loop. */
function lineage(parents: ReadonlyMap<number, number>, category: number): ReadonlySet<number> {
  const met = new Set<number>();
  for (let at = category; !met.has(at); at = parents.get(at) ?? 0) met.add(at);
  return met;
}
