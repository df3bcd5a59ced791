/**
 * The free page API (docs/pages.md#the-free-api): published pages without a token, for web pages of other origins too,
 * behind one shared key where one is set. A module of its own beside the page delivery API: another entry, other
 * refusals, the same pages.
 */
import type { Settings } from '../../config/setting-definitions.js';
import { AppError } from '../../errors/app-error.js';
import type { ApiModule, ApiPolicy } from '../../http/interface/api.js';
import { corsPolicy } from '../../http/interface/cors.js';
import { derived } from '../../http/interface/derived.js';
import { checkEnabled, checkRoute } from '../../http/stages/checks.js';
import type { RefusedKeys } from '../../identity/limits/refused-keys.js';
import { readKeptKey } from '../../identity/page-tokens/kept-key.js';
import type { PageSource } from '../delivery/page-delivery.js';
import { renderPublicError } from '../http/public-errors.js';
import { keyHeader, publicEndpoints } from './public.js';

const publicPagesBase = '/pages/api.php';

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
  readonly sha256: (text: string) => string;
  readonly refusedKeys: RefusedKeys;
}

/** Builds the module for makeHttpApp. */
export function makePublicPagesApi(deps: PublicPagesDeps): ApiModule {
  const { settings, delivery } = deps;
  return {
    name: 'pages-public',
    endpoints: publicEndpoints({
      delivery,
      isEnabled: () => settings().pages_public_api_enabled,
      checkKey: (given, network) => checkKey(deps, { given, network }),
    }),
    // The key is the handlers' business: one action needs none.
    checks: [checkRoute(), checkEnabled()],
    headers: { 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" },
    vary: keyHeader,
    selectingHeaders: [],
    repeatedParameter: 'bad_request',
    policy: derived(settings, makePolicy),
    renderError: renderPublicError,
  };
}

/** The refusal of what was sent as the key; null when it opens the API. */
function checkKey(
  { settings, isSameSecret, sha256, refusedKeys }: PublicPagesDeps,
  { given, network }: { readonly given: string | undefined; readonly network: string },
): AppError | null | Promise<AppError | null> {
  const key = settings().pages_public_api_key;
  if (key === '') return null;
  const wrong = new AppError('invalid_token', { message: 'Invalid API key.' });
  if (given === undefined) return wrong;
  const { digest, isShort } = readKeptKey(key);
  const isRight = digest === null ? isSameSecret(given, key) : isSameSecret(sha256(given), digest);
  // One that can be guessed must not be told from wrong ones by a network that guesses.
  if (isRight) return isShort ? refusedKeys.refusal(network) : null;
  const found = refusedKeys.count(network);
  return found instanceof Promise ? found.then((error) => error ?? wrong) : (found ?? wrong);
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
