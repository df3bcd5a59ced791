/**
 * Requests made from an OpenAPI document: for each operation values that its schemas allow, values that they do not
 * allow, and texts that break programs.
 */
import fc from 'fast-check';
import type {
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
} from '../../../src/http/interface/openapi.js';

export interface GeneratedRequest {
  /** With its query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text of the body; undefined for none. */
  readonly body: string | undefined;
}

const hostileTexts: readonly string[] = [
  ...['', ' ', '0', '-1', '1e309', '9007199254740993', '99999999999999999999', 'NaN', 'null', 'true', '[]', '{}'],
  ...['__proto__', 'constructor', '../../etc/passwd', '%00', '\u0000', '\ud800', '🎒'.repeat(70), 'a'.repeat(3000)],
  ...["' OR 1=1 --", '%_%', '"; DROP TABLE hcd_state; --', '<script>alert(1)</script>', '*', ',', 'id,,id'],
  ...['0000-00-00', '2026-02-30', '2026-11-22T10:00:00Z'],
];

const hostileValues: readonly unknown[] = [
  ...hostileTexts,
  ...[0, -1, 1.5, 2 ** 53, -(2 ** 31), 1e308, true, false, null, [], {}, [[]], [null], { id: 1 }],
  ...[JSON.parse('{"__proto__": {"admin": true}}'), Array.from({ length: 300 }, (_, at) => at)],
];

/** Ids and names that mean something on the site, so that many requests get past the first refusal. */
const known = ['1', '2', '3', '4', '5', 'web', 'books', 'about/team.html', 'index.html'] as const;

/** Requests of an operation with the path of the document; those of all operations differ in nothing else. */
export function requestsOf(
  document: OpenApiDocument,
  path: string,
  operation: OperationObject,
): fc.Arbitrary<GeneratedRequest> {
  const of = (place: ParameterObject['in']) => operation.parameters.filter((parameter) => parameter.in === place);
  const body = operation.requestBody?.content['application/json']?.schema;
  return fc
    .record({
      steps: fc.tuple(...of('path').map((parameter) => fc.tuple(fc.constant(parameter.name), stepOf(parameter)))),
      query: queryOf(document, of('query')),
      headers: fc.tuple(...of('header').map((parameter) => seldom(headerOf(parameter)))),
      body: body === undefined ? fc.constant(undefined) : bodyOf(document, body),
    })
    .map(({ steps, query, headers, body: text }) => {
      const names = new Map(steps);
      const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeStep(names.get(name) ?? ''));
      const pairs = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
      return {
        path: pairs === '' ? address : `${address}?${pairs}`,
        headers: Object.fromEntries(headers.filter((header) => header !== undefined)),
        body: text,
      };
    });
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Never empty, so that the request stays one of the operation. */
function encodeStep(text: string): string {
  const encoded = encode(text);
  return /^\.{0,2}$/.test(encoded) ? '0' : encoded;
}

/** Seldom there, so that most requests are judged by the rest of them. */
function seldom<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return oneOf<T | undefined>([fc.constant(undefined), 7], [value, 1]);
}

function stepOf({ schema, example }: ParameterObject): fc.Arbitrary<string> {
  const given = [...known, ...(example === undefined ? [] : [String(example)])];
  return oneOf([fc.constantFrom(...given), 6], [textOf(schema), 2], [fc.constantFrom(...hostileTexts), 1]);
}

/** A few of the parameters, at times one twice, at times one that there is not. */
function queryOf(
  document: OpenApiDocument,
  parameters: readonly ParameterObject[],
): fc.Arbitrary<readonly (readonly [string, string])[]> {
  if (parameters.length === 0) return fc.constant([]);
  const one = fc.constantFrom(...parameters).chain((parameter) => {
    const { name, schema, example } = parameter;
    const member = schema.items === undefined ? schema : resolve(document, schema.items);
    const fitting = example === undefined ? textOf(member) : fc.oneof(fc.constant(String(example)), textOf(member));
    const value = oneOf([fitting, 5], [fc.constantFrom(...hostileTexts), 1]);
    return fc.tuple(
      oneOf([fc.constant(name), 20], [fc.constantFrom(`${name}[]`, `${name}[x][y]`, `${name}x`), 1]),
      value,
    );
  });
  return oneOf<readonly (readonly [string, string])[]>([fc.constant([]), 1], [fc.array(one, { maxLength: 3 }), 2]);
}

function headerOf({ name, schema }: ParameterObject): fc.Arbitrary<readonly [string, string]> {
  const visible = hostileTexts.filter((text) => /^[\u0020-\u007e]*$/.test(text));
  return fc.tuple(
    fc.constant(name),
    oneOf([textOf(schema).filter((text) => /^[\u0020-\u007e]*$/.test(text)), 3], [fc.constantFrom(...visible), 1]),
  );
}

function textOf(schema: JsonSchema): fc.Arbitrary<string> {
  return fittingOf(undefined, schema, 0).map((value) =>
    typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
  );
}

/** Mostly JSON that the schema allows; at times another value, JSON that ends early, or none. */
function bodyOf(document: OpenApiDocument, schema: JsonSchema): fc.Arbitrary<string> {
  const fitting = fittingOf(document, schema, 0).map((value) => JSON.stringify(value) ?? 'null');
  return oneOf(
    [fitting, 12],
    [fc.constantFrom(...hostileValues).map((value) => JSON.stringify(value) ?? 'null'), 2],
    [fitting.map((text) => text.slice(0, -1)), 1],
    [fc.constantFrom('', '{"a":1,"a":2}', `${'['.repeat(200)}${']'.repeat(200)}`, '\ufeff{}'), 1],
  );
}

const deepest = 4;

/** A value that the schema allows, with one of its members at times replaced. */
function fittingOf(document: OpenApiDocument | undefined, given: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const schema = document === undefined ? given : resolve(document, given);
  if (depth > deepest) return fc.constant(null);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => fittingOf(document, one, depth)));
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length === 0 && schema.properties === undefined) return fc.constantFrom(...hostileValues);
  return fc.oneof(
    ...(types.length === 0 ? ['object'] : types).map((type) => ofType(document, { schema, type, depth })),
  );
}

interface Typed {
  readonly schema: JsonSchema;
  readonly type: string;
  readonly depth: number;
}

function ofType(document: OpenApiDocument | undefined, { schema, type, depth }: Typed): fc.Arbitrary<unknown> {
  const { minimum = -10, maximum = 1_000_000, minLength = 0, maxLength = 40 } = schema;
  switch (type) {
    case 'integer':
      return oneOf(
        [fc.constantFrom(1, 2, 3), 2],
        [fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 53 - 1) }), 3],
      );
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(fittingOf(document, schema.items ?? {}, depth + 1), { maxLength: 3 });
    case 'object':
      return objectOf(document, schema, depth);
    default:
      if (schema.format === 'date-time') return fc.constantFrom('2026-11-22T10:00:00Z', '1970-01-01T00:00:00Z', 'now');
      return oneOf(
        [fc.constantFrom(...known), 2],
        [fc.string({ minLength, maxLength: Math.min(maxLength, 60), unit: 'grapheme' }), 3],
      );
  }
}

/** The required members and a few others; at times with one that there is not. */
function objectOf(document: OpenApiDocument | undefined, schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const { properties = {}, required = [] } = schema;
  const names = Object.keys(properties).filter((name) => !required.includes(name));
  const unknown = oneOf<readonly [string, unknown][]>([fc.constant([]), 12], [fc.constant([['no_such_member', 1]]), 1]);
  const members = fc.subarray(names, { maxLength: Math.min(4, names.length) }).chain((some) =>
    fc.tuple(
      ...[...required, ...some].map((name) => {
        const fitting = fittingOf(document, properties[name] ?? {}, depth + 1);
        return fc.tuple(fc.constant(name), oneOf([fitting, 12], [fc.constantFrom(...hostileValues), 1]));
      }),
    ),
  );
  return fc.tuple(members, unknown).map(([some, more]) => Object.fromEntries([...some, ...more]));
}

function resolve(document: OpenApiDocument, schema: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema;
  return document.components.schemas[schema.$ref.slice('#/components/schemas/'.length)] ?? {};
}

function oneOf<T>(...choices: readonly (readonly [fc.Arbitrary<T>, number])[]): fc.Arbitrary<T> {
  return fc.oneof(...choices.map(([arbitrary, weight]) => ({ arbitrary, weight })));
}
