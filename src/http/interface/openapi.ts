/** What the OpenAPI documents of all interfaces have in common. */
import type { Endpoint, ParameterDoc } from './endpoint.js';

interface DocumentInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

/** Tags in the order in which they are first used. */
export function documentHead<Info extends DocumentInfo>(
  info: Info,
  { endpoints, url }: { readonly endpoints: readonly Endpoint[]; readonly url: string },
) {
  return {
    openapi: '3.1.1',
    info: { ...info, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url, description: 'This server' }],
    tags: [...new Set(endpoints.flatMap(({ tags }) => tags))].map((name) => ({ name })),
  };
}

export function parameterObject(parameter: ParameterDoc) {
  const { name, in: place, description, required = false, schema, list } = parameter;
  // A wildcard name is an object whose members are separate parameters.
  if (name === '*') return { name: 'visitor', in: place, description, required: false, schema, explode: true };
  const items = { schema: { type: 'array', items: { type: 'string' } }, style: 'form', explode: false };
  return { name, in: place, description, required, ...(list === true ? items : { schema }), ...exampleOf(parameter) };
}

/** In the type of the schema. */
export function exampleOf({ example, list, schema }: ParameterDoc): { readonly example?: unknown } {
  if (example === undefined || example === '') return {};
  if (list === true) return { example: example.split(',') };
  const isNumber = schema['type'] === 'integer' || schema['type'] === 'number';
  return { example: isNumber ? Number(example) : example };
}
