/** The banner API as the HTTP mechanism takes it: mount, order of checks, endpoint table. */
import type { Identity } from '../../access/identity.js';
import type { Settings } from '../../config/setting-definitions.js';
import type { ApiModule, ApiPolicy } from '../../http/interface/api.js';
import { corsPolicy } from '../../http/interface/cors.js';
import { derived } from '../../http/interface/derived.js';
import type { Endpoint } from '../../http/interface/endpoint.js';
import { admit, authenticate, checkEnabled, checkRoute, limitRequests } from '../../http/stages/checks.js';
import type { RateCounter } from '../../identity/limits/counter.js';
import type { RefusedKeys } from '../../identity/limits/refused-keys.js';
import { admitBanners } from '../http/admit-banners.js';
import { authenticateBanners, type KeySettings } from '../http/authenticate.js';
import { renderBannersError } from '../http/envelope.js';
import type { ManagementDeps } from '../http/management-deps.js';
import { bannersDocument } from '../http/openapi.js';
import { bannersLimit } from '../http/rate-limit.js';
import { adsListEndpoint } from './ads-list.js';
import { adsReadEndpoints } from './ads-read.js';
import { adsWriteEndpoints } from './ads-write.js';
import { auditEndpoint } from './audit.js';
import { type ConversionsDeps, conversionsEndpoint } from './conversions.js';
import { apiVersion, discoveryEndpoint } from './discovery.js';
import { openapiEndpoint } from './openapi.js';
import { positionEndpoints } from './positions.js';
import { type SlotsDeps, slotsEndpoint } from './slots.js';
import { type StatisticsDeps, statisticsEndpoints } from './statistics.js';
import { statisticsExportEndpoint } from './statistics-export.js';
import { templatesEndpoint } from './templates.js';

export const bannersBase = '/banners/api.php';

export interface BannersSettings
  extends Pick<
      Settings,
      | 'banners_api_enabled'
      | 'banners_api_write_enabled'
      | 'banners_api_rate_limit'
      | 'banners_api_cors_origin'
      | 'banners_timezone'
      | 'banners_public_url'
    >,
    KeySettings {}

export interface BannersDeps extends ManagementDeps {
  /** The current settings; another object after every change. */
  readonly settings: () => BannersSettings;
  /** Compares two secrets in constant time. */
  readonly isSameSecret: (given: string, expected: string) => boolean;
  readonly sha256: (text: string) => string;
  /** Counts requests for the rate limit. */
  readonly counter: RateCounter;
  readonly refusedKeys: RefusedKeys;
  readonly statistics: StatisticsDeps['statistics'];
  /** Writes the clicks and impressions that wait in this process. */
  readonly flush: () => Promise<void>;
  readonly slots: SlotsDeps;
  readonly conversions: ConversionsDeps;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Builds the module for makeHttpApp. */
export function makeBannersApi(deps: BannersDeps): ApiModule {
  const { settings, isSameSecret, sha256, counter, now } = deps;
  const endpoints: readonly Endpoint[] = [
    discoveryEndpoint(() => endpoints),
    adsListEndpoint(deps),
    ...adsReadEndpoints(deps),
    ...adsWriteEndpoints(deps),
    ...positionEndpoints(deps),
    ...statisticsEndpoints(deps),
    statisticsExportEndpoint(deps),
    slotsEndpoint(deps.slots),
    conversionsEndpoint(deps.conversions),
    auditEndpoint(deps),
    templatesEndpoint(deps),
    openapiEndpoint(({ base }) =>
      bannersDocument({ endpoints, address: `${settings().banners_public_url}${base}`, version: apiVersion }),
    ),
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
            ? nobody
            : authenticateBanners(caller, { settings: settings(), isSame: isSameSecret, sha256, now: now() }),
        limit,
      ),
      limitRequests(limit),
      checkRoute(),
      admit((question) => admitBanners(question, settings())),
    ],
    headers: {},
    vary: 'Authorization, X-API-Key',
    selectingHeaders: [],
    repeatedParameter: 'bad_request',
    policy: derived(settings, makeBannersPolicy),
    renderError: renderBannersError,
  };
}

/** Whether its answer may have figures. */
function isCounting({ method, access }: Endpoint): boolean {
  return method === 'GET' && access.kind === 'scope';
}

/** The same endpoint, in whose answer everything counts that this process has answered before. */
function afterFlush(endpoint: Endpoint, flush: () => Promise<void>): Endpoint {
  return {
    ...endpoint,
    async handler(call) {
      await flush();
      return endpoint.handler(call);
    },
  };
}

const nobody: Identity = Object.freeze({ kind: 'anonymous' });

/** The switch and the origins of the banner API. */
export function makeBannersPolicy({ banners_api_enabled, banners_api_cors_origin }: BannersSettings): ApiPolicy {
  const cors = corsPolicy(banners_api_cors_origin, {
    methods: 'GET, POST, PATCH, OPTIONS',
    requestHeaders: 'Authorization, Content-Type, X-API-Key',
    exposed: 'ETag, Link, Location, Retry-After, X-Request-ID, X-Total-Count',
    credentials: false,
  });
  return {
    enabled: banners_api_enabled,
    mounts: [{ base: bannersBase, linkBase: bannersBase, routeParameters: ['route', 'path'], prefixes: [''] }],
    maxPathBytes: Number.POSITIVE_INFINITY,
    // A preflight is a question of web pages of other origins; where none is let in, there is nothing to answer.
    answersOptions: cors !== null,
    // Every answer depends on the key.
    caching: { kind: 'private' },
    cors,
  };
}
