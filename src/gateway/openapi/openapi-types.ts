/** The parts of OpenAPI 3.1 that the gateway's document uses. */

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
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly style?: 'form' | 'deepObject';
  readonly explode?: boolean;
  readonly deprecated?: boolean;
  readonly example?: unknown;
}

export interface MediaTypeObject {
  readonly schema?: JsonSchema;
  readonly example?: unknown;
}

export interface Reference {
  readonly $ref: string;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference | HeaderObject>>;
  readonly content?: Readonly<Record<string, MediaTypeObject>>;
}

export interface HeaderObject {
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface RequestBodyObject {
  readonly required: boolean;
  readonly content: Readonly<Record<string, MediaTypeObject>>;
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
export type PathItem = { readonly [Method in DocumentMethod]?: OperationObject };

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly headers: Readonly<Record<string, HeaderObject>>;
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  readonly 'x-objects': readonly string[];
}

/** The schemas are in our own source, so they have only these keywords. */
export function readSchema(schema: Readonly<Record<string, unknown>>): JsonSchema {
  return schema as JsonSchema;
}

export function schemaRef(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

export function isReference(value: object): value is Reference {
  return '$ref' in value;
}
