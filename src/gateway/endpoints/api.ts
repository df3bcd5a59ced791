/** The gateway as a module for the HTTP mechanism: its endpoint table, the order of its checks, its live policy. */
import type { Access } from '../../access/access.js';
import { admit as checkAccess } from '../../access/admit.js';
import type { Settings } from '../../config/setting-definitions.js';
import type { ObjectDefinition, Registry } from '../../content/objects/definition.js';
import { AppError } from '../../errors/app-error.js';
import {
  type ApiModule,
  type ApiPolicy,
  derived,
  type ErrorInfo,
  type FinishedReport,
  type Mount,
} from '../../http/interface/api.js';
import { type CorsPolicy, corsPolicy } from '../../http/interface/cors.js';
import type { Endpoint, Reply } from '../../http/interface/endpoint.js';
import { admit, authenticate, checkCsrf, checkEnabled, checkRoute, limitRequests } from '../../http/stages/checks.js';
import { gatewayCsrf, gatewayLimit, identifyCaller, type VerifyCredential } from '../http/checks.js';
import type { GatewayDeps } from '../http/deps.js';
import { renderProblem } from '../http/envelope.js';
import { renderOauthProblem, speaksOauth } from '../http/oauth.js';
import { problemEndpoints } from '../http/problem-pages.js';
import { discoveryEndpoints } from './discovery.js';
import { elementEndpoints, objectEndpoints } from './elements.js';
import { metaEndpoints } from './meta.js';
import { oauthEndpoints } from './oauth.js';
import { resourceEndpoints } from './resources.js';
import { findSession, sessionEndpoints } from './session.js';

type Values = ReturnType<GatewayDeps['live']>['settings']['values'];

/** The gateway's endpoint table: every route that it has. */
export function gatewayEndpoints(deps: GatewayDeps): readonly Endpoint[] {
  const table: Endpoint[] = [
    ...discoveryEndpoints(deps),
    ...metaEndpoints({
      endpoints: () => table,
      registry: deps.registry,
      base: deps.base,
      address: () => `${deps.live().settings.values.gateway_public_url}${deps.base()}`,
      version: deps.version,
      maxLimit: () => deps.live().settings.values.gateway_max_limit,
      docsEnabled: () => deps.live().settings.values.gateway_swagger_enabled,
    }),
    ...problemEndpoints,
    ...oauthEndpoints({
      oauth: deps.oauth,
      enabled: () => isOauthOn(deps),
      passwordGrant: () => deps.live().settings.values.gateway_oauth_password_grant_enabled,
      base: deps.base,
    }),
    ...sessionEndpoints(deps),
    ...resourceEndpoints(deps),
    ...elementEndpoints(deps),
    ...objectEndpoints(deps),
  ];
  return Object.freeze(table);
}

export function gatewayApi(deps: GatewayDeps, verify: VerifyCredential): ApiModule {
  const settings = () => deps.live().settings.values;
  const limit = gatewayLimit(settings, deps.counter);
  return {
    name: 'gateway',
    endpoints: gatewayEndpoints(deps),
    // Unknown routes are 404 even while the service is off; rights come before validation.
    checks: [
      checkRoute(),
      checkEnabled(),
      authenticate(
        (caller) => identifyCaller(caller, { verify, findSession: (shown) => findSession(deps, shown) }),
        limit,
      ),
      limitRequests(limit),
      checkCsrf(gatewayCsrf(settings)),
      admit(({ endpoint, identity, params }) => {
        checkAccess({ access: endpoint.access, identity, params, sessions: deps.sessions });
        admitObject(deps.registry, { access: endpoint.access, params });
      }),
    ],
    limit,
    headers: {},
    vary: 'Authorization, X-API-Key, X-Context, Cookie, Origin, Accept-Encoding',
    selectingHeaders: ['x-context'],
    repeatedParameter: 'validation_failed',
    policy: derived(() => deps.live().settings, policyOf),
    renderError: (error, info) => renderError(deps, error, info),
    finished: gatewayAudit(settings, deps.audit),
  };
}

function isOauthOn({ live }: GatewayDeps): boolean {
  return live().settings.values.gateway_oauth_enabled;
}

function renderError(deps: GatewayDeps, error: AppError, info: ErrorInfo): Reply {
  if (!speaksOauth(info.endpoint)) return renderProblem(error, info, deps.base());
  return renderOauthProblem(error, info, deps.base());
}

function policyOf({ values }: ReturnType<GatewayDeps['live']>['settings']): ApiPolicy {
  return {
    enabled: values.gateway_enabled,
    mounts: gatewayMounts(values.gateway_api_prefix),
    maxPathBytes: values.gateway_max_uri_bytes,
    answersOptions: true,
    maxBodyBytes: values.gateway_max_body_bytes,
    json: {
      members: values.gateway_max_json_members,
      values: values.gateway_max_json_values,
      depth: values.gateway_max_json_depth,
    },
    caching: values.gateway_cache_enabled ? { kind: 'public', seconds: values.gateway_cache_ttl } : { kind: 'private' },
    cors: gatewayCors(values),
  };
}

type Action = Extract<Access, { kind: 'object_scope' }>['action'];

const flags: Readonly<Record<Action, (definition: ObjectDefinition) => boolean>> = {
  read: ({ readable }) => readable,
  create: ({ creatable }) => creatable,
  update: ({ updatable }) => updatable,
  delete: ({ deletable }) => deletable,
};

const words: Readonly<Record<Action, string>> = {
  read: 'read',
  create: 'created',
  update: 'changed',
  delete: 'removed',
};

/** Throws scope_denied where the object in the path does not allow the action of the route. */
function admitObject(
  registry: Registry,
  { access, params }: { readonly access: Access; readonly params: Readonly<Record<string, string>> },
): void {
  if (access.kind !== 'object_scope') return;
  const definition = registry.get(params['name'] ?? '');
  if (definition === undefined || flags[access.action](definition)) return;
  throw new AppError('scope_denied', {
    message: `Insufficient permissions: records of ${definition.name} cannot be ${words[access.action]}`,
  });
}

/** Makes the listener that hears of every answer. Requests that were refused count like all others. */
function gatewayAudit(settings: () => Values, write: GatewayDeps['audit']): (report: FinishedReport) => void {
  return function audit(finished) {
    const values = settings();
    if (!values.gateway_audit_enabled || !isAudited(finished.method, values)) return;
    const { caller, ...report } = finished;
    write({ ...report, context: contextOf(caller) ?? values.gateway_context });
  };
}

function isAudited(method: string, values: Values): boolean {
  switch (method) {
    case 'POST':
    case 'PUT':
    case 'PATCH':
    case 'DELETE':
      return true;
    case 'GET':
      return values.gateway_audit_log_get;
    default:
      return false;
  }
}

/** The context that was asked for; whether the caller may use it is another matter. */
function contextOf(caller: FinishedReport['caller']): string | undefined {
  const [asked] = [caller.header('x-context'), ...caller.queryValues('context')].filter((text) => text?.trim());
  return asked?.trim();
}

/** Path of the gateway's links and problem pages, for example `/api/v1`. */
export function gatewayBase(prefix: string): string {
  return `${prefix}/v1`;
}

/**
 * The mounts for a value of gateway_api_prefix. At the fallback entry the rest of the path counts, then `route`, then
 * `path`; each with or without the prefix (docs/reference/http.md#addresses). Links always name the prefixed address.
 */
export function gatewayMounts(prefix: string): readonly Mount[] {
  const linkBase = gatewayBase(prefix);
  return Object.freeze([
    { base: linkBase, linkBase, routeParameters: [], prefixes: [''] },
    { base: '/api.php', linkBase, routeParameters: ['route', 'path'], prefixes: [linkBase, '/v1'] },
  ]);
}

/** Null while they are switched off, or no origin is listed. */
export function gatewayCors(values: Settings): CorsPolicy | null {
  if (!values.gateway_cors_enabled) return null;
  return corsPolicy(values.gateway_cors_allowed_origins, {
    methods: values.gateway_cors_allowed_methods,
    requestHeaders: values.gateway_cors_allowed_headers,
    exposed: values.gateway_cors_expose_headers,
    credentials: values.gateway_cors_allow_credentials,
  });
}
