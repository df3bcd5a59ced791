/** The OpenAPI 3.1 documents of all interfaces, written from endpoint rows, schemas and refusals. */
import { type Endpoint, jsonType, type ParameterDoc, type RequestDoc, text } from './endpoint.js';

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  /** How the gateway treats the fields of a registered object. */
  readonly 'x-object'?: Readonly<Record<string, unknown>>;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: ParameterDoc['in'];
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly style?: 'form' | 'deepObject';
  readonly explode?: boolean;
  readonly deprecated?: boolean;
  readonly example?: unknown;
}

type Content = Readonly<Record<string, { readonly schema?: JsonSchema; readonly example?: unknown }>>;

export interface Reference {
  readonly $ref: string;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference | HeaderObject>>;
  readonly content?: Content;
}

export interface HeaderObject {
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface RequestBodyObject {
  readonly required: boolean;
  readonly content: Content;
}

export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly SecurityRequirement[];
  readonly parameters: readonly ParameterObject[];
  readonly requestBody?: RequestBodyObject;
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
  /** What the token of a page reader must allow. */
  readonly 'x-required-scope'?: string;
}

export const documentMethods = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type DocumentMethod = (typeof documentMethods)[number];
type PathItem = { readonly [Method in DocumentMethod]?: OperationObject };

interface Components {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly responses: Readonly<Record<string, ResponseObject>>;
  readonly headers?: Readonly<Record<string, HeaderObject>>;
  readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface DocumentInfo {
  readonly title: string;
  readonly version: string;
  readonly summary?: string;
  readonly description: string;
}

interface DocumentSource {
  readonly info: DocumentInfo;
  readonly url: string;
  /** Tags have the order in which these first use them. */
  readonly endpoints: readonly Endpoint[];
  readonly operations: Iterable<DescribedOperation>;
  readonly components: Components;
}

export interface DescribedOperation {
  readonly endpoint: Endpoint;
  /** That of the row, unless it stands for several. */
  readonly path?: string;
  readonly operation: Omit<OperationObject, 'summary' | 'tags'> & { readonly summary?: string };
}

export type OpenApiDocument = ReturnType<typeof openApiDocument> & { readonly 'x-objects'?: readonly string[] };

export function openApiDocument({ info, url, endpoints, operations, components }: DocumentSource) {
  const paths: Record<string, PathItem> = {};
  for (const { endpoint, path = endpoint.path, operation } of operations) {
    const { operationId, summary = endpoint.summary, responses, ...others } = operation;
    const written: OperationObject = { operationId, summary, tags: endpoint.tags, ...others, responses };
    const template = pathTemplate(path);
    paths[template] = { ...paths[template], [endpoint.method.toLowerCase()]: written };
  }
  return {
    openapi: '3.1.1',
    info: { ...info, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url, description: 'This server' }],
    tags: [...new Set(endpoints.flatMap(({ tags }) => tags))].map((name) => ({ name })),
    paths,
    components,
  };
}

interface PlainSource extends Pick<DocumentSource, 'info' | 'url' | 'endpoints'> {
  readonly securitySchemes: Components['securitySchemes'];
  readonly failure: JsonSchema;
  readonly describe: (endpoint: Endpoint) => Pick<OperationObject, 'operationId' | 'security' | 'x-required-scope'> & {
    /** One by one: with a `default`, clients could not distinguish answers by their status. */
    readonly refused: readonly number[];
    readonly others?: OperationObject['responses'];
  };
}

export function plainDocument({ securitySchemes, failure, describe, ...source }: PlainSource) {
  return openApiDocument({
    ...source,
    operations: source.endpoints.map((endpoint) => ({ endpoint, operation: plainOperation(endpoint, describe) })),
    components: {
      securitySchemes,
      schemas: { Failure: failure },
      responses: {
        Refused: {
          description: 'The request was refused.',
          content: { [jsonType]: { schema: schemaRef('Failure') } },
        },
      },
    },
  });
}

function plainOperation(endpoint: Endpoint, describe: PlainSource['describe']): DescribedOperation['operation'] {
  const { parameters, request, response } = endpoint;
  const { operationId, refused, others, ...details } = describe(endpoint);
  const { status, repeatedStatus = status, description, type = jsonType, schema = text } = response;
  const success = { description, content: { [type]: { schema: readSchema(schema) } } };
  return {
    operationId,
    parameters: parameters.map(parameterObject),
    ...details,
    ...(request === undefined ? {} : { requestBody: requestBodyOf(request, request.schema ?? {}) }),
    responses: {
      [status]: success,
      [repeatedStatus]: success,
      ...others,
      ...Object.fromEntries(refused.map((one) => [one, { $ref: '#/components/responses/Refused' }])),
    },
  };
}

export function requestBodyOf({ required, types }: RequestDoc, schema: object): RequestBodyObject {
  return { required, content: Object.fromEntries(types.map((type) => [type, { schema: readSchema(schema) }])) };
}

export function pathTemplate(path: string): string {
  return path.replace(/[:*]([A-Za-z0-9_]+)/g, '{$1}');
}

/** The schemas are in our own source, so they have only these keywords. */
export function readSchema(schema: object): JsonSchema {
  return schema;
}

export function isReference(value: object): value is Reference {
  return '$ref' in value;
}

export function schemaRef(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function parameterObject(parameter: ParameterDoc): ParameterObject {
  const { name, in: place, description, required = false, list } = parameter;
  const schema = readSchema(parameter.schema);
  // A wildcard name is an object whose members are separate parameters.
  if (name === '*') return { name: 'visitor', in: place, description, required: false, schema, explode: true };
  const items = { schema: { type: 'array', items: { type: 'string' } }, style: 'form', explode: false } as const;
  return { name, in: place, description, required, ...(list === true ? items : { schema }), ...exampleOf(parameter) };
}

export function exampleOf({ example, list, schema }: ParameterDoc): { readonly example?: unknown } {
  if (example === undefined || example === '') return {};
  if (list === true) return { example: example.split(',') };
  const isNumber = schema['type'] === 'integer' || schema['type'] === 'number';
  return { example: isNumber ? Number(example) : example };
}
