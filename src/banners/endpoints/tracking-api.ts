/**
 * The addresses of clicks and pixels, and of slots, at the top of the server. Clicks and pixels work while the banner
 * API is off: banners that are shown already must not lead nowhere. Their first segments are settings.
 */
import type { Settings } from '../../config/setting-definitions.js';
import type { ApiModule, ApiPolicy, RenderError } from '../../http/interface/api.js';
import { derived } from '../../http/interface/derived.js';
import type { Endpoint } from '../../http/interface/endpoint.js';
import { checkRoute } from '../../http/stages/checks.js';
import { clickEndpoint, pixelEndpoint, type TrackDeps } from './track.js';

export interface TrackingApiDeps extends TrackDeps {
  readonly settings: () => Pick<
    Settings,
    'banners_click' | 'banners_impression' | 'banners_attribution_ttl' | 'banners_public_url'
  >;
  /** Shape of errors where no API is mounted: an unknown link is an address like any other that there is not. */
  readonly unmounted: RenderError;
}

/** One module for clicks and one for pixels. */
export function trackingApis(deps: TrackingApiDeps): readonly ApiModule[] {
  const { settings, unmounted } = deps;
  const policy = (segment: 'banners_click' | 'banners_impression') =>
    derived(settings, (values) => trackingPolicy(values[segment]));
  return [
    trackingModule('banner clicks', clickEndpoint(deps), { policy: policy('banners_click'), unmounted }),
    trackingModule('banner impressions', pixelEndpoint(deps), { policy: policy('banners_impression'), unmounted }),
  ];
}

function trackingModule(
  name: string,
  endpoint: Endpoint,
  { policy, unmounted }: { readonly policy: () => ApiPolicy; readonly unmounted: RenderError },
): ApiModule {
  return {
    name,
    endpoints: [endpoint],
    checks: [checkRoute()],
    headers: {},
    vary: '',
    selectingHeaders: [],
    repeatedParameter: 'bad_request',
    policy,
    renderError: unmounted,
  };
}

function trackingPolicy(segment: string): ApiPolicy {
  const base = `/${segment}`;
  return {
    enabled: true,
    mounts: [{ base, linkBase: base, routeParameters: [], prefixes: [''] }],
    maxPathBytes: Number.POSITIVE_INFINITY,
    answersOptions: false,
    caching: { kind: 'private' },
    cors: null,
  };
}
