/**
 * Who may call which route of the gateway, as docs/reference/gateway.md#the-four-checks says: written by hand, so that
 * the endpoint table is measured by something that is not made of it.
 */

/** The kinds of callers. `keyed` means API keys and access tokens. */
export type Kind = 'anonymous' | 'keyed' | 'session';

export interface Rule {
  /** Who gets in without any scope. */
  readonly open: readonly Kind[];
  /** Who gets in with the scope. */
  readonly scoped: readonly Kind[];
  /** `{name}` is the object in the path. */
  readonly scope: string | null;
  /** The second scope that keys need. */
  readonly also?: string;
}

const everyCaller: Rule = { open: ['anonymous', 'keyed', 'session'], scoped: [], scope: null };
const sessions: Rule = { open: ['session'], scoped: [], scope: null };
const publicRead = (scope: string): Rule => ({ open: ['anonymous', 'session'], scoped: ['keyed'], scope });
const needs = (scope: string): Rule => ({ open: [], scoped: ['keyed', 'session'], scope });

/** By method and path as in the endpoint table. */
export const accessModel: Readonly<Record<string, Rule>> = {
  'GET /': everyCaller,
  'GET /health': everyCaller,
  'GET /schema': everyCaller,
  'GET /docs': everyCaller,
  'GET /docs/style.css': everyCaller,
  'GET /docs/app.js': everyCaller,
  'GET /docs/swagger-ui.css': everyCaller,
  'GET /docs/swagger-ui.js': everyCaller,
  'GET /meta/endpoints': everyCaller,
  'GET /meta/openapi': everyCaller,
  'GET /meta/openapi.json': everyCaller,
  'GET /problems': everyCaller,
  'GET /problems/:slug': everyCaller,
  'POST /auth/token': everyCaller,
  'POST /auth/revoke': everyCaller,
  'POST /auth/introspect': everyCaller,
  'POST /auth/session': everyCaller,
  'GET /auth/session': sessions,
  'DELETE /auth/session': sessions,
  'POST /previews': { ...needs('preview'), also: 'resources.read' },
  'GET /previews': needs('preview'),
  'DELETE /previews/:id': needs('preview'),
  'POST /media': needs('media.create'),
  'GET /media': needs('media.read'),
  'GET /media/*path': needs('media.read'),
  'DELETE /media/*path': needs('media.delete'),
  'GET /changes': publicRead('resources.read'),
  'GET /tree': publicRead('resources.read'),
  'GET /resources': publicRead('resources.read'),
  'GET /resources/:id': publicRead('resources.read'),
  'POST /resources': needs('resources.create'),
  'PUT /resources/:id': needs('resources.update'),
  'PATCH /resources/:id': needs('resources.update'),
  'DELETE /resources/:id': needs('resources.delete'),
  'GET /redirects': publicRead('resources.read'),
  'GET /pages': publicRead('resources.read'),
  'GET /pages/*uri': publicRead('resources.read'),
  'GET /contexts': needs('contexts.read'),
  'GET /contexts/:key': needs('contexts.read'),
  'GET /contexts/:key/settings': needs('contexts.read'),
  'GET /chunks': needs('chunks.read'),
  'GET /chunks/:id': needs('chunks.read'),
  'GET /templates': needs('templates.read'),
  'GET /templates/:id': needs('templates.read'),
  'GET /snippets': needs('snippets.read'),
  'GET /snippets/:id': needs('snippets.read'),
  'GET /tvs': needs('tvs.read'),
  'GET /tvs/:id': needs('tvs.read'),
  'GET /categories': needs('categories.read'),
  'GET /categories/:id': needs('categories.read'),
  'GET /content_types': needs('content_types.read'),
  'GET /content_types/:id': needs('content_types.read'),
  'GET /objects/:name': needs('{name}.read'),
  'GET /objects/:name/:id': needs('{name}.read'),
  'POST /objects/:name': needs('{name}.create'),
  'PUT /objects/:name/:id': needs('{name}.update'),
  'PATCH /objects/:name/:id': needs('{name}.update'),
  'DELETE /objects/:name/:id': needs('{name}.delete'),
};

type Action = 'read' | 'create' | 'update' | 'delete';

/** What the definitions allow at all: of the core objects only resources can be changed. */
const changes: Readonly<Record<string, readonly Action[]>> = { resources: ['create', 'update', 'delete'] };

export interface Asking {
  readonly method: string;
  /** Path of the row in the table. */
  readonly route: string;
  /** The object in the path, where the row has one. */
  readonly object: string | null;
  readonly kind: Kind;
  readonly scope: string;
  /** The actions on records of extra objects besides reading. */
  readonly extra?: Readonly<Record<string, readonly Action[]>>;
}

/** Whether a caller with exactly one scope is admitted. */
export function mayEnter({ method, route, object, kind, scope, extra = {} }: Asking): boolean {
  const rule = accessModel[`${method} ${route}`];
  if (rule === undefined) throw new Error(`the model does not know ${method} ${route}`);
  if (rule.open.includes(kind)) return true;
  if (!rule.scoped.includes(kind)) return false;
  const asked = rule.scope?.replace('{name}', object ?? '');
  const action = rule.scope?.split('.')[1] ?? 'read';
  const allowed: readonly string[] = ['read', ...(changes[object ?? ''] ?? extra[object ?? ''] ?? [])];
  if (object !== null && !allowed.includes(action)) return false;
  // The scope for everything is one of keys and tokens only.
  if (rule.also !== undefined && kind === 'keyed') return scope === '*';
  return scope === asked || (kind === 'keyed' && scope === '*');
}
