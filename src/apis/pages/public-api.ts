/**
 * The free page API (contract 2.8, pages-banners-facts B2): published pages without a token, for web pages of other
 * origins too, behind one shared key where one is set. A module of its own beside the page delivery API: another entry,
 * other refusals, the same pages.
 */
import { anonymous } from '../../access/identity.js';
import type { Settings } from '../../config/setting-definitions.js';
import type { ApiModule, ApiPolicy } from '../../http/api.js';
import { corsPolicy } from '../../http/cors.js';
import { derived } from '../../http/derived.js';
import type { PageSource } from '../../services/page-delivery/page-delivery.js';
import { keyHeader, publicEndpoints } from './endpoints/public.js';
import { renderPublicError } from './public-errors.js';

export const publicPagesBase = '/pages/api.php';

type PublicSettings = Pick<
  Settings,
  'pages_public_api_enabled' | 'pages_public_api_key' | 'pages_public_api_cors_origins'
>;

export interface PublicPagesDeps {
  /** The current settings; another object after every change. */
  readonly settings: () => PublicSettings;
  readonly delivery: PageSource;
  /** Compares two secrets in constant time. */
  readonly isSameSecret: (given: string, expected: string) => boolean;
}

/** Builds the module for makeHttpApp. */
export function makePublicPagesApi({ settings, delivery, isSameSecret }: PublicPagesDeps): ApiModule {
  return {
    name: 'pages-public',
    endpoints: publicEndpoints({
      delivery,
      isEnabled: () => settings().pages_public_api_enabled,
      isKey: (given) => {
        const key = settings().pages_public_api_key;
        return key === '' || (given !== undefined && isSameSecret(given, key));
      },
    }),
    order: ['route', 'enabled'],
    headers: { 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" },
    vary: keyHeader,
    selectingHeaders: [],
    repeatedParameter: 'bad_request',
    policy: derived(settings, makePolicy),
    // The key is the handlers' business: one action needs none.
    authenticate: () => anonymous,
    admit: () => undefined,
    renderError: renderPublicError,
  };
}

function makePolicy({
  pages_public_api_enabled,
  pages_public_api_key,
  pages_public_api_cors_origins,
}: PublicSettings): ApiPolicy {
  return {
    enabled: pages_public_api_enabled,
    mounts: [{ base: publicPagesBase, linkBase: publicPagesBase, routeParameters: ['action'], prefixes: [''] }],
    maxPathBytes: Number.POSITIVE_INFINITY,
    answersOptions: true,
    // Behind a key nothing is for everybody's cache.
    caching: { kind: pages_public_api_key === '' ? 'revalidate' : 'private' },
    cors: corsPolicy(pages_public_api_cors_origins, {
      methods: 'GET, OPTIONS',
      requestHeaders: `Content-Type, ${keyHeader}`,
      exposed: 'ETag, X-Request-ID',
      credentials: false,
    }),
  };
}
