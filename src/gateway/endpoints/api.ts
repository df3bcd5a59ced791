/** The gateway as a module for the HTTP mechanism: its endpoint table, the order of its checks, its policy. */
import { admit as checkAccess } from '../../access/admit.js';
import type { Identity } from '../../access/identity.js';
import type { Settings } from '../../config/settings.js';
import {
  type ApiModule,
  type ApiPolicy,
  type Caller,
  type CorsPolicy,
  corsPolicy,
  derived,
  type FinishedReport,
  type Mount,
  mountAt,
  previewParameter,
} from '../../http/interface/api.js';
import type { Call, Endpoint, Reply } from '../../http/interface/endpoint.js';
import { admit, authenticate, checkCsrf, checkEnabled, checkRoute, limitRequests } from '../../http/stages/checks.js';
import type { VerifyPreview } from '../../identity/previews/preview-verifier.js';
import { after } from '../../values/after.js';
import { isJsonObject } from '../../values/json.js';
import { perObject } from '../../values/kept-values.js';
import { checkObject, gatewayCsrf, gatewayLimit, identifyCaller, type VerifyCredential } from '../http/checks.js';
import type { GatewayDeps } from '../http/deps.js';
import { renderProblem } from '../http/envelope.js';
import { renderOauthProblem, speaksOauth } from '../http/oauth.js';
import { problemEndpoints } from '../http/problem-pages.js';
import { type ChangesDeps, changesEndpoints } from './changes.js';
import { discoveryEndpoints } from './discovery.js';
import { elementEndpoints, objectEndpoints } from './elements.js';
import { mediaEndpoints } from './media.js';
import { metaEndpoints } from './meta.js';
import { oauthEndpoints } from './oauth.js';
import { previewEndpoints } from './previews.js';
import { resourceEndpoints } from './resources.js';
import { sessionEndpoints } from './session.js';

const writingMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

type Values = ReturnType<GatewayDeps['live']>['settings']['values'];

export function gatewayEndpoints(deps: ChangesDeps): readonly Endpoint[] {
  const table: Endpoint[] = [
    ...discoveryEndpoints(deps),
    ...metaEndpoints({ ...deps, settings: () => deps.live().settings.values, endpoints: () => table }),
    ...problemEndpoints,
    ...oauthEndpoints(deps),
    ...sessionEndpoints(deps),
    ...resourceEndpoints(deps),
    ...elementEndpoints(deps),
    ...objectEndpoints(deps),
    ...previewEndpoints(deps),
    ...mediaEndpoints(deps),
    ...changesEndpoints(deps),
  ];
  return Object.freeze(table.map(namingIgnored));
}

/** Callers with a credential learn which parameters were ignored: a misspelled one would go unnoticed. */
function namingIgnored(endpoint: Endpoint): Endpoint {
  const name = (reply: Reply, ignored: readonly string[]): Reply => {
    const value = reply.body.kind === 'json' ? reply.body.value : undefined;
    if (!isJsonObject(value) || !isJsonObject(value['meta'])) return reply;
    return { ...reply, body: { kind: 'json', value: { ...value, meta: { ...value['meta'], ignored } } } };
  };
  return {
    ...endpoint,
    handler(call) {
      // A preview counts on routes without drafts, too: it has to be valid there.
      const ignored = call.ignored.filter((parameter) => parameter !== previewParameter);
      if (ignored.length === 0 || call.identity.kind === 'anonymous') return endpoint.handler(call);
      const reply = endpoint.handler(call);
      return after(reply, (made) => name(made, ignored));
    },
  };
}

export function gatewayApi(
  deps: GatewayDeps,
  { verify, verifyPreview }: { readonly verify: VerifyCredential; readonly verifyPreview: VerifyPreview },
): ApiModule {
  const settings = () => deps.live().settings.values;
  const limit = gatewayLimit(deps.countCaller);
  const identify = (caller: Caller) =>
    identifyCaller(caller, { verify, verifyPreview, findSession: (cookies) => deps.sessionService.find(cookies) });
  return {
    name: 'gateway',
    endpoints: gatewayEndpoints({ ...deps, identify: async (call) => identify(callerOfCall(call)) }),
    // Unknown routes are 404 even while the service is off; rights are checked before validation.
    checks: [
      checkRoute(),
      checkEnabled(),
      authenticate(identify, limit),
      limitRequests(limit),
      checkCsrf(gatewayCsrf(settings)),
      admit(({ endpoint, identity, params }) => {
        checkAccess({ access: endpoint.access, identity, params, sessions: deps.sessions });
        checkObject(deps.registry, { access: endpoint.access, params });
      }),
    ],
    limit,
    vary: 'Authorization, X-API-Key, X-Context, Cookie, Origin, Accept-Encoding',
    selectingHeaders: ['x-context'],
    callerKey: perObject(callerKey),
    parameterProblem: 'validation_failed',
    policy: derived(() => deps.live().settings, policyOf),
    renderError(error, info) {
      return (speaksOauth(info.endpoint) ? renderOauthProblem : renderProblem)(error, info, deps.base());
    },
    finished: gatewayAudit(settings, deps.audit),
  };
}

function callerOfCall(call: Call): Caller {
  const queryValues = (name: string) => call.query.filter(([key]) => key === name).map(([, value]) => value);
  const { clientIp, isSecure, forwardedAddress, method } = call;
  return { header: (name) => call.header(name), queryValues, clientIp, isSecure, forwardedAddress, method };
}

/** Answers to sessions are for one user of a browser, and have the token of the session. */
function callerKey(identity: Identity): string | null {
  if (identity.kind !== 'api_key' && identity.kind !== 'access_token') return null;
  const { kind, id, userId, scopes } = identity;
  return JSON.stringify([kind, id, userId, [...scopes].sort()]);
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

function gatewayAudit(settings: () => Values, write: GatewayDeps['audit']): (report: FinishedReport) => void {
  return function audit(finished) {
    const values = settings();
    const { caller, ...report } = finished;
    const isAudited = writingMethods.has(report.method) || (report.method === 'GET' && values.gateway_audit_log_get);
    if (!values.gateway_audit_enabled || !isAudited) return;
    write({ ...report, context: contextOf(caller) ?? values.gateway_context });
  };
}

/** The caller may not be allowed to use it. */
function contextOf(caller: FinishedReport['caller']): string | undefined {
  const [asked] = [caller.header('x-context'), ...caller.queryValues('context')].filter((text) => text?.trim());
  return asked?.trim();
}

export function gatewayBase(prefix: string): string {
  return `${prefix}/v1`;
}

/** At the fallback entry the rest of the path counts, then `route`, then `path` (docs/reference/http.md#addresses). */
export function gatewayMounts(prefix: string): readonly Mount[] {
  const linkBase = gatewayBase(prefix);
  return Object.freeze([
    mountAt(linkBase),
    { base: '/api.php', linkBase, routeParameters: ['route', 'path'], prefixes: [linkBase, '/v1'] },
  ]);
}

/** Null while it is turned off, or without a listed origin. */
export function gatewayCors(values: Settings): CorsPolicy | null {
  if (!values.gateway_cors_enabled) return null;
  return corsPolicy(values.gateway_cors_allowed_origins, {
    methods: values.gateway_cors_allowed_methods,
    requestHeaders: values.gateway_cors_allowed_headers,
    exposed: values.gateway_cors_expose_headers,
    credentials: values.gateway_cors_allow_credentials,
  });
}
