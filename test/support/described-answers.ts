/**
 * What is wrong with an answer by the OpenAPI document of its interface: status, media type, body. Members that the
 * document does not name are wrong too. The judgement on bodies is that of a validator that others wrote.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { documentOf } from '../../commands/serve/openapi-document.js';
import type { ApiModule } from '../../src/http/interface/api.js';
import { makeLocator } from '../../src/http/interface/locate.js';
import {
  documentMethods,
  type JsonSchema,
  type OpenApiDocument,
  type OperationObject,
  type Reference,
  type ResponseObject,
} from '../../src/http/interface/openapi.js';

export interface ReceivedAnswer {
  readonly method: string;
  /** Path with query, as it was asked for. */
  readonly target: string;
  readonly status: number;
  /** With its parameters; empty without a body. */
  readonly type: string;
  /** The body; undefined where the asker did not read it. */
  readonly text: string | undefined;
}

export type Describe = (answer: ReceivedAnswer) => Promise<readonly string[]>;

/** Judges answers of a server. `definitions` tells servers with other objects, and so other documents, apart. */
export function describeAnswers(apis: readonly ApiModule[], definitions: string): Describe {
  const locate = makeLocator(apis, () => ({}));
  return async (answer) => {
    const { mounted, match } = find(locate, answer);
    if (mounted === undefined) return [];
    const document = await documentFor(mounted, definitions);
    return document === undefined ? [] : document.misfits(match, answer);
  };
}

interface Found {
  readonly mounted: ApiModule | undefined;
  /** Template and name of the object in it; undefined where the address names no route of the method. */
  readonly match: { readonly path: string; readonly own: string; readonly method: string } | undefined;
}

function find(locate: ReturnType<typeof makeLocator>, { method, target }: ReceivedAnswer): Found {
  const located = locate(target);
  const mounted = located.mounted?.api;
  const known = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const).find((one) => one === method);
  const match = known && located.match(known);
  if (match === undefined) return { mounted, match: undefined };
  const path = match.route.endpoint.path.replaceAll(/[:*](\w+)/g, '{$1}');
  const own = path.replace('{name}', match.params['name'] ?? '{name}');
  return { mounted, match: { path, own, method: method === 'HEAD' ? 'get' : method.toLowerCase() } };
}

const documents = new Map<string, Promise<Document | undefined>>();

/** Test files share the process, and most servers have the same documents. */
function documentFor(api: ApiModule, definitions: string): Promise<Document | undefined> {
  const key = `${api.name} ${api.endpoints.length} ${definitions}`;
  const known = documents.get(key);
  if (known !== undefined) return known;
  const made = documentOf(api, 'http://127.0.0.1:8080').then((text) =>
    text === undefined ? undefined : new Document(JSON.parse(text) as OpenApiDocument),
  );
  documents.set(key, made);
  return made;
}

class Document {
  readonly #document: OpenApiDocument;
  /** For whole records, and for those of which the asker chose the fields. */
  readonly #whole: () => Ajv2020;
  readonly #chosen: () => Ajv2020;

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#whole = once(() => validatorOf(document, { isWhole: true }));
    this.#chosen = once(() => validatorOf(document, { isWhole: false }));
  }

  misfits(match: Found['match'], answer: ReceivedAnswer): string[] {
    const { method, status, text, type } = answer;
    // Documents do not describe what browsers ask before they ask.
    if (method === 'OPTIONS' && status === 204) return text ? ['204 has a body'] : [];
    const pointer = this.#responseOf(match, status);
    if (pointer === undefined) return [`status ${status} is not documented`];
    const content = Object.keys(Object(at(this.#document, [...pointer, 'content'])));
    if (method === 'HEAD' || content.length === 0) return text ? [`${status} has a body`] : [];
    const media = type.split(';')[0] ?? '';
    // A document describes routes: at an address without one a browser gets a page.
    if (match === undefined && status === 404 && media === 'text/html') return [];
    if (!content.includes(media)) return [`${status} has the type ${media}, not ${content.join(' or ')}`];
    if (text === undefined || !media.endsWith('json')) return [];
    const chosen = /[?&](?:tv_)?fields(?:=|%5B|\[)/i.test(answer.target);
    const fits = (chosen ? this.#chosen : this.#whole)().getSchema(
      `document#/${[...pointer, 'content', media, 'schema'].map(encodeStep).join('/')}`,
    );
    if (fits === undefined || fits(JSON.parse(text)) === true) return [];
    return (fits.errors ?? []).map(
      ({ instancePath, message, params }) => `${status}${instancePath}: ${message} ${JSON.stringify(params)}`,
    );
  }

  /** Where the document describes it: the refusals of addresses that name nothing are shared. */
  #responseOf(match: Found['match'], status: number): readonly string[] | undefined {
    const { paths, components } = this.#document;
    if (match === undefined) {
      const name = [`Problem${status}`, 'Refused'].find((one) => components.responses[one] !== undefined);
      return name !== undefined && status >= 400 ? ['components', 'responses', name] : undefined;
    }
    const path = at(paths, [match.own, match.method]) === undefined ? match.path : match.own;
    const operation = at(paths, [path, match.method]) as OperationObject | undefined;
    const response = operation?.responses[String(status)];
    if (response === undefined) return undefined;
    return '$ref' in response
      ? response.$ref.split('/').slice(1)
      : ['paths', path, match.method, 'responses', String(status)];
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function at(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((found, step) => Reflect.get(Object(found), step), value);
}

function encodeStep(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function validatorOf(document: OpenApiDocument, { isWhole }: { readonly isWhole: boolean }): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  ajvFormats.default(ajv);
  ajv.addSchema({ ...closed(document, isWhole), $id: 'document' });
  return ajv;
}

/** The document with objects that have the named members alone; of records only those that were asked for. */
function closed({ components, paths }: OpenApiDocument, isWhole: boolean): object {
  const response = (one: ResponseObject | Reference) =>
    '$ref' in one || one.content === undefined
      ? one
      : { content: mapped(one.content, ({ schema = {} }) => ({ schema: closeEnvelope(schema, isWhole) })) };
  return {
    components: {
      responses: mapped(components.responses, response),
      schemas: mapped(components.schemas, (schema, name) =>
        'x-object' in schema || name === 'TreeNode' ? close(schema, isWhole) : closeEnvelope(schema, isWhole),
      ),
    },
    paths: mapped(paths, (item) =>
      Object.fromEntries(
        documentMethods.flatMap((method) => {
          const operation = item[method];
          return operation === undefined ? [] : [[method, { responses: mapped(operation.responses, response) }]];
        }),
      ),
    ),
  };
}

function closeEnvelope(schema: Schema, isWhole: boolean): Schema {
  const data = schema.properties?.['data'];
  const whole = close(schema, true);
  return data === undefined ? whole : { ...whole, properties: { ...whole.properties, data: close(data, isWhole) } };
}

type Schema = JsonSchema & { readonly oneOf?: readonly Schema[] };

function close(schema: Schema, isWhole: boolean): Schema {
  const inner = (one: Schema) => close(one, isWhole);
  const { required, properties, items, anyOf, oneOf, additionalProperties, ...rest } = schema;
  return {
    ...rest,
    ...(required && isWhole && { required }),
    ...(properties && { properties: mapped(properties, inner), additionalProperties: additionalProperties ?? false }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: inner(additionalProperties) }),
    ...(items && { items: inner(items) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(oneOf && { oneOf: oneOf.map(inner) }),
  };
}

function mapped<From, To>(
  members: Readonly<Record<string, From>>,
  change: (member: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member, name)]));
}
