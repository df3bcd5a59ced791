/** The request that the samples of an operation send: values for its path, a few parameters, a small body. */
import {
  type DocumentMethod,
  isReference,
  type JsonSchema,
  type OperationObject,
  type ParameterObject,
} from '../openapi/openapi-types.js';
import { exampleValue, resolveSchema, type Schemas } from './docs-schemas.js';

export type ApiName = 'gateway' | 'pages' | 'banners';

export interface SampleSource {
  readonly api: ApiName;
  readonly base: string;
  readonly method: DocumentMethod;
  readonly path: string;
  readonly operation: OperationObject;
  readonly schemas: Schemas;
  readonly objects: readonly string[];
}

export interface SampleRequest extends Pick<SampleSource, 'api' | 'method' | 'path' | 'objects'> {
  readonly route: string;
  readonly address: string;
  readonly keys: readonly (string | number)[];
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly access: 'public' | 'session' | 'key';
  /** The member of a JSON answer with the result; `text` is not JSON. */
  readonly answer: 'data' | 'object' | 'whole' | 'text' | 'none';
}

const shownParameters = ['query', 'search', 'fields', 'include', 'sort', 'period', 'limit'];
const mostParameters = 3;
const values: Readonly<Record<string, string>> = {
  id: '42',
  key: 'web',
  name: 'resources',
  position: 'header',
  limit: '5',
};
export function requestOf({ api, base, method, path, operation, schemas, objects }: SampleSource): SampleRequest {
  const keys: (string | number)[] = [];
  const route = path.replace(/\{([^{}]+)\}/g, (_all, name: string) => {
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
    const value = String(parameter?.example ?? values[name] ?? 'text');
    keys.push(parameter?.schema.type === 'integer' || name === 'id' ? Number(value) : value);
    return value;
  });
  const query = Object.fromEntries(shownOf(operation.parameters, method).map(({ name, value }) => [name, value]));
  const pairs = Object.entries(query).map(([name, value]) =>
    Array.isArray(value) ? `${name}=${value.join(',')}` : `${name}=${encodeURIComponent(String(value))}`,
  );
  const schema = operation.requestBody?.content['application/json']?.schema;
  return {
    ...{
      api,
      method,
      path,
      objects,
      route,
      keys,
      query,
      access: accessOf(operation),
      answer: answerOf(operation, schemas),
    },
    address: `${base}${route}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`,
    body: schema === undefined ? undefined : bodyOf(schema, schemas),
  };
}

function shownOf(parameters: readonly ParameterObject[], method: DocumentMethod) {
  if (method !== 'get') return [];
  return parameters
    .filter((one) => one.in === 'query' && (one.required || shownParameters.includes(one.name)))
    .map(({ name, schema, example }) => ({ name, value: typed(example ?? values[name], schema) }))
    .filter(({ value }) => value !== undefined)
    .sort((left, right) => shownParameters.indexOf(left.name) - shownParameters.indexOf(right.name))
    .slice(0, mostParameters);
}

function typed(value: unknown, { type }: JsonSchema): unknown {
  return type === 'integer' && value !== undefined ? Number(value) : value;
}

function answerOf({ responses }: OperationObject, schemas: Schemas): SampleRequest['answer'] {
  const [found] = Object.entries(responses).filter(([status]) => /^2/.test(status));
  if (found === undefined || isReference(found[1]) || found[0] === '204') return 'none';
  const { content = {} } = found[1];
  // Callers that accept everything get the first one.
  const [type = ''] = Object.keys(content);
  if (!type.includes('json')) return 'text';
  const members = resolveSchema(content[type]?.schema ?? {}, schemas).properties ?? {};
  if ('data' in members) return 'data';
  return 'object' in members ? 'object' : 'whole';
}

function accessOf({ security }: OperationObject): SampleRequest['access'] {
  if (security.length === 0 || security.some((one) => Object.keys(one).length === 0)) return 'public';
  return security.every((one) => 'cookieAuth' in one) ? 'session' : 'key';
}

/** Without required members, one that the body can have. */
function bodyOf(schema: JsonSchema, schemas: Schemas): Readonly<Record<string, unknown>> {
  const [first = schema] = schema.anyOf ?? [];
  const { properties = {}, required = [] } = resolveSchema(first, schemas);
  const texts = Object.keys(properties).filter((name) => properties[name]?.type?.includes('string'));
  const names = required.length > 0 ? required : [texts.find((name) => /title|name/.test(name)) ?? texts[0]];
  return Object.fromEntries(
    names.flatMap((name) =>
      name === undefined ? [] : [[name, exampleValue(properties[name] ?? {}, schemas)] as const],
    ),
  );
}
