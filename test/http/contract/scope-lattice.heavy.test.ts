/**
 * Every route × every scope × every kind of caller: who holds exactly one scope gets in where the model says so and
 * nowhere else. Texts that look like scopes and are none open nothing.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Identity } from '../../../src/access/identity.js';
import { coreObjects } from '../../../src/content/objects/core-objects.js';
import { defineObject } from '../../../src/content/objects/definition.js';
import { freshSqliteUrl } from '../../support/databases.js';
import { integer, text } from '../../support/fields.js';
import { seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { grant, type Reply, userRow, Visitor } from '../gateway/session-visitor.js';
import { type Kind, mayEnter } from './access-model.js';
import { endpoints, fillSite } from './gateway-table.js';

/** An extra object whose records are read and made, and never changed. */
const notes = defineObject({
  name: 'notes',
  table: 'site_snippets',
  fields: { id: integer(), name: text(50) },
  filterable: ['id'],
  required: ['name'],
  readable: true,
  creatable: true,
});
const extra = { notes: ['create'] } as const;

const objectNames = [...coreObjects.map(({ name }) => name), notes.name];
const actions = ['read', 'create', 'update', 'delete'];

const scopes = [
  ...objectNames.flatMap((name) =>
    (name === 'resources' || name === 'notes' ? actions : ['read', 'update']).map((action) => `${name}.${action}`),
  ),
  ...['*', 'preview', 'context.web', 'context.mgr', 'fields.createdby'],
  // None of these is a scope.
  ...['resources', 'resources.*', '*.read', 'Resources.Read', 'resources.readable', 'resources.read,chunks.read'],
  ...['chunk.read', 'objects.read', 'objects.create', 'admin', 'true'],
];

interface Route {
  readonly method: string;
  readonly route: string;
  readonly object: string | null;
  readonly path: string;
}

const places: Readonly<Record<string, string>> = { id: '1', key: 'web', slug: 'not-found', uri: 'index' };

/** Every row of the table, those of registered objects once per object. */
const routes: readonly Route[] = endpoints.flatMap(({ method, path: route }) => {
  const names = route.includes('/:name') ? objectNames : [null];
  return names.map((object) => {
    const fill = (_whole: string, name: string): string => {
      if (name === 'name') return object ?? '';
      return name === 'id' && object === 'contexts' ? 'web' : (places[name] ?? '');
    };
    return { method, route, object, path: route.replace(/[:*](\w+)/g, fill) };
  });
});

/** A request that changes nothing: a body that no route takes, a key that no record has. */
function harmless({ method, path }: Route): { readonly path: string; readonly json?: unknown } {
  if (method === 'GET') return { path };
  return { path: path.replace(/\/1$/, '/4000'), ...(method === 'DELETE' ? {} : { json: { nothing: 1 } }) };
}

const identities: Record<string, Identity> = {};
scopes.forEach((scope, at) => {
  for (const kind of ['api_key', 'access_token'] as const) {
    identities[`${kind}-${at}`] = { kind, id: `${kind}-${at}`, scopes: new Set([scope]), userId: null };
  }
});

describe('the gateway lets in exactly whom the model says', () => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startTestSite({
      databaseUrl: await freshSqliteUrl(),
      identities,
      extra: [notes],
      env: { HCD_GATEWAY_OAUTH_ENABLED: '1' },
    });
    await fillSite(site);
    await seed(site.store, { users: scopes.map((_, at) => userRow({ id: 100 + at, username: `user-${at}` })) });
    await grant(site.store, Object.fromEntries(scopes.map((scope, at) => [100 + at, ['load', 'list', 'view', scope]])));
    await site.live.refresh();
  });

  /** Where the answer is not the one of the model; `ask` sends the request. */
  async function differences(
    kind: Kind,
    scope: string,
    ask: (path: string, asked: { readonly method: string; readonly json?: unknown }) => Promise<Reply>,
  ): Promise<string[]> {
    const found: string[] = [];
    for (const one of routes) {
      const { path, ...rest } = harmless(one);
      const { status, body } = await ask(path, { method: one.method, ...rest });
      // A refusal for rights; log-ins and OAuth clients that are wrong are refused for something else.
      const code = String(body['code']);
      const entered = code !== 'token_required' && code !== 'scope_denied';
      const known = status === 200 || status === 400 || status === 404 || status === 422;
      const expected = mayEnter({ ...one, kind, scope, extra });
      const isRight = entered === expected && (entered ? known : status === (kind === 'anonymous' ? 401 : 403));
      if (!isRight) found.push(`${kind} with ${scope}: ${one.method} ${one.path} ${status} ${code}`);
    }
    return found;
  }

  it('anonymous callers', async () => {
    const stranger = new Visitor(site);
    expect(await differences('anonymous', '', (path, asked) => stranger.ask(path, asked))).toEqual([]);
  });

  it.each(['api_key', 'access_token'])('callers with one scope and %s', async (kind) => {
    const stranger = new Visitor(site);
    const found: string[] = [];
    for (const [at, scope] of scopes.entries()) {
      const headers = { authorization: `Bearer ${kind}-${at}` };
      found.push(...(await differences('keyed', scope, (path, asked) => stranger.ask(path, { ...asked, headers }))));
    }
    expect(found).toEqual([]);
  });

  it('sessions with one permission', async () => {
    const found: string[] = [];
    for (const [at, scope] of scopes.entries()) {
      const visitor = new Visitor(site);
      const logIn = () => visitor.logIn(`user-${at}`, { password: `the password of user-${at}` });
      await logIn();
      found.push(
        ...(await differences('session', scope, async (path, asked) => {
          const reply = await visitor.ask(path, asked);
          if (path === '/auth/session' && asked.method === 'DELETE') await logIn();
          return reply;
        })),
      );
    }
    expect(found).toEqual([]);
  });
});
