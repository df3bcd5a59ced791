/** The gateway's query language: text to intent, and every refusal by field. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholeList } from '../../../src/content/administration/browse-content.js';
import type { ListIntent } from '../../../src/content/query/ast.js';
import { AppError } from '../../../src/errors/app-error.js';
import { parseList, parseShape, type QueryLimits } from '../../../src/gateway/http/query.js';

const limits: QueryLimits = {
  gateway_max_limit: 100,
  gateway_max_offset: 1000,
  gateway_max_fields: 3,
  gateway_max_include_relations: 3,
  gateway_max_include_depth: 2,
};

function parse(query: string, contextHeader?: string): ListIntent {
  return parseList({ query: [...new URLSearchParams(query)], contextHeader, limits });
}

function problemsOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'validation_failed') return error.details.fields;
    throw error;
  }
  return 'no problem';
}

const nothing = wholeList({ preview: false, includeDeleted: false }, 20);

describe('a list query becomes an intent', () => {
  const cases: readonly { name: string; query: string; intent: Partial<ListIntent> }[] = [
    { name: 'nothing asked', query: '', intent: {} },
    {
      name: 'a plain filter means eq',
      query: 'filter[parent]=5',
      intent: { filters: [{ field: 'parent', operator: 'eq', values: ['5'] }] },
    },
    {
      name: 'filters is another spelling of filter',
      query: 'filters[parent][ne]=5',
      intent: { filters: [{ field: 'parent', operator: 'neq', values: ['5'] }] },
    },
    {
      name: 'a list operator splits at commas and trims',
      query: 'filter[id][in]=1, 2,3',
      intent: { filters: [{ field: 'id', operator: 'in', values: ['1', '2', '3'] }] },
    },
    {
      name: 'repeated items make one list',
      query: 'filter[id][in][]=1&filter[id][in][]=2',
      intent: { filters: [{ field: 'id', operator: 'in', values: ['1', '2'] }] },
    },
    {
      name: 'an empty in list stays empty',
      query: 'filter[id][in]=',
      intent: { filters: [{ field: 'id', operator: 'in', values: [] }] },
    },
    {
      name: 'bare items are in',
      query: 'filter[id][]=1&filter[id][]=2',
      intent: { filters: [{ field: 'id', operator: 'in', values: ['1', '2'] }] },
    },
    {
      name: 'null ignores its value',
      query: 'filter[alias][null]=0',
      intent: { filters: [{ field: 'alias', operator: 'null', values: [] }] },
    },
    {
      name: 'names of the language itself are ordinary unknown names',
      query: 'filter[__proto__][eq]=1&filter[constructor]=2',
      intent: {
        filters: [
          { field: '__proto__', operator: 'eq', values: ['1'] },
          { field: 'constructor', operator: 'eq', values: ['2'] },
        ],
      },
    },
    {
      name: 'sort prefixes and suffixes, the suffix winning',
      query: 'sort=a,-b,%2Bc, d,-e:asc,f:DESC,,',
      intent: {
        sort: [
          { field: 'a', direction: 'asc' },
          { field: 'b', direction: 'desc' },
          { field: 'c', direction: 'asc' },
          { field: 'd', direction: 'asc' },
          { field: 'e', direction: 'asc' },
          { field: 'f', direction: 'desc' },
        ],
      },
    },
    { name: 'q is trimmed', query: 'q=%20red%20bike%20', intent: { search: 'red bike' } },
    { name: 'a blank q is no search', query: 'q=%20%20', intent: {} },
    { name: 'fields keep their order, once each', query: 'fields=b,a,,b', intent: { fields: ['b', 'a'] } },
    {
      name: 'a limit above the maximum is cut',
      query: 'limit=500',
      intent: { paging: { kind: 'offset', limit: 100, offset: 0 } },
    },
    {
      name: 'numbers longer than any that counts are cut too',
      query: 'limit=99999999999999999999&page=99999999999999999999',
      intent: { paging: { kind: 'offset', limit: 100, offset: 1000 } },
    },
    {
      name: 'page counts from 1',
      query: 'page=3&limit=10',
      intent: { paging: { kind: 'offset', limit: 10, offset: 20 } },
    },
    {
      name: 'a far offset is cut',
      query: 'offset=99999',
      intent: { paging: { kind: 'offset', limit: 20, offset: 1000 } },
    },
    {
      name: 'a cursor replaces the offset',
      query: 'cursor=abc&limit=5',
      intent: { paging: { kind: 'cursor', limit: 5, cursor: 'abc' } },
    },
    { name: 'empty paging values count as absent', query: 'limit=&offset=&page=', intent: {} },
    {
      name: 'includes are paths; tvs is apart',
      query: 'include=parent.parent,children,tvs',
      intent: { include: [['parent', 'parent'], ['children']], tvPaths: [[]], tvs: { kind: 'all' } },
    },
    {
      name: 'tvs of related rows',
      query: 'include=children.tv',
      intent: { tvPaths: [['children']], tvs: { kind: 'all' } },
    },
    {
      name: 'named tvs',
      query: 'tv_fields=price, colour',
      intent: { tvPaths: [[]], tvs: { kind: 'named', names: ['price', 'colour'] } },
    },
    { name: 'tv_fields without names means all', query: 'tv_fields=', intent: { tvPaths: [[]], tvs: { kind: 'all' } } },
    { name: 'tv_fields=* means all', query: 'tv_fields=*', intent: { tvPaths: [[]], tvs: { kind: 'all' } } },
    { name: 'include_tv when true', query: 'include_tv=1', intent: { tvPaths: [[]], tvs: { kind: 'all' } } },
    {
      name: 'preview and include_deleted, any spelling',
      query: 'preview=YES&includeDeleted=on',
      intent: { preview: true, includeDeleted: true },
    },
    { name: 'other words are false', query: 'preview=maybe&include_deleted=2', intent: {} },
    { name: 'unknown parameters are ignored', query: 'utm_source=x&filterable=1&__proto__=1', intent: {} },
  ];
  it.each(cases)('$name', ({ query, intent }) => {
    expect(parse(query)).toEqual({ ...nothing, ...intent });
  });

  it('takes the context from the parameter, and from the header first', () => {
    expect(parse('context=docs').context).toBe('docs');
    expect(parse('context=docs', 'web').context).toBe('web');
  });

  it('include_tv=0 asks for no template variables', () => {
    expect(parse('include_tv=0').tvPaths).toEqual([]);
  });
});

describe('what is not understood is refused by name', () => {
  const cases: readonly { name: string; query: string; problems: Record<string, string[]> }[] = [
    {
      name: 'an unknown operator, keyed by the field',
      query: 'filter[id][EQ]=1',
      problems: {
        id: ['operator must be one of: eq, neq, ne, gt, gte, lt, lte, like, in, not_in, null, not_null'],
      },
    },
    { name: 'a parameter given twice', query: 'limit=1&limit=2', problems: { limit: ['must be given once'] } },
    {
      name: 'both spellings of one parameter',
      query: 'include_deleted=1&includeDeleted=1',
      problems: { include_deleted: ['must be given once'] },
    },
    {
      name: 'the same filter twice',
      query: 'filter[id]=1&filter[id][eq]=2',
      problems: { id: ['the same filter is given twice'] },
    },
    {
      name: 'a third bracket level',
      query: 'filter[id][eq][x]=1',
      problems: { id: ['must have the form filter[field]=value or filter[field][operator]=value'] },
    },
    {
      name: 'a filter without a field',
      query: 'filter=1&filter[]=2',
      problems: {
        filter: [
          'must have the form filter[field]=value or filter[field][operator]=value',
          'must have the form filter[field]=value or filter[field][operator]=value',
        ],
      },
    },
    {
      name: 'unbalanced brackets',
      query: 'filter[id=1',
      problems: { filter: ['filter[id is not understood; use filter[field][operator]=value'] },
    },
    ...['abc', '1.5', '-1', '0', '1e3', ' 1'].map((value) => ({
      name: `limit=${value}`,
      query: `limit=${encodeURIComponent(value)}`,
      problems: { limit: ['must be an integer of at least 1'] },
    })),
    { name: 'a negative offset', query: 'offset=-1', problems: { offset: ['must be an integer of at least 0'] } },
    { name: 'page 0', query: 'page=0', problems: { page: ['must be an integer of at least 1'] } },
    {
      name: 'page with offset',
      query: 'page=1&offset=0',
      problems: { page: ['cannot be combined with offset'], offset: ['cannot be combined with page'] },
    },
    {
      name: 'a cursor with an offset',
      query: 'cursor=x&offset=0',
      problems: { cursor: ['cannot be combined with offset or page'] },
    },
    { name: 'too many fields', query: 'fields=a,b,c,d', problems: { fields: ['at most 3 fields'] } },
    { name: 'too many fields, the same ones', query: 'fields=a,a,b,b', problems: { fields: ['at most 3 fields'] } },
    { name: 'the same relation too often', query: 'include=a,a,a,a', problems: { include: ['at most 3 relations'] } },
    { name: 'too many relations', query: 'include=a,b,c,d', problems: { include: ['at most 3 relations'] } },
    { name: 'a relation too deep', query: 'include=a.b.c', problems: { include: ['a.b.c is deeper than 2'] } },
    {
      name: 'everything at once',
      query: 'limit=x&page=y&filter[a][b]=1',
      problems: {
        limit: ['must be an integer of at least 1'],
        page: ['must be an integer of at least 1'],
        a: ['operator must be one of: eq, neq, ne, gt, gte, lt, lte, like, in, not_in, null, not_null'],
      },
    },
  ];
  it.each(cases)('$name', ({ query, problems }) => {
    expect(problemsOf(() => parse(query))).toEqual(problems);
  });
});

const nameArbitrary = fc.oneof(
  fc.constantFrom(
    'filter',
    'filters',
    'filter[id]',
    'filter[id][in]',
    'filter[id][in][]',
    'sort',
    'q',
    'limit',
    'page',
  ),
  fc.constantFrom(
    'fields',
    'include',
    'tv_fields',
    'include_tv',
    'cursor',
    'offset',
    'context',
    'filter[__proto__][a]',
  ),
  fc.string(),
);

describe('properties of the parser', () => {
  it('throws nothing but validation problems, whatever it is given', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(nameArbitrary, fc.string({ unit: 'binary' }))), (query) => {
        for (const work of [parseList, parseShape]) {
          try {
            work({ query, contextHeader: undefined, limits });
          } catch (error) {
            expect(error).toBeInstanceOf(AppError);
            expect(error).toMatchObject({ code: 'validation_failed' });
          }
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('never lets a filter vanish: as many conditions come out as go in', () => {
    const field = fc.stringMatching(/^[a-z_]{1,8}$/);
    fc.assert(
      fc.property(fc.uniqueArray(field, { minLength: 1, maxLength: 6 }), fc.string(), (fields, value) => {
        const query = fields.map((name): [string, string] => [`filter[${name}]`, value]);
        const intent = parseList({ query, contextHeader: undefined, limits });
        expect(intent.filters.map((term) => term.field)).toEqual(fields);
      }),
    );
  });
});
