/** What tools answer, as JSON Schema. */
import { dashboardSchema } from '../../src/banners/endpoints/statistics.js';
import { objectSchema } from '../../src/http/interface/endpoint.js';
import { isReference, type JsonSchema, type OpenApiDocument } from '../../src/http/interface/openapi.js';
import { catalogSchema, type Json, pageListSchema, pageSchema } from '../../src/pages/http/schemas.js';
import type { ServiceName, Tool } from './tools.js';

const number = { type: 'integer' };
const versions = { id: number, published_revision: number };
const problems = { type: 'array', items: { type: 'string' }, description: 'What keeps the draft from being published' };

const ofServices: Readonly<Record<ServiceName, Json>> = {
  pages: pageListSchema,
  document: pageSchema,
  draft: objectSchema({ ...versions, revision: number, document: { type: 'object' } }),
  types: catalogSchema,
  statistics: dashboardSchema,
  publish: objectSchema(versions),
  edit: objectSchema({ ...versions, revision: number, missing: problems }),
};

export function outputSchemaOf({ answer }: Tool, { paths, components }: OpenApiDocument): Json & { type: 'object' } {
  if (answer.by === 'service') return { ...ofServices[answer.service], type: 'object' };
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const responses = operations.find(({ operationId }) => operationId === answer.operation)?.responses ?? {};
  const response = responses['200'] ?? responses['201'];
  const given =
    response === undefined || isReference(response) ? {} : (response.content?.['application/json']?.schema ?? {});
  const $defs: Record<string, Json> = {};
  const named = (reference: string): JsonSchema => components.schemas[reference.slice(place.length)] ?? {};
  const gather = (schema: JsonSchema): Json => {
    const text = JSON.stringify(schema, shortened);
    for (const [reference] of text.matchAll(/#\/components\/schemas\/[^"]+/g)) {
      const name = reference.slice(place.length);
      if (Object.hasOwn($defs, name)) continue;
      $defs[name] = {};
      $defs[name] = gather(named(reference));
    }
    return JSON.parse(text.replaceAll(place, '#/$defs/')) as Json;
  };
  const whole = given.$ref === undefined ? given : named(given.$ref);
  return { ...gather(whole), required: whole.required, $defs, type: 'object' };
}

const place = '#/components/schemas/';

/** Assistants read schemas in full, so related records are only named. With `fields` no field is required. */
function shortened(key: string, value: unknown): unknown {
  if (key === 'x-object' || (Array.isArray(value) && (key === 'required' || key === 'examples'))) return undefined;
  const { type, description } = (value ?? {}) as JsonSchema;
  return typeof description === 'string' && description.startsWith('With include=') ? { type, description } : value;
}
