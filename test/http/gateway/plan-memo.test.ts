/** Remembered plans: equal questions share one, and rights or settings that changed never meet an old one. */
import { describe, expect, it } from 'vitest';
import { type AccessSnapshot, anonymousPrincipal, type Principal } from '../../../src/access/acl.js';
import { anonymous, type Identity } from '../../../src/access/identity.js';
import { chunks, snippets } from '../../../src/content/objects/core-objects.js';
import type { Caller } from '../../../src/content/query/authorize.js';
import { PlanMemo, type Question } from '../../../src/gateway/http/deps.js';

const view = (): AccessSnapshot => ({
  contextRules: [],
  resourceGroupRules: [],
  categoryRules: [],
  policies: new Map(),
  tvGroups: new Map(),
  categories: { closure: new Map(), parents: new Map() },
});
const firstView = view();
const key = (scopes: readonly string[]): Identity => {
  return { kind: 'api_key', id: 'k', scopes: new Set(scopes), userId: null };
};

interface Asked {
  readonly identity?: Identity;
  readonly principal?: Principal;
  readonly snapshot?: AccessSnapshot;
  readonly query?: readonly (readonly [string, string])[];
  readonly context?: string;
  readonly definition?: Question['definition'];
}

function question(asked: Asked = {}): Question {
  const { identity = anonymous, principal = anonymousPrincipal, snapshot = firstView } = asked;
  const caller: Caller = {
    identity,
    principal,
    snapshot,
    tvs: new Map(),
    sessions: { holds: () => false },
    defaultContext: 'web',
    allowedContexts: ['web'],
    contextExists: () => true,
    resourceGroupsEnabled: () => true,
    categoriesEnabled: () => true,
    extendedColumns: false,
  };
  const header = (name: string) => (name === 'x-context' ? asked.context : undefined);
  const call = { identity, params: {}, query: asked.query ?? [], header } as unknown as Question['call'];
  return { call, caller, definition: asked.definition ?? chunks };
}

/** Whether the second question is answered with what the first one made. */
function shares(first: Asked, second: Asked): boolean {
  const memo = new PlanMemo<string>();
  memo.get(question(first), () => 'first');
  return memo.get(question(second), () => 'second') === 'first';
}

describe('two questions', () => {
  const member = (other: Partial<Principal> = {}): Principal => ({
    ...{ userId: 4, sudo: false, groups: new Map([[1, 0]]) },
    ...other,
  });
  const session = (principal: Principal): Asked => ({
    identity: { kind: 'session', id: '4', userId: 4, principal, csrfToken: '' },
    principal,
  });
  it.each<[name: string, first: Asked, second: Asked, expected: boolean]>([
    ['the same', {}, {}, true],
    ['scopes in another order', { identity: key(['a', 'b']) }, { identity: key(['b', 'a']) }, true],
    ['other scopes', { identity: key(['a']) }, { identity: key(['a', 'b']) }, false],
    ['anonymous and a key without scopes', {}, { identity: key([]) }, false],
    ['another query', { query: [['q', 'a']] }, { query: [['q', 'b']] }, false],
    ['the same text in name and value', { query: [['q', 'a']] }, { query: [['qa', '']] }, false],
    ['another context', { context: 'web' }, { context: 'docs' }, false],
    ['another object', { definition: chunks }, { definition: snippets }, false],
    ['another view of the rights', {}, { snapshot: view() }, false],
    ['a user, read each time', { principal: member() }, { principal: member() }, true],
    ['another user with the same roles', { principal: member() }, { principal: member({ userId: 5 }) }, true],
    ['another role', { principal: member() }, { principal: member({ groups: new Map([[1, 9]]) }) }, false],
    ['another group', { principal: member() }, { principal: member({ groups: new Map([[2, 0]]) }) }, false],
    ['no group and anonymous', { principal: member({ groups: new Map() }) }, {}, false],
    ['a user who may do everything', { principal: member() }, { principal: member({ sudo: true }) }, false],
    ['two sessions with the same roles', session(member()), session(member({ userId: 5 })), true],
    ['two sessions with other roles', session(member()), session(member({ groups: new Map() })), false],
    ['a session and a key of its user', session(member()), { identity: key([]), principal: member() }, false],
  ])('%s', (_name, first, second, expected) => {
    expect(shares(first, second)).toBe(expected);
  });
});

it('a request that began under older rights leaves nothing behind for the newer ones', () => {
  const memo = new PlanMemo<string>();
  const newer = view();
  memo.get(question({ snapshot: newer }), () => 'newer');
  expect(memo.get(question(), () => 'older')).toBe('older');
  expect(memo.get(question({ snapshot: newer }), () => 'newer again')).toBe('newer again');
});

it('a refusal is not remembered', () => {
  const memo = new PlanMemo<string>();
  const refuse = () => {
    throw new Error('refused');
  };
  expect(() => memo.get(question(), refuse)).toThrow('refused');
  expect(memo.get(question(), () => 'made')).toBe('made');
});
