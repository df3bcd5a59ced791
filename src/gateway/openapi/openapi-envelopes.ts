/** Component schemas that do not depend on the registry: the parts of envelopes and the problem document. */
import { errorCodes } from '../../errors/catalogue.js';
import { problems } from '../http/envelope.js';
import { type JsonSchema, schemaRef } from './openapi-types.js';

export const fixedSchemas: Readonly<Record<string, JsonSchema>> = Object.freeze({
  ListMeta: {
    type: 'object',
    required: ['total', 'count', 'limit', 'offset', 'has_more'],
    properties: {
      total: { type: 'integer', description: 'Records that match, over all pages', examples: [57] },
      count: { type: 'integer', description: 'Records on this page', examples: [1] },
      limit: { type: 'integer', description: 'Records per page as applied', examples: [20] },
      offset: { type: ['integer', 'null'], description: 'Records skipped; null on a page by cursor', examples: [0] },
      has_more: { type: 'boolean', description: 'Whether another page follows', examples: [true] },
      next_cursor: { type: 'string', description: 'Value of cursor= for the next page, when there is one' },
      truncated: schemaRef('Truncated'),
    },
  },
  Links: {
    type: 'object',
    description: 'Path and query of this page and its neighbours',
    required: ['self'],
    properties: {
      self: { type: 'string', format: 'uri-reference' },
      next: { type: 'string', format: 'uri-reference' },
      prev: { type: 'string', format: 'uri-reference' },
    },
  },
  RecordMeta: {
    type: 'object',
    properties: { truncated: schemaRef('Truncated') },
    examples: [{}],
  },
  PageMeta: {
    type: 'object',
    required: ['uri', 'resolved_uri', 'context'],
    properties: {
      uri: { type: 'string', description: 'The URI as requested', examples: ['about'] },
      resolved_uri: { type: 'string', description: 'The URI that matched', examples: ['about.html'] },
      context: { type: 'string', examples: ['web'] },
      truncated: schemaRef('Truncated'),
    },
  },
  Truncated: {
    type: 'object',
    description: 'Relations that were cut at 100 records, with the keys of the records they belong to',
    additionalProperties: { type: 'array', items: { type: ['integer', 'string'] } },
  },
  Deletion: {
    type: 'object',
    required: ['data', 'meta'],
    properties: {
      data: {
        type: 'object',
        required: ['id', 'deleted', 'permanent'],
        properties: {
          id: { type: ['integer', 'string'], examples: [42] },
          deleted: { type: 'boolean', const: true },
          permanent: { type: 'boolean', description: 'Whether the row was removed permanently' },
        },
      },
      meta: { type: 'object' },
    },
  },
  ProblemDetails: {
    type: 'object',
    description: 'RFC 9457 problem document',
    required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
    properties: {
      type: { type: 'string', format: 'uri-reference', description: 'A page of this server with cause and fix' },
      title: { type: 'string' },
      status: { type: 'integer', minimum: 400, maximum: 599 },
      detail: { type: 'string' },
      instance: { type: 'string', description: 'Path of the request' },
      code: { type: 'string', enum: [...new Set(errorCodes.map((code) => problems[code].code))] },
      request_id: { type: 'string', description: 'Names the request in the log of the server' },
      errors: {
        type: 'object',
        description: 'With status 422: what is wrong, by field or parameter',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
      errors_omitted: {
        type: 'integer',
        minimum: 1,
        description: 'How many more fields have problems than errors names',
      },
    },
  },
});

/** The envelope of a page of records. */
export function listEnvelope(record: JsonSchema): JsonSchema {
  return {
    type: 'object',
    required: ['data', 'meta', 'links'],
    properties: { data: { type: 'array', items: record }, meta: schemaRef('ListMeta'), links: schemaRef('Links') },
  };
}
