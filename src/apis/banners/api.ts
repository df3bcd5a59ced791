/** The banner API (interfaces.md C) as the HTTP mechanism takes it: mount, order of checks, endpoint table. */
import { admit } from '../../access/admit.js';
import type { Settings } from '../../config/setting-definitions.js';
import type { ApiModule, ApiPolicy } from '../../http/api.js';
import { corsPolicy } from '../../http/cors.js';
import { derived } from '../../http/derived.js';
import type { Endpoint } from '../../http/endpoint.js';
import type { RateCounter } from '../../services/rate-limit/counter.js';
import { authenticateBanners } from './authenticate.js';
import { discoveryEndpoint } from './endpoints/discovery.js';
import { renderBannersError } from './envelope.js';
import { bannersLimit } from './rate-limit.js';

export const bannersBase = '/banners/api.php';

export interface BannersSettings
  extends Pick<Settings, 'banners_api_enabled' | 'banners_api_rate_limit' | 'banners_api_cors_origin'> {
  readonly banners_api_key: string;
}

export interface BannersDeps {
  /** The current settings; another object after every change. */
  readonly settings: () => BannersSettings;
  /** Compares two secrets in constant time. */
  readonly isSameSecret: (given: string, expected: string) => boolean;
  /** Counts requests for the rate limit. */
  readonly counter: RateCounter;
}

/** Builds the module for makeHttpApp. */
export function makeBannersApi({ settings, isSameSecret, counter }: BannersDeps): ApiModule {
  const endpoints: readonly Endpoint[] = [discoveryEndpoint(() => endpoints)];
  return {
    name: 'banners',
    endpoints,
    // Contract 3.1: without the key nothing is said about routes.
    order: ['enabled', 'authenticate', 'limit', 'route', 'admit'],
    headers: {},
    vary: 'Authorization, X-API-Key',
    selectingHeaders: [],
    repeatedParameter: 'bad_request',
    policy: derived(settings, makePolicy),
    authenticate: (caller) =>
      authenticateBanners(caller, { configured: settings().banners_api_key, isSame: isSameSecret }),
    limit: bannersLimit(settings, counter),
    admit: ({ endpoint, identity, params }) =>
      admit({ access: endpoint.access, identity, params, sessions: { holds: () => false } }),
    renderError: renderBannersError,
  };
}

function makePolicy({ banners_api_enabled, banners_api_cors_origin }: BannersSettings): ApiPolicy {
  const cors = corsPolicy(banners_api_cors_origin, {
    methods: 'GET, POST, PATCH, OPTIONS',
    requestHeaders: 'Authorization, Content-Type, X-API-Key',
    exposed: 'ETag, Retry-After, X-Request-ID',
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
