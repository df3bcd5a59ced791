/** The banner API as the HTTP mechanism takes it: mount, order of checks, endpoint table. */

import { anonymous } from '../../access/identity.js';
import type { Settings } from '../../config/settings.js';
import { type ApiModule, type ApiPolicy, corsPolicy, mountAt } from '../../http/interface/api.js';
import type { Endpoint } from '../../http/interface/endpoint.js';
import { admit, authenticate, checkEnabled, checkRoute, limitRequests } from '../../http/stages/checks.js';
import type { RateCounter, RefusedKeys } from '../../identity/limits/counter.js';
import { derived } from '../../values/kept-values.js';
import { admitBanners, authenticateBanners, bannersLimit, type KeySettings } from '../http/checks.js';
import { renderBannersError } from '../http/envelope.js';
import type { ManagementDeps } from '../http/routes.js';
import { adsReadEndpoints, adsWriteEndpoints } from './ads.js';
import { auditEndpoint } from './audit.js';
import { type ConversionsDeps, conversionsEndpoint } from './conversions.js';
import { bannersDocument, discoveryEndpoint, openapiEndpoint } from './discovery.js';
import { positionEndpoints, templatesEndpoint } from './positions.js';
import { type SlotsDeps, slotsEndpoint } from './slots.js';
import { type StatisticsDeps, statisticsEndpoints } from './statistics.js';

export const bannersBase = '/banners/api.php';

interface BannersSettings
  extends Pick<
      Settings,
      | 'banners_api_enabled'
      | 'banners_api_write_enabled'
      | 'banners_api_rate_limit'
      | 'gateway_rate_limit_without_counter'
      | 'banners_api_cors_origin'
      | 'banners_timezone'
      | 'banners_public_url'
    >,
    KeySettings {}

interface BannersDeps extends ManagementDeps {
  readonly settings: () => BannersSettings;
  readonly counter: RateCounter;
  readonly refusedKeys: RefusedKeys;
  readonly readerFor: StatisticsDeps['readerFor'];
  readonly flush: () => Promise<void>;
  readonly slots: SlotsDeps;
  readonly conversions: ConversionsDeps;
  readonly now: () => number;
}

export function makeBannersApi(deps: BannersDeps): ApiModule {
  const { settings, counter, now } = deps;
  const endpoints: readonly Endpoint[] = [
    discoveryEndpoint(() => endpoints),
    ...adsReadEndpoints(deps),
    ...adsWriteEndpoints(deps),
    ...positionEndpoints(deps),
    ...statisticsEndpoints(deps),
    slotsEndpoint(deps.slots),
    conversionsEndpoint(deps.conversions),
    auditEndpoint(deps),
    templatesEndpoint(deps),
    openapiEndpoint({
      endpoints: () => endpoints,
      address: ({ base }) => `${settings().banners_public_url}${base}`,
    }),
  ].map((endpoint) => (isCounting(endpoint) ? afterFlush(endpoint, deps.flush) : endpoint));
  const limit = bannersLimit(settings, { counter, refusedKeys: deps.refusedKeys });
  return {
    name: 'banners',
    endpoints,
    // A caller without the key learns nothing about routes.
    checks: [
      checkEnabled(),
      // Slots are for the pages of visitors, who have no key.
      authenticate(
        (caller, endpoint) =>
          endpoint?.access.kind === 'public'
            ? anonymous
            : authenticateBanners(caller, { settings: settings(), now: now() }),
        limit,
      ),
      limitRequests(limit),
      checkRoute(),
      admit((question) => admitBanners(question, settings())),
    ],
    vary: 'Authorization, X-API-Key',
    parameterProblem: 'bad_request',
    policy: derived(settings, makeBannersPolicy),
    renderError: renderBannersError,
    document: () => bannersDocument(endpoints, bannersBase),
  };
}

function isCounting({ method, access }: Endpoint): boolean {
  return method === 'GET' && access.kind === 'scope';
}

/** The same endpoint, whose answer includes every event that this process has recorded before. */
function afterFlush(endpoint: Endpoint, flush: () => Promise<void>): Endpoint {
  return {
    ...endpoint,
    async handler(call) {
      await flush();
      return endpoint.handler(call);
    },
  };
}

export function makeBannersPolicy({ banners_api_enabled, banners_api_cors_origin }: BannersSettings): ApiPolicy {
  const cors = corsPolicy(banners_api_cors_origin, {
    methods: 'GET, POST, PATCH, OPTIONS',
    requestHeaders: 'Authorization, Content-Type, If-None-Match, X-API-Key, X-Request-ID',
    exposed:
      'Allow, Content-Disposition, ETag, Link, Location, Retry-After, WWW-Authenticate, X-Request-ID, X-Total-Count',
    credentials: false,
  });
  return {
    enabled: banners_api_enabled,
    mounts: [mountAt(bannersBase, ['route', 'path'])],
    // Preflights come from web pages of other origins; without allowed origins there is nothing to answer.
    answersOptions: cors !== null,
    caching: { kind: 'private' },
    cors,
  };
}
