/**
 * The free page API (docs/pages.md#the-free-api): published pages without a token, for web pages of other origins too,
 * behind one shared key where one is set. A separate module next to the page delivery API: another entry, other
 * refusals, the same pages.
 */
import type { Settings } from '../../config/setting-definitions.js';
import { AppError } from '../../errors/app-error.js';
import type { ApiModule, ApiPolicy } from '../../http/interface/api.js';
import { clientNetwork } from '../../http/interface/client-ip.js';
import { corsPolicy } from '../../http/interface/cors.js';
import { derived } from '../../http/interface/derived.js';
import type { Call, Endpoint, ParameterDoc, Reply } from '../../http/interface/endpoint.js';
import { checkEnabled, checkRoute } from '../../http/stages/checks.js';
import type { RefusedKeys } from '../../identity/limits/refused-keys.js';
import { readKeptKey } from '../../identity/page-tokens/kept-key.js';
import type { PageName } from '../delivery/find-page.js';
import type { PageSource } from '../delivery/page-delivery.js';
import { envelopeSchema, keptSuccess, renderPublicError, success } from '../http/envelope.js';
import { readContext, readInclude, readNumber, readSectionTypes, single, visitQuery } from '../http/query.js';
import { catalogSchema, pageSchema } from '../http/schemas.js';
import { contextParameter, partParameters } from './pages.js';

const publicPagesBase = '/pages/api.php';

type PublicSettings = Pick<
  Settings,
  'pages_public_api_enabled' | 'pages_public_api_key' | 'pages_public_api_cors_origins'
>;

interface PublicPagesDeps {
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

const keyHeader = 'X-Pages-Api-Key';

interface PublicDeps {
  readonly delivery: PageSource;
  readonly isEnabled: () => boolean;
  /** The refusal of what a network sent as the key; null when it opens the API, as everything does where none is set. */
  readonly checkKey: (given: string | undefined, network: string) => AppError | null | Promise<AppError | null>;
}

const defaultContext = 'web';
const largestId = 4_294_967_295;

const keyParameters: readonly ParameterDoc[] = [
  { name: keyHeader, in: 'header', description: 'The key of the API, where one is set.', schema: { type: 'string' } },
  {
    name: 'api_key',
    in: 'query',
    description: 'The same, for callers that cannot send headers.',
    schema: { type: 'string' },
  },
];

const contextKey: ParameterDoc = { ...contextParameter, name: 'context_key' };

/** Rows for the endpoint table. */
function publicEndpoints(deps: PublicDeps): readonly Endpoint[] {
  const { delivery, isEnabled } = deps;
  const common = { method: 'GET', access: { kind: 'public' }, object: null, tags: ['Free API'] } as const;
  return [
    {
      ...common,
      name: 'public.ping',
      path: '/web/health/ping',
      summary: 'Whether the free API answers',
      parameters: [],
      response: { status: 200, description: 'It does; and whether it gives pages.' },
      whenDisabled: true,
      handler: async () => success({ ok: true, publicApiEnabled: isEnabled() }),
    },
    {
      ...common,
      name: 'public.page',
      path: '/web/page/get',
      summary: 'One published page',
      parameters: [
        { name: 'resource_id', in: 'query', description: 'Id of the page.', schema: { type: 'integer' } },
        { name: 'alias', in: 'query', description: 'Its alias, where no id is given.', schema: { type: 'string' } },
        contextKey,
        ...partParameters,
        ...keyParameters,
      ],
      response: { status: 200, description: 'The page with the requested parts.', schema: envelopeSchema(pageSchema) },
      handler: withKey(deps, (call) => onePage(delivery, call)),
    },
    {
      ...common,
      name: 'public.catalog',
      path: '/web/catalog/list',
      summary: 'Section types',
      parameters: [contextKey, ...keyParameters],
      response: {
        status: 200,
        description: 'The section types of the context.',
        schema: envelopeSchema(catalogSchema),
      },
      handler: withKey(deps, async ({ query }) =>
        keptSuccess(await delivery.catalog(readContext(query, 'context_key') ?? defaultContext)),
      ),
    },
  ];
}

/** Before anything else is read, so that nothing is learned without the key. */
function withKey({ checkKey }: PublicDeps, handler: Endpoint['handler']): Endpoint['handler'] {
  return (call) => {
    const given = call.header(keyHeader.toLowerCase()) ?? single(call.query, 'api_key');
    const go = (refusal: AppError | null): Reply | Promise<Reply> => {
      if (refusal !== null) throw refusal;
      return handler(call);
    };
    const checked = checkKey(given, clientNetwork(call.clientIp));
    return checked instanceof Promise ? checked.then(go) : go(checked);
  };
}

function onePage(delivery: PageSource, { query }: Call): Reply | Promise<Reply> {
  const context = readContext(query, 'context_key');
  const page = delivery.page({
    name: readName(query, context ?? defaultContext),
    context: context ?? null,
    include: readInclude(query),
    sectionTypes: readSectionTypes(query),
    query: () => visitQuery(query),
    hiddenAs: 'denied',
  });
  return page instanceof Promise ? page.then(keptSuccess) : keptSuccess(page);
}

function readName(query: Call['query'], context: string): PageName {
  if ((single(query, 'resource_id') ?? '') !== '') {
    return { kind: 'id', id: readNumber(query, 'resource_id', { min: 1, max: largestId, absent: 0 }) };
  }
  const alias = single(query, 'alias') ?? '';
  if (alias !== '') return { kind: 'alias', alias, context };
  throw new AppError('bad_request', { message: 'resource_id or alias is required.' });
}
