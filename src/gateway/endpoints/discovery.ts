/** Discovery, health and schema, readable by every caller (docs/reference/gateway.md#routes-about-the-gateway). */
import { describeDefinition } from '../../content/objects/definition.js';
import { offeredObjects } from '../../content/query/authorize.js';
import { dependenciesOf } from '../../content/reading/may-match.js';
import { readTvTypes } from '../../content/reading/read-tv-types.js';
import { readerFor } from '../../content/reading/select-rows.js';
import { AppError } from '../../errors/app-error.js';
import { jsonReply } from '../../http/answers/representation.js';
import { type Call, type Endpoint, objectSchema, type Reply, text } from '../../http/interface/endpoint.js';
import { isoTimeOfMs } from '../../values/dates.js';
import { callerOf, type GatewayDeps } from '../http/deps.js';
import { setTags } from '../http/success.js';

/** These answers change only with a release or the registry. */
const caching = { kind: 'static', seconds: 60 } as const;

const texts = { type: 'array', items: text };
const flag = { type: 'boolean' };

/** docs/reference/gateway.md#definitions */
const definitionSchema = objectSchema({
  fields: texts,
  filterable: texts,
  sortable: texts,
  searchable: texts,
  required: texts,
  protected: texts,
  immutable: texts,
  readable: flag,
  creatable: flag,
  updatable: flag,
  deletable: flag,
  relations: {
    type: 'array',
    items: objectSchema({ name: text, target: text, type: { ...text, enum: ['to_one', 'to_many'] } }),
  },
});

const tvSchema = objectSchema({
  type: text,
  value: { type: 'object', description: 'JSON Schema of the value with tv_format=typed' },
  accepts: {
    type: 'object',
    description: 'Rules for new values as JSON Schema; required: whether an empty one is refused',
  },
  templates: { type: 'array', items: { type: 'integer' } },
  filter: { type: 'array', items: text, description: 'Operators of filter[tv.NAME][operator]' },
  sortable: { type: 'boolean', description: 'Whether sort takes tv.NAME' },
});

export function discoveryEndpoints(deps: GatewayDeps): Endpoint[] {
  const row = {
    method: 'GET',
    access: { kind: 'public' },
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
        schema: objectSchema({
          name: text,
          version: text,
          api: text,
          cors: objectSchema({ enabled: flag, allowed_origins: texts }),
          links: { type: 'object', additionalProperties: text },
        }),
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
        schema: objectSchema({
          status: { ...text, enum: ['ok', 'degraded'] },
          database: flag,
          timestamp: { ...text, format: 'date-time' },
        }),
      },
      whenDisabled: true,
      handler: () => checkHealth(deps),
    },
    {
      ...row,
      name: 'schema',
      path: '/schema',
      summary: 'Definitions of all registered objects, and the types of template variables',
      response: {
        status: 200,
        description: 'Definitions by object name',
        schema: objectSchema({
          data: objectSchema(
            { objects: { type: 'object', additionalProperties: definitionSchema } },
            { tvs: { type: 'object', additionalProperties: tvSchema } },
          ),
          meta: objectSchema({ count: { type: 'integer' } }),
        }),
      },
      handler: (call) => showSchema(deps, call),
    },
  ];
}

function describe(deps: GatewayDeps): Reply {
  const base = deps.base();
  const values = deps.settings();
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
  // Clients look here first: only active features are listed.
  const cors = { enabled, allowed_origins: enabled ? gateway_cors_allowed_origins : [] };
  return jsonReply({ data: { name: 'hcd', version: deps.version, api: base, cors, links }, meta: {} }, caching);
}

async function checkHealth(deps: GatewayDeps): Promise<Reply> {
  const database = await deps.ping().then(
    () => true,
    () => false,
  );
  const timestamp = isoTimeOfMs(deps.now());
  const data = { status: database ? 'ok' : 'degraded', database, timestamp };
  const reply = jsonReply({ data, meta: {} }, { kind: 'never' });
  return database ? reply : { ...reply, status: 503, headers: { 'Retry-After': '5' } };
}

async function showSchema(deps: GatewayDeps, call: Call): Promise<Reply> {
  const { reader } = deps;
  const registry = offeredObjects(deps.registry, deps.settings().gateway_extended_columns);
  const objects = Object.fromEntries(
    [...registry.objects].map(([name, definition]) => [name, describeDefinition(definition)]),
  );
  const meta = { count: registry.objects.size };
  try {
    const { tvs, dependsOn } = await readTvTypes(readerFor(reader, call.asker), await callerOf(deps, call.identity));
    const tags = ['tvs', 'templates'].flatMap((name) => {
      const definition = registry.objects.get(name);
      return definition === undefined ? [] : setTags(definition, deps.settings().gateway_context);
    });
    const caching = {
      kind: 'content',
      tags: [...new Set(tags)],
      dependsOn: dependenciesOf(reader, dependsOn),
    } as const;
    return jsonReply({ data: { objects, tvs }, meta }, caching);
  } catch (error) {
    // The definitions are known without the database.
    if (!(error instanceof AppError) || error.kind !== 'unavailable') throw error;
    return jsonReply({ data: { objects }, meta }, { kind: 'never' });
  }
}
