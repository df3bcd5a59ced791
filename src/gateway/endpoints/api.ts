/** The gateway as a module for the HTTP mechanism: its endpoint table, the order of its checks, its live policy. */
import { admit as checkAccess } from '../../access/admit.js';
import type { AppError } from '../../errors/app-error.js';
import type { ApiModule, ApiPolicy, ErrorInfo } from '../../http/interface/api.js';
import { derived } from '../../http/interface/derived.js';
import type { Endpoint, Reply } from '../../http/interface/endpoint.js';
import { admit, authenticate, checkCsrf, checkEnabled, checkRoute, limitRequests } from '../../http/stages/checks.js';
import { admitObject } from '../http/admit-object.js';
import { gatewayAudit } from '../http/audit.js';
import { identifyCaller, type VerifyCredential } from '../http/authenticate.js';
import { gatewayCors } from '../http/cors.js';
import { gatewayCsrf } from '../http/csrf.js';
import type { GatewayDeps } from '../http/deps.js';
import { renderProblem } from '../http/envelope.js';
import { gatewayMounts } from '../http/mounts.js';
import { renderOauthProblem, speaksOauth } from '../http/oauth-problem.js';
import { problemEndpoints } from '../http/problem-pages.js';
import { gatewayLimit } from '../http/rate-limit.js';
import { discoveryEndpoints } from './discovery.js';
import { elementEndpoints } from './elements.js';
import { metaEndpoints } from './meta.js';
import { oauthEndpoints } from './oauth.js';
import { objectEndpoints } from './objects.js';
import { resourceEndpoints } from './resources.js';
import { findSession, sessionEndpoints } from './session.js';

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
