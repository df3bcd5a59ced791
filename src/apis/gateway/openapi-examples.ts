/** Example values of fields for the OpenAPI document: the same on every build, speaking where the name is known. */
import type { FieldDefinition } from '../../objects/definition.js';

const byName: Readonly<Record<string, string | number | boolean>> = Object.freeze({
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
  class_key: 'modDocument',
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

/** The keyword `examples` for a field; nothing for JSON fields, which have no shape of their own. */
export function exampleOf(name: string, field: FieldDefinition): { readonly examples?: readonly unknown[] } {
  const known = byName[name];
  switch (field.type) {
    case 'integer':
    case 'number':
      return { examples: [typeof known === 'number' ? known : 0] };
    case 'boolean':
      return { examples: [known === true] };
    case 'datetime':
      return { examples: ['2026-11-21T09:30:00Z'] };
    case 'string':
      return { examples: [typeof known === 'string' ? known : exampleText(field)] };
    case 'json':
      return {};
  }
}

function exampleText({ media, nullable }: FieldDefinition): string | null {
  if (media) return 'https://example.com/assets/photo.jpg';
  return nullable ? null : '';
}
