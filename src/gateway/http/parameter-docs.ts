/** Documentation of the query parameters, which also decides which names reach a handler at all. */
import type { ObjectDefinition } from '../../content/objects/definition.js';
import { operatorNames } from '../../content/query/plan-filter.js';
import { previewParameters } from '../../http/interface/api.js';
import { type ParameterDoc, text } from '../../http/interface/endpoint.js';
import { formParameters } from './filters.js';
import { longestSearch, longestWords } from './query.js';

const flag = { type: 'string', enum: ['1', 'true', 'on', 'yes', '0', 'false', 'off', 'no'] } as const;

export function query(name: string, description: string, rest: Partial<ParameterDoc> = {}): ParameterDoc {
  return { name, in: 'query', description, schema: text, ...rest };
}

function list(name: string, description: string, rest: Partial<ParameterDoc> = {}): ParameterDoc {
  return query(name, description, { list: true, ...rest });
}

export const limitParameter = query('limit', 'Records per page; larger values are cut to the maximum', {
  schema: { type: 'integer', minimum: 1, default: 20 },
});
export const cursorParameter = query('cursor', 'Continues after the last record of an earlier page: meta.next_cursor');

const pagingParameters: readonly ParameterDoc[] = [
  limitParameter,
  query('offset', 'Records to skip; not together with page or cursor', {
    schema: { type: 'integer', minimum: 0, default: 0 },
  }),
  query('page', 'Number of the page, from 1; not together with offset or cursor', {
    schema: { type: 'integer', minimum: 1 },
  }),
  cursorParameter,
];

export const contextParameters: readonly ParameterDoc[] = [
  query('context', 'Context of the request; one of the allowed contexts', { example: 'web' }),
  { name: 'X-Context', in: 'header', description: 'Context of the request; wins over context=', schema: text },
];

const tvParameters = [
  list('tv_fields', 'Comma list of template variables; empty or * for all of them'),
  query('include_tv', 'All template variables when true', { schema: flag }),
];
const valueParameters = Object.entries(formParameters).map(([name, { accepted, description, ...rest }]) =>
  query(name, description, 'isList' in rest ? { list: true } : { schema: { type: 'string', enum: accepted } }),
);
const preview = query('preview', 'Unpublished records too; needs the scope preview', { schema: flag });
const otherDeleted = query('includeDeleted', 'Another spelling of include_deleted', { schema: flag });

export function shapeParameters(definition: ObjectDefinition): ParameterDoc[] {
  const { visibility, templateVariables } = definition;
  const shown = Object.keys(definition.fields).filter((name) => !definition.hidden.includes(name));
  const related = definition.relations.map((relation) => relation.name);
  const includable = [...related, ...(templateVariables ? ['tvs'] : [])];
  const ofRelations = related.length === 0 ? '' : '. fields[relation] narrows the records of an included relation';
  const include = `Comma list of relations: ${includable.join(', ')}; dots reach further, for example parent.parent`;
  return [
    list('fields', `Comma list of fields to return: ${shown.join(', ')}${ofRelations}`, {
      example: shown.slice(0, 3).join(','),
      brackets: 'names',
    }),
    ...contextParameters,
    includable.length === 0
      ? list('include', 'This object has no relations')
      : list('include', include, { example: includable.at(-1) ?? '' }),
    ...(templateVariables ? [...tvParameters, ...valueParameters] : []),
    ...(visibility.published === undefined ? [] : [preview]),
    ...(templateVariables ? previewParameters : []),
    ...(visibility.deleted === undefined
      ? []
      : [
          query('include_deleted', 'Deleted records too; needs preview, resources.update or resources.delete', {
            schema: flag,
          }),
          otherDeleted,
        ]),
    // Both flags need their right on every object, even without an effect (docs/reference/gateway.md#parameters).
    ...(visibility.published === undefined ? [query('preview', 'No effect on this object', { schema: flag })] : []),
    ...(visibility.deleted === undefined
      ? [query('include_deleted', 'No effect on this object', { schema: flag })]
      : []),
  ];
}

const filterForms = { schema: { type: 'object', additionalProperties: true }, brackets: 'names' } as const;
const searchSchema = { schema: { type: 'string', maxLength: longestSearch } };

function filterParameters(fields: string): ParameterDoc[] {
  const forms = 'filter[field]=value or filter[field][operator]=value';
  return [
    query('filter', `${forms}. ${fields}Operators: ${operatorNames.join(', ')}`, filterForms),
    query('filters', 'Another spelling of filter', filterForms),
  ];
}

const wordParameters: readonly ParameterDoc[] = [
  query(
    'search',
    'Words in any order, the last one may be a beginning; without case and accents, the best hits first. Where no record has all words, meta.left_out names those that were left out',
    { schema: { type: 'string', maxLength: longestWords }, example: 'tent storm' },
  ),
  query('search_excerpt', 'With search: `excerpt`, the text around the words as HTML with <mark>', { schema: flag }),
];

export function listParameters(definition: ObjectDefinition): ParameterDoc[] {
  const { filterable, sortable, searchable, templateVariables } = definition;
  const tvs = templateVariables ? ', and tv.NAME of template variables' : '';
  return [
    ...filterParameters(`Fields: ${filterable.join(', ') || 'none'}${tvs}. `),
    list('sort', `Comma list; a leading - or :desc turns the order. Fields: ${sortable.join(', ')}${tvs}`, {
      example: sortable.map((name) => `-${name}`).at(0) ?? '',
    }),
    ...pagingParameters,
    searchable.length > 0
      ? query('q', `Literal text, in any case, in one of: ${searchable.join(', ')}`, searchSchema)
      : query('q', 'This object cannot be searched'),
    ...(definition.name === 'resources' ? wordParameters : []),
    ...shapeParameters(definition),
  ];
}

export const idsParameter = list(
  'ids',
  'Comma list of at most 100 ids: these records, in this order, without paging and sort',
  {
    example: '3,1,2',
  },
);

export const urisParameters: readonly ParameterDoc[] = [
  query(
    'uris',
    'Once for each page, at most 100 of 2,048 bytes: a list of these pages in this order; meta.missing names the rest',
    { example: 'about', brackets: 'items' },
  ),
  // Documented only to be refused: an answer has all named pages.
  ...['limit', 'offset', 'page', 'cursor', 'sort'].map((name) => query(name, 'Cannot be combined with uris')),
];

/** Records of the tree have neither relations nor template variables. */
export function treeParameters(definition: ObjectDefinition): ParameterDoc[] {
  const relational = new Set(['include', 'tv_fields', 'include_tv', 'tv_format', 'images']);
  return [
    query('root', 'Id of the resource whose children are the first level; 0 is the top of the site', {
      schema: { type: 'integer', minimum: 0, default: 0 },
    }),
    query('depth', 'Levels', { schema: { type: 'integer', minimum: 1, maximum: 10, default: 10 } }),
    query('hidden', 'With the resources that are hidden from menus, and what is below them', { schema: flag }),
    ...shapeParameters(definition).filter(({ name }) => !relational.has(name)),
  ];
}

export function anyObjectParameters(purpose: 'list' | 'read'): ParameterDoc[] {
  const shape = [
    list('fields', 'Comma list of fields of the object to return', { brackets: 'names' }),
    list('include', 'Comma list of relations of the object; tvs where it has template variables'),
    ...tvParameters,
    ...valueParameters,
    ...contextParameters,
    preview,
    query('include_deleted', 'Deleted records too; needs preview or a writing scope', { schema: flag }),
    otherDeleted,
  ];
  if (purpose === 'read') return shape;
  return [
    ...filterParameters(''),
    list('sort', 'Comma list of sortable fields; a leading - or :desc turns the order'),
    query('q', 'Literal text, in any case, in one of the searchable fields', searchSchema),
    ...pagingParameters,
    ...shape,
  ];
}

export function writeParameters(definition: ObjectDefinition | undefined): ParameterDoc[] {
  const shaping = definition === undefined ? anyObjectParameters('read') : shapeParameters(definition);
  const names = new Set(['include', 'tv_fields', 'include_tv', ...Object.keys(formParameters)]);
  return [...shaping.filter(({ name }) => names.has(name)), ...contextParameters];
}

export const conditionalParameter: ParameterDoc = {
  name: 'If-Match',
  in: 'header',
  description:
    'ETag of the record as GET without parameters gave it to the same credential; refused with 412 when it changed. A proxy may have weakened it',
  schema: text,
};

export const idempotencyParameter: ParameterDoc = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Name of this request: sent again with the same key and body, it is carried out once',
  schema: { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,128}$' },
};

export function forceParameter(definition: ObjectDefinition | undefined): ParameterDoc {
  const hasMark = definition === undefined || definition.visibility.deleted !== undefined;
  return query(
    'force',
    hasMark
      ? 'Remove the row permanently when true; otherwise it is marked as deleted'
      : 'No effect: rows are removed permanently',
    { schema: flag },
  );
}

export function pathParameter(
  name: string,
  description: string,
  rest: Partial<Pick<ParameterDoc, 'schema' | 'example'>> = {},
): ParameterDoc {
  return { name, in: 'path', description, required: true, schema: text, ...rest };
}
