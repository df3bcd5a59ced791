/** One row of the endpoint table as an operation of the OpenAPI document. */
import type { ObjectDefinition } from '../../content/objects/definition.js';
import { type Access, type Endpoint, jsonType, type ParameterDoc } from '../../http/interface/endpoint.js';
import {
  type DescribedOperation,
  type JsonSchema,
  type Reference,
  type RequestBodyObject,
  type ResponseObject,
  readSchema,
  requestBodyOf,
  type SecurityRequirement,
  schemaRef,
} from '../../http/interface/openapi.js';
import { speaksOauth } from '../http/oauth.js';
import {
  envelope,
  headerRefs,
  ignored,
  listEnvelope,
  movedRef,
  oauthProblemRef,
  problemRef,
} from './openapi-components.js';
import { describeParameters, type ParameterQuestion } from './openapi-parameters.js';
import type { SchemaNames } from './openapi-schemas.js';

export interface OperationSource extends ParameterQuestion {
  readonly endpoint: Endpoint;
  readonly operationId: string;
  readonly summary: string;
  readonly names: SchemaNames;
}

export function isPublic({ kind }: Access): boolean {
  return kind === 'public' || kind === 'public_read';
}

export function scopeOf(access: Access): string | null {
  return access.kind === 'scope' || access.kind === 'public_read' ? access.scope : null;
}

export function describeOperation(source: OperationSource): DescribedOperation['operation'] {
  const { endpoint, operationId, summary, definition } = source;
  const body = requestBody(source);
  return {
    operationId,
    summary,
    security: speaksOauth(endpoint.name) ? [{}, { oauthClient: [] }] : securityOf(endpoint, definition),
    parameters: describeParameters({
      ...source,
      parameters: [...source.parameters, ...(isRevalidated(endpoint) ? [revalidationParameter] : [])],
    }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responsesOf(source),
  };
}

const revalidationParameter: ParameterDoc = {
  name: 'If-None-Match',
  in: 'header',
  description: 'ETag of an answer that you have; 304 without a body when it is still the current one',
  schema: { type: 'string' },
};

/** Without caching there is nothing to revalidate. */
function isRevalidated({ method, name, access }: Endpoint): boolean {
  return method === 'GET' && name !== 'health' && access.kind !== 'session';
}

function securityOf({ access, method }: Endpoint, definition: ObjectDefinition | undefined): SecurityRequirement[] {
  const scope = access.kind === 'object_scope' && definition ? `${definition.name}.${access.action}` : scopeOf(access);
  const scopes = scope === null ? [] : [scope];
  // A change by a session must also send its token.
  const session = { cookieAuth: scopes, ...(method === 'GET' ? {} : { csrfToken: [] }) };
  if (access.kind === 'session') return [session];
  return [...(isPublic(access) ? [{}] : []), { bearer: scopes }, { apiKey: scopes }, { oauth2: scopes }, session];
}

function responsesOf(source: OperationSource): Readonly<Record<string, ResponseObject | Reference>> {
  const { endpoint } = source;
  const isRead = endpoint.method === 'GET';
  const isHealth = endpoint.name === 'health';
  const takesBody = endpoint.method === 'POST' || endpoint.method === 'PUT' || endpoint.method === 'PATCH';
  const problems = [
    400,
    401,
    // A session needs its token for everything but reads.
    ...(endpoint.access.kind === 'public' && isRead ? [] : [403]),
    404,
    406,
    ...(isRead ? [] : [409]),
    ...(isRead || endpoint.method === 'POST' ? [] : [412]),
    ...(takesBody ? [413, 415] : []),
    ...(endpoint.parameters.length > 0 || takesBody ? [422] : []),
    ...(isHealth ? [] : [429]),
    500,
    ...(isHealth ? [] : [503]),
  ];
  return {
    [String(endpoint.response.status)]: successOf(source),
    ...(isRevalidated(endpoint) ? { '304': { $ref: '#/components/responses/NotModified' } } : {}),
    ...Object.fromEntries((endpoint.redirects ?? []).map((status) => [status, movedRef])),
    // Health says in the same body what does not answer.
    ...(isHealth ? { '503': { ...successOf(source), description: 'The database does not answer' } } : {}),
    ...Object.fromEntries(
      problems.map((status) => [String(status), speaksOauth(endpoint.name) ? oauthProblemRef : problemRef(status)]),
    ),
  };
}

function successOf(source: OperationSource): ResponseObject {
  const { response, produces, method } = source.endpoint;
  const types = new Set([...(response.type === undefined ? [] : [response.type]), ...(produces ?? [])]);
  if (types.size === 0) types.add(jsonType);
  const schema = successSchema(source);
  const { kind } = source.endpoint.access;
  const hasTag = (method === 'GET' && kind !== 'session') || writesRecord(source);
  const headers = ['X-Request-ID', 'Cache-Control', ...(hasTag ? ['ETag'] : [])];
  if (method === 'GET' && kind !== 'public' && kind !== 'session') headers.push('Cache-Tag');
  if (response.status === 201) headers.push('Location');
  if (source.endpoint.parameters.some(({ name }) => name === 'Idempotency-Key')) headers.push('Idempotency-Replayed');
  return {
    description: response.description,
    headers: headerRefs(headers),
    content: Object.fromEntries(
      [...types].map((type) => [type, isJson(type) ? { schema } : { schema: { type: 'string' } }]),
    ),
  };
}

function writesRecord({ endpoint }: OperationSource): boolean {
  return endpoint.request !== undefined && endpoint.request.schema === undefined;
}

function isJson(type: string): boolean {
  return /^application\/(?:[\w.-]+\+)?json$/.test(type);
}

/** A row's schema gets the envelope if it shows only the data. */
function successSchema(source: OperationSource): JsonSchema {
  const { endpoint, definition } = source;
  const { schema } = endpoint.response;
  if (schema !== undefined) {
    const given = readSchema(schema);
    const isWhole =
      given.$ref !== undefined || given.properties?.['data'] !== undefined || endpoint.response.type !== undefined;
    return isWhole ? withIgnored(given) : envelope(given);
  }
  if (definition === undefined && endpoint.access.kind !== 'object_scope') return envelope({ type: 'object' });
  if (endpoint.method === 'DELETE') return schemaRef('Deletion');
  const isList = endpoint.method === 'GET' && endpoint.name.endsWith('.list');
  return isList ? listSchema(source) : oneSchema(source);
}

function withIgnored(schema: JsonSchema): JsonSchema {
  const { properties } = schema;
  const meta = properties?.['meta'];
  if (meta?.properties === undefined) return schema;
  return { ...schema, properties: { ...properties, meta: { ...meta, properties: { ...meta.properties, ignored } } } };
}

function listSchema({ definition, registry, names }: OperationSource): JsonSchema {
  if (definition !== undefined) return schemaRef(names(definition, 'list'));
  return listEnvelope(anyOf([...registry.objects.values()], (one) => names(one, 'record')));
}

function oneSchema(source: OperationSource): JsonSchema {
  const { definition, registry, names } = source;
  const isWrite = writesRecord(source);
  if (definition !== undefined) return schemaRef(names(definition, isWrite ? 'writtenOne' : 'one'));
  const objects = isWrite ? acceptedObjects(source) : [...registry.objects.values()];
  const record = anyOf(objects, (one) => names(one, isWrite ? 'written' : 'record'));
  return envelope(record, schemaRef('RecordMeta'));
}

function acceptedObjects({ endpoint, registry }: OperationSource): ObjectDefinition[] {
  const flag = endpoint.method === 'POST' ? 'creatable' : 'updatable';
  return [...registry.objects.values()].filter((object) => object[flag]);
}

function anyOf(objects: readonly ObjectDefinition[], nameOf: (one: ObjectDefinition) => string): JsonSchema {
  const [first, ...others] = objects.map((definition) => schemaRef(nameOf(definition)));
  if (first === undefined) return { type: 'object' };
  return others.length > 0 ? { anyOf: [first, ...others] } : first;
}

function requestBody(source: OperationSource): RequestBodyObject | undefined {
  const { endpoint, definition, names } = source;
  if (endpoint.method === 'GET' || endpoint.method === 'DELETE') return undefined;
  if (endpoint.request?.schema !== undefined) return requestBodyOf(endpoint.request, endpoint.request.schema);
  // PUT must name the required fields as POST does; PATCH need not.
  const kind = endpoint.method === 'PATCH' ? 'update' : 'create';
  const json = { required: true, types: [jsonType] };
  if (definition !== undefined) return requestBodyOf(json, schemaRef(names(definition, kind)));
  if (endpoint.access.kind !== 'object_scope') return undefined;
  return requestBodyOf(
    json,
    anyOf(acceptedObjects(source), (one) => names(one, kind)),
  );
}
