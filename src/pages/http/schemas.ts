/** JSON Schemas of what the page delivery API answers, for its OpenAPI document. */

type Json = Readonly<Record<string, unknown>>;

const resource: Json = {
  type: 'object',
  required: ['id', 'pagetitle', 'alias', 'uri', 'context', 'template'],
  properties: {
    id: { type: 'integer' },
    pagetitle: { type: 'string' },
    alias: { type: 'string' },
    uri: { type: 'string' },
    context: { type: 'string' },
    template: { type: 'integer' },
  },
};

const head: Json = {
  resourceId: { type: 'integer' },
  publishedRevision: {
    type: 'integer',
    minimum: 1,
    description: 'Grows with every publication of the page and is never used twice.',
  },
  publishedAt: { type: ['string', 'null'], format: 'date-time' },
  resource,
};
const headNames = Object.keys(head);

const section: Json = {
  id: { type: 'string', pattern: '^[0-9a-f]{32}$' },
  type: { type: 'string', description: 'Key of a section type of the catalogue.' },
  enabled: { type: 'boolean' },
  data: { type: 'object', description: 'Values by the names of the fields of the section type.' },
};

const settings: Json = { type: 'object', description: 'Who the section is shown to.' };

function sections(properties: Json): Json {
  return { type: 'array', items: { type: 'object', required: Object.keys(properties), properties } };
}

/** One page with the parts that were asked for. */
export const pageSchema: Json = {
  type: 'object',
  required: headNames,
  properties: {
    ...head,
    document: {
      type: 'object',
      description: 'As it was published, without its trash and without disabled sections.',
      required: ['schemaVersion', 'sections'],
      properties: {
        schemaVersion: { const: 1 },
        sections: sections({ ...section, typeVersion: { type: 'integer' }, settings }),
      },
    },
    values: {
      type: 'object',
      required: ['plainText', 'sections'],
      properties: {
        plainText: { type: 'string', description: 'The texts of the page, a line for each section.' },
        sections: sections(section),
      },
    },
    html: { type: 'string', description: 'The sections that could be rendered, one after the other.' },
    sections: sections({ ...section, settings, html: { type: 'string' }, renderFailed: { type: 'boolean' } }),
  },
};

/** The list of pages, or a part of the change feed. */
export const pageListSchema: Json = {
  type: 'object',
  required: ['items', 'total', 'revision'],
  properties: {
    items: {
      type: 'array',
      items: {
        oneOf: [
          { type: 'object', required: headNames, properties: head },
          {
            type: 'object',
            required: ['resourceId', 'publishedRevision', 'withdrawn'],
            properties: {
              resourceId: head.resourceId,
              publishedRevision: { type: 'integer' },
              withdrawn: { const: true },
            },
            additionalProperties: false,
          },
        ],
      },
    },
    total: { type: 'integer', description: 'How many there are in all parts.' },
    revision: { type: 'integer', description: 'Give it as `changed_since` to learn what changed since.' },
    more: { type: 'boolean', description: 'With `changed_since` only: go on from `revision` at once.' },
  },
};

/** The catalogue of section types. */
export const catalogSchema: Json = {
  type: 'object',
  required: ['items', 'total'],
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['key', 'version', 'label', 'category', 'categories', 'fields', 'thumbnail'],
        properties: {
          key: { type: 'string' },
          version: { type: 'integer' },
          label: { type: 'string' },
          category: { type: 'string' },
          categories: { type: 'array', items: { type: 'string' } },
          fields: {
            type: 'array',
            items: {
              type: 'object',
              required: ['name', 'type', 'label', 'required'],
              properties: {
                name: { type: 'string' },
                type: { type: 'string' },
                label: { type: 'string' },
                required: { type: 'boolean', description: 'Blocks publishing while it is empty.' },
              },
            },
          },
          thumbnail: { type: 'string' },
        },
      },
    },
    total: { type: 'integer' },
  },
};
