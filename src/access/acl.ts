/**
 * The CMS's access rules (docs/reference/storage.md#access-rules) as pure functions over a snapshot of the small access
 * tables: who may load, list, view which context, resource group or category. Storage reads the snapshot; this file
 * only decides.
 */

/** One row of access_context, access_resource_groups or access_category. */
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
  /** Resource groups of template variables: tv id -> group ids. */
  readonly tvGroups: ReadonlyMap<number, readonly number[]>;
  readonly categories: CategoryTree;
}

/** The tree of element categories; empty where no category has a rule. */
export interface CategoryTree {
  /** The CMS's own table of ancestors, the category itself and the root 0 among them: category -> ancestors. */
  readonly closure: ReadonlyMap<number, readonly number[]>;
  /** Category -> parent; 0 = none. */
  readonly parents: ReadonlyMap<number, number>;
}

/** What the rules need to know of a user. */
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

/** May the principal do all of `permissions` in the context? An object without any rule is open to every caller. */
export function contextAllows(
  snapshot: AccessSnapshot,
  principal: Principal,
  asked: { readonly context: string; readonly permissions: readonly string[] },
): boolean {
  const rules = snapshot.contextRules.filter((rule) => rule.target === asked.context);
  return grants(snapshot, rules, { principal, permissions: asked.permissions });
}

/**
 * Does a policy name the permission for the user in the context? Unlike `contextAllows`, neither a context without any
 * rule nor a policy that was removed or has no data grants anything. The CMS grants its own actions there, and sites use it:
 * "no policy" is the first choice when a group gets a context. That must not make every member an administrator of the
 * gateway, whose permissions must be written in a policy.
 */
export function holdsPermission(
  snapshot: AccessSnapshot,
  principal: Principal,
  asked: { readonly context: string; readonly permission: string },
): boolean {
  if (principal.sudo) return true;
  return snapshot.contextRules.some(
    (rule) =>
      rule.target === asked.context &&
      ruleApplies(rule, principal) &&
      namedPermissions(snapshot, rule.policy).has(asked.permission),
  );
}

const none: ReadonlySet<string> = new Set();

/** The names in a policy, word for word. */
function namedPermissions(snapshot: Pick<AccessSnapshot, 'policies'>, policyId: number): ReadonlySet<string> {
  const policy = snapshot.policies.get(policyId) ?? 'all';
  return policy === 'all' ? none : policy;
}

/** The resource groups that matter for one principal, context and set of permissions. */
export interface ResourceGroupDecision {
  /** Groups that have a rule in this context: a resource in any of them is protected. */
  readonly protecting: readonly number[];
  /** Those of `protecting` that admit the principal: membership in one is enough. */
  readonly granting: readonly number[];
}

const openToAll: ResourceGroupDecision = Object.freeze({ protecting: [], granting: [] });

/**
 * Decides every resource group at once, for use in a query. Nothing is protected for sudo users and where the setting
 * access_resource_group_enabled is off.
 */
export function decideResourceGroups(
  snapshot: AccessSnapshot,
  principal: Principal,
  asked: { readonly context: string; readonly permissions: readonly string[]; readonly enabled: boolean },
): ResourceGroupDecision {
  if (principal.sudo || !asked.enabled) return openToAll;
  const byGroup = new Map<number, AccessRule[]>();
  for (const rule of snapshot.resourceGroupRules) {
    if (rule.context !== '' && rule.context !== asked.context) continue;
    const group = Number(rule.target);
    const list = byGroup.get(group);
    if (list) list.push(rule);
    else byGroup.set(group, [rule]);
  }
  const protecting = [...byGroup.keys()].sort((a, b) => a - b);
  const granting = protecting.filter((group) =>
    grants(snapshot, byGroup.get(group) ?? [], { principal, permissions: asked.permissions }),
  );
  return { protecting, granting };
}

/** May the principal see a resource that is in the given groups? */
export function groupsAllow(decision: ResourceGroupDecision, groups: readonly number[]): boolean {
  const guarded = groups.filter((group) => decision.protecting.includes(group));
  return guarded.length === 0 || guarded.some((group) => decision.granting.includes(group));
}

/** Ids of template variables that the principal may not load. */
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

/**
 * Ids of element categories whose elements the principal may not load. Rules of a category reach everything below it, by
 * the CMS's own table of ancestors: a rule of any of them that lets the principal in is enough. Rows are missing there
 * on some sites, so the parents count as well: their rules protect, but never open what the table alone keeps closed.
 * Nothing is hidden where the setting access_category_enabled is off.
 */
export function hiddenCategories(
  snapshot: AccessSnapshot,
  principal: Principal,
  asked: { readonly context: string; readonly enabled: boolean },
): ReadonlySet<number> {
  const rules = new Map<number, AccessRule[]>();
  for (const rule of asked.enabled ? snapshot.categoryRules : []) {
    if (rule.context !== '' && rule.context !== asked.context) continue;
    const target = Number(rule.target);
    rules.set(target, [...(rules.get(target) ?? []), rule]);
  }
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

/** The category itself and its parents up to the root; damaged data may form a loop. */
function lineage(parents: ReadonlyMap<number, number>, category: number): ReadonlySet<number> {
  const met = new Set<number>();
  for (let at = category; !met.has(at); at = parents.get(at) ?? 0) met.add(at);
  return met;
}
