/**
 * Discovery, health and schema: what a caller may know without any right
 * (docs/reference/gateway.md#routes-about-the-gateway).
 */
import { describeDefinition } from '../../content/objects/definition.js';
import type { Endpoint, Reply } from '../../http/interface/endpoint.js';
import { isoTimeOfMs } from '../../values/dates.js';
import type { GatewayDeps } from '../http/deps.js';

/** Seconds for which answers that change only with a release or the registry may be kept. */
const staticSeconds = 60;

const names = { type: 'array', items: { type: 'string' } } as const;
const flag = { type: 'boolean' } as const;

/** The keys of a definition (docs/reference/gateway.md#definitions). */
const definitionProperties = {
  fields: names,
  filterable: names,
  sortable: names,
  searchable: names,
  required: names,
  protected: names,
  immutable: names,
  readable: flag,
  creatable: flag,
  updatable: flag,
  deletable: flag,
  relations: {
    type: 'array',
    items: {
      type: 'object',
      required: ['name', 'target', 'type'],
      properties: {
        name: { type: 'string' },
        target: { type: 'string' },
        type: { type: 'string', enum: ['to_one', 'to_many'] },
      },
    },
  },
} as const;

const definitionSchema = {
  type: 'object',
  required: Object.keys(definitionProperties),
  properties: definitionProperties,
} as const;

export function discoveryEndpoints(deps: GatewayDeps): Endpoint[] {
  const row = {
    method: 'GET',
    access: { kind: 'public' },
    object: null,
    tags: ['Meta'],
    parameters: [],
  } as const;
  return [
    {
      ...row,
      name: 'discovery',
      path: '/',
      summary: 'Name, version and addresses of the gateway',
      response: {
        status: 200,
        description: 'Discovery',
        schema: {
          type: 'object',
          required: ['name', 'version', 'api', 'cors', 'links'],
          properties: {
            name: { type: 'string' },
            version: { type: 'string' },
            api: { type: 'string' },
            cors: {
              type: 'object',
              required: ['enabled', 'allowed_origins'],
              properties: {
                enabled: { type: 'boolean' },
                allowed_origins: { type: 'array', items: { type: 'string' } },
              },
            },
            links: { type: 'object', additionalProperties: { type: 'string' } },
          },
        },
      },
      whenDisabled: true,
      handler: async () => describe(deps),
    },
    {
      ...row,
      name: 'health',
      path: '/health',
      summary: 'Whether the gateway and its database answer',
      response: {
        status: 200,
        description: 'The database answers; 503 with the same body when it does not',
        schema: {
          type: 'object',
          required: ['status', 'database', 'timestamp'],
          properties: {
            status: { type: 'string', enum: ['ok', 'degraded'] },
            database: { type: 'boolean' },
            timestamp: { type: 'string', format: 'date-time' },
          },
        },
      },
      whenDisabled: true,
      handler: () => checkHealth(deps),
    },
    {
      ...row,
      name: 'schema',
      path: '/schema',
      summary: 'Definitions of all registered objects',
      response: {
        status: 200,
        description: 'Definitions by object name',
        schema: {
          type: 'object',
          required: ['data', 'meta'],
          properties: {
            data: {
              type: 'object',
              required: ['objects'],
              properties: { objects: { type: 'object', additionalProperties: definitionSchema } },
            },
            meta: { type: 'object', required: ['count'], properties: { count: { type: 'integer' } } },
          },
        },
      },
      handler: async () => showSchema(deps),
    },
  ];
}

function describe(deps: GatewayDeps): Reply {
  const base = deps.base();
  const values = deps.live().settings.values;
  const { gateway_cors_enabled: enabled, gateway_cors_allowed_origins, gateway_oauth_enabled } = values;
  const links = {
    health: `${base}/health`,
    schema: `${base}/schema`,
    docs: `${base}/docs`,
    endpoints: `${base}/meta/endpoints`,
    openapi: `${base}/meta/openapi`,
    openapi_json: `${base}/meta/openapi.json`,
    resources: `${base}/resources`,
    pages: `${base}/pages/{uri}`,
    ...Object.fromEntries(deps.registry.elements.map(({ name }) => [name, `${base}/${name}`])),
    objects: `${base}/objects/{name}`,
    ...(gateway_oauth_enabled ? { auth_token: `${base}/auth/token` } : {}),
  };
  // Clients look here first: only what is in force is named.
  const cors = { enabled, allowed_origins: enabled ? gateway_cors_allowed_origins : [] };
  return {
    status: 200,
    body: { kind: 'json', value: { data: { name: 'hcd', version: deps.version, api: base, cors, links }, meta: {} } },
    caching: { kind: 'static', seconds: staticSeconds },
  };
}

async function checkHealth(deps: GatewayDeps): Promise<Reply> {
  const database = await deps.ping().then(
    () => true,
    () => false,
  );
  const timestamp = isoTimeOfMs(deps.now());
  const data = { status: database ? 'ok' : 'degraded', database, timestamp };
  return {
    status: database ? 200 : 503,
    ...(database ? {} : { headers: { 'Retry-After': '5' } }),
    body: { kind: 'json', value: { data, meta: {} } },
    caching: { kind: 'never' },
  };
}

function showSchema({ registry }: GatewayDeps): Reply {
  const objects = Object.fromEntries(
    [...registry.objects].map(([name, definition]) => [name, describeDefinition(definition)]),
  );
  return {
    status: 200,
    body: { kind: 'json', value: { data: { objects }, meta: { count: registry.objects.size } } },
    caching: { kind: 'static', seconds: staticSeconds },
  };
}
