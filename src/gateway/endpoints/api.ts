/** The gateway as a module for the HTTP mechanism: its endpoint table, the order of its checks, its policy. */
import type { Identity } from '../../access/identity.js';
import type { Settings } from '../../config/settings.js';
import {
  type ApiModule,
  type ApiPolicy,
  type Caller,
  type CorsPolicy,
  corsPolicy,
  type Mount,
  mountAt,
} from '../../http/interface/api.js';
import type { Call, Endpoint } from '../../http/interface/endpoint.js';
import type { VerifyPreview } from '../../identity/previews/manage-previews.js';
import type { SessionCookies } from '../../identity/sessions/session-service.js';
import { derived, perObject } from '../../values/kept-values.js';
import { gatewayAudit, gatewayChecks, gatewayIdentify, gatewayLimit, type VerifyCredential } from '../http/checks.js';
import type { GatewayDeps } from '../http/deps.js';
import { renderProblem } from '../http/envelope.js';
import { renderOauthProblem, speaksOauth } from '../http/oauth.js';
import { problemEndpoints } from '../http/problem-pages.js';
import { namingIgnored } from '../http/success.js';
import { type ChangesDeps, changesEndpoints } from './changes.js';
import { discoveryEndpoints } from './discovery.js';
import { elementEndpoints, objectEndpoints } from './elements.js';
import { mediaEndpoints } from './media.js';
import { metaEndpoints } from './meta.js';
import { oauthEndpoints } from './oauth.js';
import { previewEndpoints } from './previews.js';
import { resourceEndpoints } from './resources.js';
import { sessionEndpoints } from './session.js';

export function gatewayEndpoints(deps: ChangesDeps): readonly Endpoint[] {
  const table: Endpoint[] = [
    ...discoveryEndpoints(deps),
    ...metaEndpoints(deps, () => table),
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

export function gatewayApi(
  deps: GatewayDeps,
  { verify, verifyPreview }: { readonly verify: VerifyCredential; readonly verifyPreview: VerifyPreview },
): ApiModule {
  const { settings } = deps;
  const limit = gatewayLimit(deps.countCaller);
  const findSession = (cookies: SessionCookies) => deps.sessionService.find(cookies);
  const identify = gatewayIdentify({ verify, verifyPreview, findSession });
  return {
    name: 'gateway',
    endpoints: gatewayEndpoints({ ...deps, identify: async (call) => identify(callerOfCall(call), undefined) }),
    checks: gatewayChecks({ ...deps, settings, identify, limit }),
    limit,
    vary: 'Authorization, X-API-Key, X-Context, Cookie, Origin, Accept-Encoding',
    selectingHeaders: ['x-context'],
    callerKey: perObject(callerKey),
    parameterProblem: 'validation_failed',
    policy: derived(settings, policyOf),
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

function policyOf(values: Settings): ApiPolicy {
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
