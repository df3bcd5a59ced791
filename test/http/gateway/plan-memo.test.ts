/** Remembered plans: equal questions share one, and rights or settings that changed never meet an old one. */
import { describe, expect, it } from 'vitest';
import { type AccessSnapshot, anonymousPrincipal, type Principal } from '../../../src/access/acl.js';
import type { Caller } from '../../../src/access/authorize.js';
import { anonymous, type Identity } from '../../../src/access/identity.js';
import { PlanMemo, type Question } from '../../../src/apis/gateway/plan-memo.js';
import { chunks, snippets } from '../../../src/objects/elements.js';

const view = (): AccessSnapshot => ({
  contextRules: [],
  resourceGroupRules: [],
  categoryRules: [],
  policies: new Map(),
  tvGroups: new Map(),
});
const firstView = view();
const key = (scopes: readonly string[]): Identity => ({
  kind: 'api_key',
  id: 'k',
  scopes: new Set(scopes),
  userId: null,
});

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
    sessions: { holds: () => false },
    defaultContext: 'web',
    allowedContexts: ['web'],
    contextExists: () => true,
    resourceGroupsEnabled: () => true,
  };
  const call = {
    identity,
    params: {},
    query: asked.query ?? [],
    header: (name: string) => (name === 'x-context' ? asked.context : undefined),
    body: null,
    requestId: 'request-1',
    clientIp: '192.0.2.1',
    origin: 'http://127.0.0.1',
    path: '',
    base: '',
    method: 'GET',
    mediaType: 'application/json',
    signal: new AbortController().signal,
  } as const;
  return { call, caller, definition: asked.definition ?? chunks };
}

/** Whether the second question is answered with what the first one made. */
function shares(first: Asked, second: Asked): boolean {
  const memo = new PlanMemo<string>();
  memo.get(question(first), () => 'first');
  return memo.get(question(second), () => 'second') === 'first';
}

describe('two questions', () => {
  const member: Principal = { userId: 4, sudo: false, groups: new Map([[1, 0]]) };
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
    ['users, whose rights are read each time', { principal: member }, { principal: member }, false],
    [
      'sessions likewise',
      { identity: { kind: 'session', id: '4', userId: 4, principal: member, csrfToken: '' } },
      { identity: { kind: 'session', id: '4', userId: 4, principal: member, csrfToken: '' } },
      false,
    ],
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
