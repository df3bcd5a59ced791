/** Shared parts of the OpenAPI document: headers, problem responses and schemas of envelopes. */
import { redirectStatuses } from '../../content/rules/redirect.js';
import { objectSchema, text } from '../../http/interface/endpoint.js';
import {
  type HeaderObject,
  type JsonSchema,
  type Reference,
  type ResponseObject,
  schemaRef,
} from '../../http/interface/openapi.js';
import { type PublicProblem, publicProblems } from '../http/envelope.js';

const count = { type: 'integer', minimum: 0 } as const;

export const responseHeaders: Readonly<Record<string, HeaderObject>> = Object.freeze({
  'X-Request-ID': { description: 'The id of the request: yours when it was usable, else a fresh one', schema: text },
  ETag: {
    description:
      'Tag of this representation, for If-None-Match; of a written record the one that a read without parameters has, for If-Match',
    schema: text,
  },
  'Cache-Control': { description: 'How long the answer may be kept', schema: text },
  'Cache-Tag': { description: 'Tags of what the answer shows; webhooks name the same ones', schema: text },
  Location: { description: 'Address of the record', schema: { type: 'string', format: 'uri-reference' } },
  'X-Resolved-Uri': { description: 'The URI of the page that moved, percent-encoded', schema: text },
  'Idempotency-Replayed': { description: '`true` when an earlier request got this answer', schema: text },
  'Retry-After': { description: 'Seconds until a retry makes sense', schema: count },
  'WWW-Authenticate': { description: 'How to authenticate', schema: text },
  'X-RateLimit-Limit': { description: 'Requests per window', schema: count },
  'X-RateLimit-Remaining': { description: 'Requests left in this window', schema: count },
  'X-RateLimit-Reset': { description: 'When the window ends, in Unix seconds', schema: count },
});

const rateHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

const headersByStatus: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: [...rateHeaders, 'Retry-After'],
  503: ['Retry-After'],
};

export function headerRefs(names: readonly string[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function problemRef(status: number): Reference {
  return { $ref: `#/components/responses/Problem${status}` };
}

export const movedRef: Reference = { $ref: '#/components/responses/Moved' };

const refusedGrant = publicProblems.find(({ code }) => code === 'invalid_grant');

export const oauthProblemRef: Reference = { $ref: '#/components/responses/OauthProblem' };

export function sharedResponses(base: string): Readonly<Record<string, ResponseObject>> {
  const responses: Record<string, ResponseObject> = {
    NotModified: {
      description: 'The representation that If-None-Match names is still the current one; no body',
      headers: headerRefs(['X-Request-ID', 'ETag', 'Cache-Control']),
    },
    Moved: {
      description: 'With gateway_redirects: the path is an old address of a page, or of the list of redirects',
      headers: headerRefs(['X-Request-ID', 'Cache-Control', 'Cache-Tag', 'Location', 'X-Resolved-Uri']),
      content: { 'application/json': { schema: envelope(schemaRef('Redirect')) } },
    },
    OauthProblem: {
      description: 'The request, client, grant or scope is refused, in the form of OAuth and of a problem in one',
      headers: headerRefs(['X-Request-ID']),
      content: {
        'application/json': {
          schema: schemaRef('OauthProblem'),
          example: {
            ...(refusedGrant === undefined ? {} : problemExample(refusedGrant, base)),
            ...{ instance: `${base}/auth/token`, error: 'invalid_scope', error_description: 'The scope is unknown' },
          },
        },
      },
    },
  };
  for (const status of new Set(publicProblems.map((row) => row.status).sort((a, b) => a - b))) {
    const rows = publicProblems.filter((row) => row.status === status);
    responses[`Problem${status}`] = {
      description: rows.map(({ code, meaning }) => `\`${code}\`: ${meaning}`).join('; '),
      headers: headerRefs(['X-Request-ID', ...(headersByStatus[status] ?? [])]),
      content: {
        'application/problem+json': {
          schema: schemaRef('ProblemDetails'),
          ...(rows[0] === undefined ? {} : { example: problemExample(rows[0], base) }),
        },
      },
    };
  }
  return responses;
}

function problemExample({ code, status, slug, title, meaning }: PublicProblem, base: string): object {
  return {
    type: `${base}/problems/${slug}`,
    title,
    status,
    detail: status === 422 ? 'Invalid limit' : meaning,
    instance: `${base}/resources`,
    code,
    request_id: '5f0c2d9e4b7a41c3a8f6e1d02b3c4d5e',
    ...(status === 422 ? { errors: { limit: ['must be an integer of at least 1'] } } : {}),
  };
}

function listOf(items: JsonSchema, description: string): JsonSchema {
  return { type: 'array', items, description };
}

export const ignored = listOf(text, 'Names of the parameters that are not known here; for callers with a credential');
const unresolved = listOf(
  { type: 'integer' },
  'With links=resolve: ids of links to resources that do not exist or that the caller may not see; 0 for a link without an id',
);
const remarks = {
  truncated: schemaRef('Truncated'),
  untyped: listOf(text, 'With tv_format=typed: template variables with a value that is not of their type'),
  unresolved,
};
const warnings = listOf(
  objectSchema({ field: text, message: text }),
  'Of a write: written values that break a rule of their template variable or name a missing picture',
);

const address = { type: 'string', format: 'uri-reference' };

const problemMembers = {
  type: { ...address, description: 'A page of this server with cause and fix' },
  title: text,
  status: { type: 'integer', minimum: 400, maximum: 599 },
  detail: text,
  code: { type: 'string', enum: publicProblems.map(({ code }) => code) },
  request_id: { type: 'string', description: 'Names the request in the log of the server' },
} as const;
const instance = { type: 'string', description: 'Path of the request' } as const;

export const fixedSchemas: Readonly<Record<string, JsonSchema>> = Object.freeze({
  ListMeta: objectSchema<JsonSchema>(
    {
      total: { type: 'integer', description: 'Records that match, over all pages', examples: [57] },
      count: { type: 'integer', description: 'Records on this page', examples: [1] },
      limit: { type: 'integer', description: 'Records per page as applied', examples: [20] },
      offset: { type: ['integer', 'null'], description: 'Records skipped; null on a page by cursor', examples: [0] },
      has_more: { type: 'boolean', description: 'Whether another page follows', examples: [true] },
    },
    {
      total_at_least: {
        type: 'boolean',
        description: 'True where more records may match than are counted: total is the least that there are',
      },
      next_cursor: { type: 'string', description: 'Value of cursor= for the next page, when there is one' },
      missing: listOf({ type: 'integer' }, 'With ids=: those without a record that the caller may see'),
      left_out: listOf(text, 'With search=: words that were not searched, because no record has all of them'),
      ...remarks,
      ignored,
    },
  ),
  Links: {
    ...objectSchema<JsonSchema>({ self: address }, { next: address, prev: address }),
    description: 'Path and query of this page and its neighbours',
  },
  RecordMeta: {
    type: 'object',
    properties: { ...remarks, warnings, ignored },
    examples: [{}],
  },
  PageMeta: objectSchema<JsonSchema>(
    {
      uri: { type: 'string', description: 'The URI as requested', examples: ['about'] },
      resolved_uri: { type: 'string', description: 'The URI that matched', examples: ['about.html'] },
      context: { type: 'string', examples: ['web'] },
    },
    { ...remarks, ignored },
  ),
  PagesMeta: objectSchema<JsonSchema>(
    {
      count: { type: 'integer', description: 'Pages in the answer' },
      context: { type: 'string', examples: ['web'] },
      missing: listOf(text, 'URIs without a page that the caller may see'),
    },
    {
      has_more: { type: 'boolean', const: true, description: 'The answer ends before the last URI' },
      ...remarks,
      ignored,
    },
  ),
  TreeMeta: objectSchema<JsonSchema>(
    {
      count: { type: 'integer', description: 'Resources in the tree', examples: [12] },
      context: { type: 'string', examples: ['web'] },
    },
    {
      truncated: {
        type: 'boolean',
        const: true,
        description: 'The lowest levels were cut: a tree has at most 2,000 resources',
      },
      unresolved,
      ignored,
    },
  ),
  TemplateValue: {
    description: 'A text; with tv_format=typed what /schema says of the variable',
    anyOf: [
      { type: ['string', 'null'] },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'array', items: {} },
      { type: 'object', additionalProperties: true },
    ],
  },
  Truncated: {
    type: 'object',
    description:
      'Relations that were cut at 100 records, and ancestors at 50 levels, with the keys of the records they belong to; `bytes` where a list ends early, because the answer would have more than 8 MiB',
    // `bytes` has no line of its own: generated clients need one type for all members.
    additionalProperties: {
      anyOf: [{ type: 'array', items: { type: ['integer', 'string'] } }, { type: 'boolean' }],
    },
    examples: [{ children: [5], ancestors: [42] }],
  },
  Redirect: objectSchema<JsonSchema>({
    from: { type: 'string', description: 'The old address, without a slash at its beginning', examples: ['old.html'] },
    to: { type: 'string', description: 'The URI of a page of the context, or a whole address', examples: ['new.html'] },
    status: { type: 'integer', enum: redirectStatuses, description: 'Status to redirect with', examples: [301] },
  }),
  Deletion: objectSchema<JsonSchema>({
    data: objectSchema<JsonSchema>({
      id: { type: ['integer', 'string'], examples: [42] },
      deleted: { type: 'boolean', const: true },
      permanent: { type: 'boolean', description: 'Whether the row was removed permanently' },
    }),
    meta: { type: 'object' },
  }),
  ProblemDetails: {
    ...objectSchema<JsonSchema>(problemMembers, {
      instance,
      errors: {
        type: 'object',
        description: 'With status 422: what is wrong, by field or parameter',
        additionalProperties: { type: 'array', items: text },
      },
      errors_omitted: {
        type: 'integer',
        minimum: 1,
        description: 'How many more fields have problems than errors names',
      },
    }),
    description: 'RFC 9457 problem document',
  },
  OauthProblem: {
    ...objectSchema<JsonSchema>(
      {
        error: { type: 'string', description: 'The word of RFC 6749 or 6750', examples: ['invalid_grant'] },
        error_description: text,
        ...problemMembers,
      },
      { instance },
    ),
    description: 'Error of OAuth with the members of a problem document',
  },
});

export function listEnvelope(record: JsonSchema): JsonSchema {
  const data = { type: 'array', items: record };
  return objectSchema<JsonSchema>({ data, meta: schemaRef('ListMeta'), links: schemaRef('Links') });
}

export function envelope(data: JsonSchema, meta: JsonSchema = { type: 'object' }): JsonSchema {
  return objectSchema({ data, meta });
}
