/** The free page API (docs/pages.md#the-free-api): published pages without a token, behind one shared key at most. */
import type { Settings } from '../../config/settings.js';
import { AppError } from '../../errors/app-error.js';
import { type ApiModule, type ApiPolicy, corsPolicy, mountAt } from '../../http/interface/api.js';
import type { Call, Endpoint, ParameterDoc } from '../../http/interface/endpoint.js';
import { single } from '../../http/interface/query-pairs.js';
import { clientNetwork } from '../../http/interface/request-headers.js';
import { checkEnabled, checkRoute } from '../../http/stages/checks.js';
import type { RefusedKeys } from '../../identity/limits/counter.js';
import { isKeptKey, readKeptKey } from '../../identity/page-tokens/token-settings.js';
import { derived } from '../../values/kept-values.js';
import { largestUnsigned } from '../../values/unsigned.js';
import type { PageName } from '../delivery/find-page.js';
import { keptSuccess, renderPublicError, success } from '../http/envelope.js';
import { readContext, readNumber } from '../http/query.js';
import { contextParameter, defaultContext, partParameters, readRoute } from '../http/routes.js';
import { catalogSchema, envelopeSchema, pageSchema } from '../http/schemas.js';
import { onePage, type PageSource } from './pages.js';

const publicPagesBase = '/pages/api.php';
const keyHeader = 'X-Pages-Api-Key';

type PublicSettings = Pick<
  Settings,
  'pages_public_api_enabled' | 'pages_public_api_key' | 'pages_public_api_cors_origins'
>;

interface PublicPagesDeps {
  readonly settings: () => PublicSettings;
  readonly delivery: PageSource;
  readonly refusedKeys: RefusedKeys;
}

export function makePublicPagesApi(deps: PublicPagesDeps): ApiModule {
  return {
    name: 'pages-public',
    endpoints: publicEndpoints(deps),
    // The handlers check the key, because one action needs none.
    checks: [checkRoute(), checkEnabled()],
    headers: { 'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'" },
    vary: keyHeader,
    parameterProblem: 'bad_request',
    policy: derived(deps.settings, makePolicy),
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
    mounts: [mountAt(publicPagesBase, ['action'])],
    answersOptions: true,
    // Shared caches keep nothing that is behind a key.
    caching: { kind: pages_public_api_key === '' ? 'revalidate' : 'private' },
    cors: corsPolicy(pages_public_api_cors_origins, {
      methods: 'GET, OPTIONS',
      requestHeaders: `Content-Type, If-None-Match, X-Request-ID, ${keyHeader}`,
      exposed: 'Allow, ETag, Retry-After, X-Request-ID',
      credentials: false,
    }),
  };
}

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

function publicEndpoints(deps: PublicPagesDeps): readonly Endpoint[] {
  const { delivery, settings } = deps;
  const common = { scope: null, tags: ['Free API'] } as const;
  return [
    readRoute({
      ...common,
      name: 'public.ping',
      path: '/web/health/ping',
      summary: 'Whether the free API answers',
      description: 'Whether the free API delivers pages.',
      whenDisabled: true,
      handler: () => success({ ok: true, publicApiEnabled: settings().pages_public_api_enabled }),
    }),
    readRoute({
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
      description: 'The page with the requested parts.',
      schema: envelopeSchema(pageSchema),
      handler: async (call) => {
        await checkKey(deps, call);
        const { query } = call;
        const context = readContext(query, 'context_key');
        const name = readName(query, context ?? defaultContext);
        return onePage(delivery, { name, context: context ?? null, query, hiddenAs: 'denied' });
      },
    }),
    readRoute({
      ...common,
      name: 'public.catalog',
      path: '/web/catalog/list',
      summary: 'Section types',
      parameters: [contextKey, ...keyParameters],
      description: 'The section types of the context.',
      schema: envelopeSchema(catalogSchema),
      handler: async (call) => {
        await checkKey(deps, call);
        return keptSuccess(await delivery.catalog(readContext(call.query, 'context_key') ?? defaultContext));
      },
    }),
  ];
}

/** Runs before anything is read, so that callers without the key learn nothing. Throws invalid_token, rate_limited. */
async function checkKey({ settings, refusedKeys }: PublicPagesDeps, call: Call): Promise<void> {
  const key = settings().pages_public_api_key;
  if (key === '') return;
  const wrong = new AppError('invalid_token', { message: 'Invalid API key.' });
  const given = call.header(keyHeader.toLowerCase()) ?? single(call.query, 'api_key');
  if (given === undefined) throw wrong;
  const network = clientNetwork(call.clientIp);
  if (!isKeptKey(given, key)) throw (await refusedKeys.count(network)) ?? wrong;
  // A network that guesses must not learn that a short key is right.
  const refusal = readKeptKey(key).isShort ? await refusedKeys.count(network, 0) : null;
  if (refusal !== null) throw refusal;
}

function readName(query: Call['query'], context: string): PageName {
  if ((single(query, 'resource_id') ?? '') !== '') {
    return { kind: 'id', id: readNumber(query, 'resource_id', { min: 1, max: largestUnsigned, absent: 0 }) };
  }
  const text = single(query, 'alias') ?? '';
  if (text !== '') return { kind: 'alias', text, context };
  throw new AppError('bad_request', { message: 'resource_id or alias is required.' });
}
