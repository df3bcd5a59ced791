/** Shared by the routes of both page APIs, which only read. */
import type { Endpoint, ParameterDoc } from '../../http/interface/endpoint.js';
import type { Json } from './schemas.js';

interface Route
  extends Pick<Endpoint, 'name' | 'path' | 'summary' | 'tags' | 'handler'>,
    Partial<Pick<Endpoint, 'parameters' | 'whenDisabled'>> {
  readonly scope: 'pages.read' | 'catalog.read' | null;
  readonly showsDrafts?: true;
  readonly description: string;
  readonly schema?: Json;
}

export function readRoute({ scope, showsDrafts, description, schema, parameters = [], ...route }: Route): Endpoint {
  return {
    ...route,
    method: 'GET',
    access: scope === null ? { kind: 'public' } : { kind: 'scope', scope, ...(showsDrafts ? { showsDrafts } : {}) },
    object: null,
    parameters,
    response: { status: 200, description, ...(schema === undefined ? {} : { schema }) },
  };
}

export const defaultContext = 'web';

export const contextParameter: ParameterDoc = {
  name: 'context',
  in: 'query',
  description: 'Key of a context.',
  schema: { type: 'string', default: defaultContext, minLength: 1, maxLength: 100 },
  example: 'web',
};

export const partParameters: readonly ParameterDoc[] = Object.freeze([
  {
    name: 'include',
    in: 'query',
    list: true,
    description: 'Comma list of the parts of the page: document, values, html, sections, hreflang.',
    schema: { type: 'string', default: 'document,values' },
    example: 'document,values',
  },
  {
    name: 'section_types',
    in: 'query',
    list: true,
    description: 'Comma list of the section types to keep, in every part.',
    schema: { type: 'string' },
  },
  {
    // Every other parameter: `utm_*` and those that the rules of a page ask for.
    name: '*',
    in: 'query',
    description:
      "The visitor's own parameters, by which sections are shown or not: `utm_source`, `utm_campaign` and all others that the rules of a page look at. Of one that comes more than once the first counts.",
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  },
]);
