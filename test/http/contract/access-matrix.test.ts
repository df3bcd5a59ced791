/**
 * Who may call what: every row of the gateway's endpoint table × every kind of identity → status. The table is a golden
 * file: an endpoint that is added, or opened, changes it in plain sight.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Identity } from '../../../src/access/identity.js';
import { expectGolden } from '../../support/golden.js';
import type { TestSite } from '../../support/site.js';
import { endpoints, pathOf, scopeOf, startFilledSite } from './gateway-table.js';

const scopesInUse = new Set(endpoints.map(scopeOf).filter((scope) => scope !== null));

function key(id: string, scopes: readonly string[]): Identity {
  return { kind: 'api_key', id, scopes: new Set(scopes), userId: null };
}

/** `exactly:<scope>` holds that scope, `without:<scope>` every other one that any route asks for. */
const identities: Record<string, Identity> = {
  everything: key('everything', ['*']),
  nothing: key('nothing', []),
  session: { kind: 'session', id: 'session', userId: 1 },
};
for (const scope of scopesInUse) {
  identities[`exactly:${scope}`] = key('exactly', [scope]);
  identities[`without:${scope}`] = key(
    'without',
    [...scopesInUse].filter((other) => other !== scope),
  );
}

const columns: readonly (readonly [heading: string, identity: (scope: string | null) => string | undefined])[] = [
  ['anonymous', () => undefined],
  ['wrong', () => 'a credential that nobody has'],
  ['without', (scope) => (scope === null ? 'nothing' : `without:${scope}`)],
  ['exactly', (scope) => (scope === null ? 'nothing' : `exactly:${scope}`)],
  ['*', () => 'everything'],
  ['session', () => 'session'],
];

describe('the gateway', () => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startFilledSite({ identities, env: { HCD_GATEWAY_OAUTH_ENABLED: '1' } });
  });

  it('lets in whom the table says', async () => {
    const lines: string[] = [];
    const heading = ['endpoint', ...columns.map(([name]) => name)];
    for (const endpoint of endpoints) {
      const path = pathOf(endpoint);
      const scope = scopeOf(endpoint);
      const statuses: string[] = [];
      for (const [, identity] of columns) {
        const as = identity(scope);
        const { status } = await site.get(path, { method: endpoint.method, ...(as === undefined ? {} : { as }) });
        statuses.push(String(status));
      }
      lines.push(
        [`${endpoint.method} ${endpoint.path}`.padEnd(34), ...statuses.map((status) => status.padEnd(9))]
          .join(' ')
          .trimEnd(),
      );
    }
    const first = [heading[0]?.padEnd(34), ...heading.slice(1).map((name) => name.padEnd(9))].join(' ').trimEnd();
    expectGolden('http/contract/access-matrix.txt', `${first}\n${lines.join('\n')}\n`);
  });

  it('refuses a scope with its own words, and tells nothing else', async () => {
    for (const endpoint of endpoints) {
      const scope = scopeOf(endpoint);
      if (scope === null) continue;
      // Rights come before validation (contract 1.4): the parameters are wrong as well.
      const path = `${pathOf(endpoint)}?limit=x&fields=nothing&filter[nothing]=1&context=nowhere`;
      const { body } = await site.get(path, { method: endpoint.method, as: `without:${scope}` });
      expect(body).toMatchObject({ status: 403, code: 'scope_denied', detail: expect.stringContaining(scope) });
      expect(body).not.toHaveProperty('errors');
    }
  });

  it('knows no object, route or method before the credential is looked at', async () => {
    for (const as of [undefined, 'everything', 'nothing', 'a credential that nobody has']) {
      const asking = as === undefined ? {} : { as };
      expect((await site.get('/objects/nothing', asking)).status).toBe(404);
      expect((await site.get('/objects/__proto__/1', asking)).status).toBe(404);
      expect((await site.get('/nothing', asking)).status).toBe(404);
      expect((await site.get('/chunks', { ...asking, method: 'POST' })).status).toBe(405);
    }
  });
});
