/** The CMS's access rules as pure decisions (storage.md 2.10). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AccessRule,
  type AccessSnapshot,
  anonymousPrincipal,
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

  it("are nobody's in a context without rules, although everybody may use it", () => {
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
    ['and nothing else', anonymousPrincipal, 'web', ['load', 'view'], false],
    ['anonymous has nothing where only others have rules', anonymousPrincipal, 'mgr', ['load'], false],
    ['a context without rules is open to everybody', anonymousPrincipal, 'docs', ['load', 'save'], true],
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
  it('hides a tv whose groups do not let the caller load it', () => {
    const rules = snapshot({
      resourceGroupRules: [rule({ target: '1', group: 2 }), rule({ target: '2' })],
      tvGroups: new Map([
        [10, [1]],
        [11, [1, 2]],
        [12, [9]],
      ]),
    });
    expect(hiddenTvs(rules, anonymousPrincipal, 'web')).toEqual(new Set([10]));
  });

  it('hides categories with rules for others only', () => {
    const rules = snapshot({
      categoryRules: [
        rule({ target: '4', group: 2 }),
        rule({ target: '5' }),
        rule({ target: '6', group: 2, context: 'docs' }),
      ],
    });
    expect(hiddenCategories(rules, anonymousPrincipal, 'web')).toEqual(new Set([4]));
  });
});
