/** The OpenAPI 3.1 document of the banner API, derived from its endpoint table. */
import type { Endpoint, ParameterDoc } from '../../http/interface/endpoint.js';

type Json = Readonly<Record<string, unknown>>;

export interface DocumentOptions {
  readonly endpoints: readonly Endpoint[];
  /** Where the API is mounted: a path, or an address. */
  readonly address: string;
  readonly version: string;
}

/** The bare document with every route. */
export function bannersDocument({ endpoints, address, version }: DocumentOptions): Json {
  const paths = new Map<string, Record<string, Json>>();
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths.set(path, { ...paths.get(path), [endpoint.method.toLowerCase()]: operationOf(endpoint) });
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Banner API',
      version,
      description:
        'Banners, positions and statistics. Every route may also be given in the query parameter `route`. Writing is off unless `banners_api_write_enabled` is on.',
    },
    servers: [{ url: address }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
      schemas: { Failure: failure },
    },
  };
}

/** Names of operations for clients, by name of the row. */
const operationIds: Readonly<Record<string, string>> = {
  discovery: 'getDiscovery',
  'ads.list': 'listAds',
  'ads.read': 'getAd',
  'ads.clicks': 'listAdClicks',
  'ads.create': 'createAd',
  'ads.create-from-template': 'createAdFromTemplate',
  'ads.update': 'updateAd',
  'positions.list': 'listPositions',
  'positions.read': 'getPosition',
  'positions.ads': 'listPositionAds',
  stats: 'getStats',
  'stats.summary': 'getStatsSummary',
  'stats.by-day': 'listStatsByDay',
  'stats.top-ads': 'listStatsTopAds',
  'stats.referrers': 'listStatsReferrers',
  'stats.compare': 'getStatsComparison',
  'stats.export': 'getStatsExport',
  slots: 'listSlots',
  'conversions.create': 'createConversion',
  'audit.list': 'listAudit',
  'templates.list': 'listTemplates',
  openapi: 'getOpenApiDocument',
};

function operationOf(endpoint: Endpoint): Json {
  const { access, response, request, name } = endpoint;
  return {
    operationId: operationIds[name] ?? name,
    summary: endpoint.summary,
    tags: endpoint.tags,
    parameters: endpoint.parameters.map(parameterOf),
    security: access.kind === 'public' ? [] : [{ bearer: [] }, { apiKey: [] }],
    ...(request === undefined
      ? {}
      : {
          requestBody: {
            required: request.required,
            content: Object.fromEntries(request.types.map((type) => [type, { schema: request.schema ?? {} }])),
          },
        }),
    responses: {
      [String(response.status)]: {
        description: response.description,
        content: { [response.type ?? 'application/json']: { schema: response.schema ?? { type: 'string' } } },
      },
      default: {
        description: 'The request was refused.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
      },
    },
  };
}

function parameterOf({ name, in: place, description, required, schema, list, example }: ParameterDoc): Json {
  const items = { schema: { type: 'array', items: { type: 'string' } }, style: 'form', explode: false };
  return {
    name,
    in: place,
    description,
    required: required ?? false,
    ...(list === true ? items : { schema }),
    ...(example === undefined ? {} : { example: list === true ? example.split(',') : example }),
  };
}

const failure = {
  type: 'object',
  required: ['success', 'message'],
  properties: {
    success: { const: false },
    message: { type: 'string' },
    errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
  },
} as const;
