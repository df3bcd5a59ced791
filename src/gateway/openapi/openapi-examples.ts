/** Example values for the OpenAPI document: equal on every build, realistic if the name is known. */
import type { FieldDefinition, ObjectDefinition } from '../../content/objects/definition.js';

/** By field name, or by `object.field` where one name means different things. */
const known: Readonly<Record<string, string | number | boolean | null>> = Object.freeze({
  'resources.type': 'document',
  'tvs.type': 'text',
  'contexts.name': 'Website',
  id: 42,
  key: 'web',
  pagetitle: 'About us',
  longtitle: 'About our company',
  menutitle: 'About',
  alias: 'about',
  uri: 'about.html',
  introtext: 'Who we are.',
  content: '<p>Hello.</p>',
  description: 'A short description',
  class_key: 'MODX\\Revolution\\modDocument',
  pub_date: null,
  unpub_date: null,
  deletedon: null,
  content_type: 1,
  richtext: true,
  context_key: 'web',
  templatename: 'Base',
  mime_type: 'text/html',
  file_extensions: '.html',
  parent: 7,
  template: 1,
  category: 3,
  published: true,
  cacheable: true,
  searchable: true,
  show_in_tree: true,
});

interface NamedField {
  readonly definition: ObjectDefinition;
  readonly name: string;
  readonly field: FieldDefinition;
}

export function exampleOf({ definition, name, field }: NamedField): { readonly examples?: readonly unknown[] } {
  const value = known[`${definition.name}.${name}`] ?? known[name];
  switch (field.type) {
    case 'integer':
    case 'number':
      return { examples: [typeof value === 'number' ? value : 0] };
    case 'boolean':
      return { examples: [value === true] };
    case 'datetime':
      return { examples: [value === null ? null : '2026-11-21T09:30:00Z'] };
    case 'string':
      return { examples: [typeof value === 'string' ? value : exampleText(field, definition.required.includes(name))] };
    case 'json':
      return {};
  }
}

function exampleText({ media, nullable }: FieldDefinition, isRequired: boolean): string | null {
  if (media) return 'https://example.com/assets/photo.jpg';
  if (isRequired) return 'text';
  return nullable ? null : '';
}
