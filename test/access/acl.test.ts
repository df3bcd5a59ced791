/** The CMS's access rules as pure decisions (docs/reference/storage.md#access-rules). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AccessRule,
  type AccessSnapshot,
  anonymousPrincipal,
  type CategoryTree,
  contextAllows,
  decideResourceGroups,
  groupsAllow,
  hiddenCategories,
  hiddenTvs,
  holdsPermission,
  type Policy,
  type Principal,
} from '../../src/access/acl.js';

const rule = (given: Partial<AccessRule>): AccessRule => ({
  target: '1',
  group: 0,
  authority: 9999,
  policy: 1,
  context: '',
  ...given,
});

const snapshot = (given: Partial<AccessSnapshot>): AccessSnapshot => ({
  contextRules: [],
  resourceGroupRules: [],
  categoryRules: [],
  policies: new Map<number, Policy>([
    [1, new Set(['load'])],
    [2, new Set(['load', 'list', 'view'])],
    [3, 'all'],
    [4, new Set(['load', 'resources.read'])],
  ]),
  tvGroups: new Map(),
  categories: { closure: new Map(), parents: new Map() },
  ...given,
});

const member = (groups: readonly (readonly [number, number])[], sudo = false): Principal => ({
  userId: 5,
  sudo,
  groups: new Map(groups),
});

describe('permissions', () => {
  const rules = snapshot({
    contextRules: [
      rule({ target: 'web' }),
      rule({ target: 'web', group: 1, authority: 9, policy: 2 }),
      rule({ target: 'web', group: 2, policy: 3 }),
      rule({ target: 'web', group: 3, policy: 99 }),
      rule({ target: 'web', group: 6, policy: 4 }),
      rule({ target: 'mgr', group: 4, policy: 3 }),
    ],
  });
  it.each<[name: string, principal: Principal, permission: string, held: boolean]>([
    ['a member holds what the policy says', member([[1, 9]]), 'view', true],
    ['word for word', member([[1, 9]]), 'vie', false],
    ['and not what it does not say', member([[1, 9]]), 'resources.read', false],
    ['a weaker role does not reach the rule', member([[1, 10]]), 'view', false],
    [
      'one granting group of several is enough',
      member([
        [1, 9],
        [6, 9999],
      ]),
      'resources.read',
      true,
    ],
    [
      'a policy without data names nothing, although the CMS lets it open everything',
      member([[2, 9999]]),
      'resources.read',
      false,
    ],
    ['neither does one that is gone', member([[3, 9999]]), 'resources.delete', false],
    ['rules of other contexts do not count', member([[4, 0]]), 'resources.read', false],
    ['what anonymous callers may is not handed on', member([]), 'load', false],
    ['sudo users hold everything', member([], true), 'resources.read', true],
  ])('%s', (_name, principal, permission, held) => {
    expect(holdsPermission(rules, principal, { context: 'web', permission })).toBe(held);
  });

  it('grants no caller a permission in a context without rules, although every caller may use it', () => {
    expect(holdsPermission(rules, member([[2, 0]]), { context: 'docs', permission: 'resources.read' })).toBe(false);
    expect(contextAllows(rules, member([]), { context: 'docs', permissions: ['load'] })).toBe(true);
  });
});

describe('contexts', () => {
  const rules = snapshot({
    contextRules: [rule({ target: 'web' }), rule({ target: 'mgr', group: 1, authority: 0, policy: 3 })],
  });
  const cases: readonly [string, Principal, string, string[], boolean][] = [
    ['anonymous has what the policy of group 0 holds', anonymousPrincipal, 'web', ['load'], true],
    ['anonymous has nothing else', anonymousPrincipal, 'web', ['load', 'view'], false],
    ['anonymous has nothing where only others have rules', anonymousPrincipal, 'mgr', ['load'], false],
    ['a context without rules is open to every caller', anonymousPrincipal, 'docs', ['load', 'save'], true],
    ['rules for anonymous do not reach members', member([[7, 0]]), 'web', ['load'], false],
    ['a member with enough authority', member([[1, 0]]), 'mgr', ['load', 'anything'], true],
    ['a member with too weak a role', member([[1, 10]]), 'mgr', ['load'], false],
    ['sudo passes every check', member([], true), 'mgr', ['load'], true],
  ];
  it.each(cases)('%s', (_name, principal, context, permissions, allowed) => {
    expect(contextAllows(rules, principal, { context, permissions })).toBe(allowed);
  });

  it('a policy that does not exist grants everything, as in the CMS', () => {
    const lost = snapshot({ contextRules: [rule({ target: 'web', policy: 99 })] });
    expect(contextAllows(lost, anonymousPrincipal, { context: 'web', permissions: ['whatever'] })).toBe(true);
  });
});

describe('resource groups', () => {
  const rules = snapshot({
    resourceGroupRules: [
      rule({ target: '1', group: 2, policy: 2, context: 'web' }),
      rule({ target: '2', group: 0, policy: 2 }),
      rule({ target: '3', group: 0, policy: 1 }),
      rule({ target: '4', group: 2, policy: 2, context: 'docs' }),
    ],
  });
  const asked = { context: 'web', permissions: ['load', 'list'], enabled: true };

  it('protects by every group with a rule in this context and lets in by one granting rule', () => {
    expect(decideResourceGroups(rules, anonymousPrincipal, asked)).toEqual({ protecting: [1, 2, 3], granting: [2] });
    expect(decideResourceGroups(rules, member([[2, 9999]]), asked)).toEqual({ protecting: [1, 2, 3], granting: [1] });
  });

  it('protects nothing for sudo or where the setting is off', () => {
    const open = { protecting: [], granting: [] };
    expect(decideResourceGroups(rules, member([], true), asked)).toEqual(open);
    expect(decideResourceGroups(rules, anonymousPrincipal, { ...asked, enabled: false })).toEqual(open);
  });

  const decision = { protecting: [1, 2], granting: [2] };
  const cases: readonly [string, number[], boolean][] = [
    ['in no group', [], true],
    ['only in groups without rules here', [9], true],
    ['in a protecting group', [1], false],
    ['in a protecting and a granting group', [1, 2], true],
    ['in a protecting group and one without rules', [1, 9], false],
  ];
  it.each(cases)('a resource %s', (_name, groups, allowed) => {
    expect(groupsAllow(decision, groups)).toBe(allowed);
  });

  it('another rule for others never opens a group to anonymous', () => {
    const groups = fc.integer({ min: 1, max: 4 });
    const anyRule = fc.record({
      target: groups.map(String),
      group: fc.integer({ min: 1, max: 5 }),
      authority: fc.constant(9999),
      policy: fc.constantFrom(1, 2, 3),
      context: fc.constantFrom('', 'web'),
    });
    fc.assert(
      fc.property(fc.array(anyRule), fc.array(groups), (extra, of) => {
        const before = decideResourceGroups(rules, anonymousPrincipal, asked);
        const more = snapshot({ resourceGroupRules: [...rules.resourceGroupRules, ...extra] });
        const after = decideResourceGroups(more, anonymousPrincipal, asked);
        if (groupsAllow(after, of)) expect(groupsAllow(before, of)).toBe(true);
      }),
    );
  });
});

describe('template variables and element categories', () => {
  const everywhere = { context: 'web', enabled: true };

  it('hides a tv whose groups do not let the caller load it', () => {
    const rules = snapshot({
      resourceGroupRules: [rule({ target: '1', group: 2 }), rule({ target: '2' })],
      tvGroups: new Map([
        [10, [1]],
        [11, [1, 2]],
        [12, [9]],
      ]),
    });
    expect(hiddenTvs(rules, anonymousPrincipal, everywhere)).toEqual(new Set([10]));
    expect(hiddenTvs(rules, anonymousPrincipal, { context: 'web', enabled: false })).toEqual(new Set());
  });

  it('hides categories with rules for others only', () => {
    const rules = snapshot({
      categoryRules: [
        rule({ target: '4', group: 2 }),
        rule({ target: '5' }),
        rule({ target: '6', group: 2, context: 'docs' }),
      ],
    });
    expect(hiddenCategories(rules, anonymousPrincipal, everywhere)).toEqual(new Set([4]));
    expect(hiddenCategories(rules, anonymousPrincipal, { context: 'web', enabled: false })).toEqual(new Set());
  });

  it('hides what lies below a category with rules, unless a rule below lets the caller in', () => {
    const parents = new Map([
      [1, 0],
      [2, 1],
      [3, 2],
      [4, 0],
      [5, 1],
    ]);
    const rules = snapshot({
      categoryRules: [rule({ target: '1', group: 2 }), rule({ target: '5' })],
      categories: { closure: closureOf(parents), parents },
    });
    expect(hiddenCategories(rules, anonymousPrincipal, everywhere)).toEqual(new Set([1, 2, 3]));
  });

  it('hides the same without the table of ancestors, and what is in a circle of parents', () => {
    const parents = new Map([
      [1, 0],
      [2, 1],
      [3, 2],
      [7, 8],
      [8, 7],
    ]);
    const rules = snapshot({
      categoryRules: [rule({ target: '1', group: 2 }), rule({ target: '8', group: 2 })],
      categories: { closure: new Map(), parents },
    });
    expect(hiddenCategories(rules, anonymousPrincipal, everywhere)).toEqual(new Set([1, 2, 3, 7, 8]));
  });

  const trees = fc
    .array(fc.nat(9), { minLength: 1, maxLength: 10 })
    .map((chosen) => new Map(chosen.map((parent, index) => [index + 1, parent <= index ? parent : 0])));
  const categoryRules = fc.array(
    fc.record({
      target: fc.integer({ min: 0, max: 10 }).map(String),
      group: fc.integer({ min: 0, max: 3 }),
      authority: fc.constantFrom(0, 9999),
      policy: fc.constantFrom(1, 2, 3, 99),
      context: fc.constantFrom('', 'web', 'docs'),
    }),
    { maxLength: 6 },
  );
  const principals = fc.constantFrom<Principal>(
    anonymousPrincipal,
    { userId: 3, sudo: false, groups: new Map([[1, 0]]) },
    { userId: 4, sudo: false, groups: new Map([[2, 9999]]) },
    { userId: 5, sudo: true, groups: new Map() },
  );

  it('decides each category by the rules of all its ancestors', () => {
    fc.assert(
      fc.property(trees, categoryRules, principals, (parents, rules, principal) => {
        const closure = closureOf(parents);
        const site = snapshot({ categoryRules: rules, categories: { closure, parents } });
        const hidden = hiddenCategories(site, principal, everywhere);
        for (const [category, ancestors] of closure) {
          // Rules of all ancestors as if they were rules of one group of resources.
          const reaching = rules
            .filter((one) => ancestors.includes(Number(one.target)))
            .map((one) => ({ ...one, target: '1' }));
          const asked = { ...everywhere, permissions: ['load'] };
          const decision = decideResourceGroups(snapshot({ resourceGroupRules: reaching }), principal, asked);
          expect([category, hidden.has(category)]).toEqual([category, !groupsAllow(decision, [1])]);
        }
      }),
    );
  });

  it('never opens a category by rows that are missing in the table of ancestors', () => {
    fc.assert(
      fc.property(
        trees,
        categoryRules,
        principals,
        fc.infiniteStream(fc.boolean()),
        (parents, rules, principal, keep) => {
          const whole = closureOf(parents);
          const broken = new Map(
            [...whole].map(([category, ancestors]) => [category, ancestors.filter(() => keep.next().value === true)]),
          );
          const hiddenIn = (closure: CategoryTree['closure'], known: CategoryTree['parents']) =>
            hiddenCategories(
              snapshot({ categoryRules: rules, categories: { closure, parents: known } }),
              principal,
              everywhere,
            );
          const now = hiddenIn(broken, parents);
          // As the CMS decides with these rows, and as it would with all of them.
          for (const one of hiddenIn(whole, parents)) expect([one, now.has(one)]).toEqual([one, true]);
          for (const [category, ancestors] of broken) {
            const reaching = rules
              .filter((one) => ancestors.includes(Number(one.target)))
              .map((one) => ({ ...one, target: '1' }));
            const asked = { ...everywhere, permissions: ['load'] };
            const decision = decideResourceGroups(snapshot({ resourceGroupRules: reaching }), principal, asked);
            if (!groupsAllow(decision, [1])) expect([category, now.has(category)]).toEqual([category, true]);
          }
        },
      ),
    );
  });
});

/** The table of ancestors as the CMS keeps it: each category itself, what it lies in, and the root. */
function closureOf(parents: ReadonlyMap<number, number>): Map<number, number[]> {
  return new Map(
    [...parents.keys()].map((category) => {
      const ancestors = [category];
      for (let at = category; at > 0; at = parents.get(at) ?? 0) ancestors.push(parents.get(at) ?? 0);
      return [category, ancestors];
    }),
  );
}
