/** Discovery, health and schema: what a caller may know without any right (gateway-facts 6; contract 1.8, 1.9). */
import type { Endpoint, Reply } from '../../../http/endpoint.js';
import { describeDefinition } from '../../../objects/definition.js';
import { elementObjects } from '../../../objects/registry.js';
import type { GatewayDeps } from '../deps.js';

/** Seconds for which answers that change only with a release or the registry may be kept. */
const staticSeconds = 60;

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
      response: { status: 200, description: 'Discovery' },
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
      response: { status: 200, description: 'Definitions by object name' },
      handler: async () => showSchema(deps),
    },
  ];
}

function describe(deps: GatewayDeps): Reply {
  const base = deps.base();
  const links = {
    health: `${base}/health`,
    schema: `${base}/schema`,
    docs: `${base}/docs`,
    endpoints: `${base}/meta/endpoints`,
    openapi: `${base}/meta/openapi`,
    openapi_json: `${base}/meta/openapi.json`,
    resources: `${base}/resources`,
    pages: `${base}/pages/{uri}`,
    ...Object.fromEntries(elementObjects.map(({ name }) => [name, `${base}/${name}`])),
    objects: `${base}/objects/{name}`,
  };
  return {
    status: 200,
    body: { kind: 'json', value: { data: { name: 'hcd', version: deps.version, api: base, links }, meta: {} } },
    caching: { kind: 'static', seconds: staticSeconds },
  };
}

async function checkHealth(deps: GatewayDeps): Promise<Reply> {
  const database = await deps.ping().then(
    () => true,
    () => false,
  );
  const timestamp = `${new Date(deps.now()).toISOString().slice(0, 19)}Z`;
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
