/** Example data of a section: a value for each field that an editor would fill in. */
import { type ValueKind, valueKindOf } from './field-types.js';
import { countingFields, type FieldDefinition } from './section-type.js';

/** Kinds without an entry get a value from the editor only. */
const examples: Readonly<Partial<Record<ValueKind, (field: FieldDefinition) => unknown>>> = {
  text: ({ label, name }) => label || name,
  longText: ({ label, name }) => `${label || name}: one or two sentences.`,
  html: () => '<p>One or two sentences with <strong>emphasis</strong>.</p>',
  number: () => 1,
  boolean: () => false,
  url: () => '/',
  slug: () => 'example',
  email: () => 'name@example.com',
  choice: ({ options }) => options[0]?.value,
  choices: ({ options }) => options.slice(0, 1).map(({ value }) => value),
  date: () => '2030-01-31',
  time: () => '09:00',
  datetime: () => '2030-01-31T09:00',
  dateRange: () => ({ from: '2030-01-01', to: '2030-01-31' }),
  media: () => ({ url: '/example.jpg' }),
  mediaList: () => [{ url: '/example.jpg' }],
  video: () => ({ url: '/example.mp4' }),
  map: () => ({ lat: 52.52, lng: 13.405, provider: 'osm' }),
  button: ({ label, name }) => ({ label: label || name, url: '/' }),
  rows: ({ fields }) => [exampleData(fields)],
};

export function exampleData(fields: readonly FieldDefinition[]): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const field of countingFields(fields, {})) {
    // The other texts are names of elements and icons.
    const isPlain = field.required || valueKindOf(field.type) !== 'text' || field.type === 'text';
    const value = field.default ?? (isPlain ? examples[valueKindOf(field.type)]?.(field) : undefined);
    if (value !== undefined) values[field.name] = value;
  }
  return values;
}
