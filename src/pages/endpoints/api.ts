/** The page delivery API as the HTTP mechanism takes it: mount, order of checks, endpoint table. */
import { admit as checkAccess } from '../../access/admit.js';
import { anonymous } from '../../access/identity.js';
import type { Settings } from '../../config/settings.js';
import { type ApiModule, type ApiPolicy, mountAt } from '../../http/interface/api.js';
import type { Endpoint } from '../../http/interface/endpoint.js';
import { admit, authenticate, checkEnabled, checkRoute, limitRequests } from '../../http/stages/checks.js';
import type { RateCounter, RefusedKeys } from '../../identity/limits/counter.js';
import type { VerifyPreview } from '../../identity/previews/manage-previews.js';
import { derived } from '../../values/kept-values.js';
import { renderPagesError } from '../http/envelope.js';
import { authenticatePages, type PageTokens, pagesLimit } from '../http/routes.js';
import { healthEndpoint, openapiEndpoint, pagesDocument, routesEndpoint } from './meta.js';
import { type PageSource, pagesEndpoints } from './pages.js';

export const pagesBase = '/pages/api/v1.php';

interface PagesDeps {
  readonly settings: () => Pick<
    Settings,
    'pages_rest_api_enabled' | 'pages_rest_throttle_per_minute' | 'pages_public_api_enabled' | 'pages_public_url'
  >;
  readonly delivery: PageSource;
  readonly version: string;
  readonly tokens: PageTokens;
  readonly verifyPreview: VerifyPreview;
  readonly counter: RateCounter;
  readonly refusedKeys: RefusedKeys;
  readonly now: () => number;
}

export function makePagesApi(deps: PagesDeps): ApiModule {
  const { settings, delivery, version, counter, refusedKeys, now } = deps;
  const endpoints: readonly Endpoint[] = [
    healthEndpoint({ version, now, isPublicApiEnabled: () => settings().pages_public_api_enabled }),
    ...pagesEndpoints(delivery),
    openapiEndpoint((call) =>
      pagesDocument({
        ...{ endpoints, version, identity: call.identity },
        base: `${settings().pages_public_url}${call.base}`,
      }),
    ),
    routesEndpoint(version, () => endpoints),
  ];
  const limit = pagesLimit(settings, { counter, refusedKeys });
  return {
    name: 'pages',
    endpoints,
    checks: [
      checkRoute(),
      checkEnabled(),
      authenticate((caller) => authenticatePages(caller, deps), limit),
      limitRequests(limit),
      admit(({ endpoint, identity, params }) =>
        // Manager sessions cannot call this API.
        checkAccess({ access: endpoint.access, identity, params, sessions: { holds: () => false } }),
      ),
    ],
    // Sent with every answer, errors and 304 included (docs/pages.md#caching).
    headers: { 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" },
    vary: 'Authorization',
    parameterProblem: 'bad_request',
    policy: derived(settings, makePolicy),
    renderError: renderPagesError,
    document: () => pagesDocument({ endpoints, version, identity: anonymous, base: pagesBase }),
  };
}

function makePolicy({ pages_rest_api_enabled }: Pick<Settings, 'pages_rest_api_enabled'>): ApiPolicy {
  return {
    enabled: pages_rest_api_enabled,
    mounts: [mountAt(pagesBase, ['path'])],
    answersOptions: false,
    caching: { kind: 'revalidate' },
    // Tokens are for servers; a browser would show them to its user.
    cors: null,
  };
}
