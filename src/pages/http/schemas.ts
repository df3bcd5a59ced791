/** JSON Schemas of the answers of the page delivery API, for its OpenAPI document. */
import { objectSchema, text } from '../../http/interface/endpoint.js';

export type Json = Readonly<Record<string, unknown>>;

function listOf(items: Json): Json {
  return { type: 'array', items };
}

export function envelopeSchema(object: Json): Json {
  return objectSchema({ success: { const: true }, message: { const: '' }, object });
}

const integer = { type: 'integer' };
const flag = { type: 'boolean' };

const publishedRevision: Json = {
  type: 'integer',
  minimum: 1,
  description: 'Grows with every publication of the page and is never used twice.',
};
const head: Json = {
  resourceId: integer,
  publishedRevision,
  publishedAt: { type: ['string', 'null'], format: 'date-time' },
  resource: objectSchema({
    ...{ id: integer, pagetitle: text, alias: text, uri: text },
    ...{ context: text, template: integer },
  }),
};

const section: Json = {
  id: { type: 'string', pattern: '^[0-9a-f]{32}$' },
  type: { type: 'string', description: 'Key of a section type of the catalogue.' },
  enabled: flag,
  data: { type: 'object', description: 'Values by the names of the fields of the section type.' },
};
const settings: Json = { type: 'object', description: 'Who the section is shown to.' };

const document = objectSchema({
  schemaVersion: { const: 1 },
  sections: listOf(objectSchema({ ...section, typeVersion: integer, settings })),
});

const parts: Json = {
  document: { ...document, description: 'As it was published, without its trash and without disabled sections.' },
  values: objectSchema({
    plainText: { type: 'string', description: 'The texts of the page, a line for each section.' },
    sections: listOf(objectSchema(section)),
  }),
  html: { type: 'string', description: 'The sections that could be rendered, one after the other.' },
  sections: listOf(objectSchema({ ...section, settings, html: text, renderFailed: flag })),
  hreflang: {
    ...listOf(objectSchema({ context: text, language: text, id: integer, uri: text, url: text })),
    description: 'The page in each language; the one with `language` `x-default` is for all others.',
  },
};

export const pageSchema = objectSchema(head, parts);

export const pageOrDraftSchema = objectSchema<unknown>(
  { ...head, publishedRevision: { ...publishedRevision, minimum: 0 } },
  {
    ...parts,
    state: { const: 'draft', description: 'Only with a preview: this is the draft.' },
    draftRevision: { type: 'integer', minimum: 1, description: 'Of the draft; grows with every save.' },
  },
);

const withdrawn = objectSchema({
  resourceId: integer,
  publishedRevision: integer,
  withdrawn: { const: true },
});

export const pageListSchema = objectSchema(
  {
    items: listOf({ oneOf: [objectSchema(head), { ...withdrawn, additionalProperties: false }] }),
    total: { type: 'integer', description: 'How many there are in all parts.' },
    revision: { type: 'integer', description: 'Give it as `changed_since` to learn what changed since.' },
  },
  { more: { type: 'boolean', description: 'With `changed_since` only: go on from `revision` at once.' } },
);

const field: Json = {
  ...objectSchema<unknown>({
    ...{ name: text, type: text, label: text },
    required: { type: 'boolean', description: 'Blocks publishing while it is empty.' },
    active: { type: 'boolean', description: 'Fields that are not keep their value.' },
    responsive: { type: 'boolean', description: 'A value for each size of screen instead of one.' },
    description: text,
    default: { description: 'Value of a new section.' },
    options: { ...listOf(objectSchema({ value: text, label: text })), description: 'Accepted values; empty: any.' },
    showWhen: objectSchema({ field: text, value: listOf({ type: ['string', 'number', 'boolean'] }) }),
    fields: { type: 'array', items: { type: 'object' }, description: 'The same of a row or group.' },
  }),
  required: ['name', 'type', 'label', 'required', 'active', 'responsive', 'description', 'options', 'fields'],
  description: 'With the words that the type gives for forms, such as `tab` and `width`.',
  additionalProperties: true,
};

export const catalogSchema = objectSchema({
  items: listOf(
    objectSchema({
      ...{ key: text, version: integer, label: text, category: text, categories: listOf(text) },
      ...{ fields: listOf(field), thumbnail: text },
    }),
  ),
  total: integer,
});
