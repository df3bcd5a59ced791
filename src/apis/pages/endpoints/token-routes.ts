/**
 * The routes that deliver documents. The rows are here because the addresses exist, with their credentials and
 * parameters; there are no documents yet, so nothing is found at them.
 */
import { AppError } from '../../../errors/app-error.js';
import type { Endpoint, ParameterDoc, Reply } from '../../../http/endpoint.js';

interface TokenRoute {
  readonly name: string;
  readonly path: string;
  readonly scope: 'pages.read' | 'catalog.read';
  readonly summary: string;
  readonly tag: string;
  readonly description: string;
  readonly parameters: readonly ParameterDoc[];
}

const contextParameter: ParameterDoc = {
  name: 'context',
  in: 'query',
  description: 'Context of the pages.',
  schema: { type: 'string', default: 'web' },
};

const routes: readonly TokenRoute[] = [
  {
    name: 'catalog.sections',
    path: '/catalog/sections',
    scope: 'catalog.read',
    summary: 'Section types',
    tag: 'Catalog',
    description: 'The section types with their fields.',
    parameters: [],
  },
  {
    name: 'pages.list',
    path: '/pages',
    scope: 'pages.read',
    summary: 'Published pages',
    tag: 'Pages',
    description: 'Pages that have been published, without their documents.',
    parameters: [
      {
        name: 'limit',
        in: 'query',
        description: 'Pages in one answer.',
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      },
      {
        name: 'offset',
        in: 'query',
        description: 'Pages to leave out at the start.',
        schema: { type: 'integer', minimum: 0, default: 0 },
      },
      contextParameter,
      {
        name: 'q',
        in: 'query',
        description: 'Searches page title, alias and id.',
        schema: { type: 'string' },
      },
    ],
  },
  {
    name: 'pages.get',
    path: '/pages/:idOrAlias',
    scope: 'pages.read',
    summary: 'One published page',
    tag: 'Pages',
    description: 'The page with the requested parts.',
    parameters: [
      {
        name: 'idOrAlias',
        in: 'path',
        required: true,
        description: 'Numeric id or alias of the page.',
        schema: { type: 'string' },
        example: '42',
      },
      {
        name: 'include',
        in: 'query',
        description: 'Comma list of document, values, html, sections.',
        schema: { type: 'string', default: 'document,values' },
      },
      contextParameter,
      {
        name: 'section_types',
        in: 'query',
        description: 'Comma list of the section types to keep.',
        schema: { type: 'string' },
      },
    ],
  },
];

/** Rows for the endpoint table. */
export const tokenRoutes: readonly Endpoint[] = Object.freeze(routes.map(rowOf));

function rowOf({ name, path, scope, summary, tag, description, parameters }: TokenRoute): Endpoint {
  return {
    name,
    method: 'GET',
    path,
    access: { kind: 'scope', scope },
    object: null,
    summary,
    tags: [tag],
    parameters,
    response: { status: 200, description },
    handler: findNothing,
  };
}

async function findNothing(): Promise<Reply> {
  throw new AppError('not_found');
}
