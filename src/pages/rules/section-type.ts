/** Section types: fields that editors fill in, and the template that makes HTML from them. */
import { memberOf } from '../../values/json.js';
import { type FieldType, type ValueKind, valueKindOf } from './field-types.js';

export const typeKeyForm = /^_?[a-z][a-z0-9_-]{0,99}$/;

/** Where a new section of the type may be put; an empty list means everywhere. */
interface Availability {
  readonly templates: readonly number[];
  readonly parents: readonly number[];
  readonly resources: readonly number[];
  readonly contexts: readonly string[];
}

export interface FieldOption {
  readonly value: string;
  readonly label: string;
}

/** The field counts only while another field of the same level has one of the values. */
export interface ShowWhen {
  readonly field: string;
  readonly values: readonly (string | number | boolean)[];
}

export interface FieldDefinition {
  readonly name: string;
  readonly type: FieldType;
  readonly label: string;
  /** Blocks publishing while empty, never a draft. */
  readonly required: boolean;
  /** Inactive fields keep their value and are never required. */
  readonly active: boolean;
  /** A value per screen size instead of one. */
  readonly responsive: boolean;
  readonly description: string;
  readonly default?: unknown;
  readonly options: readonly FieldOption[];
  readonly showWhen?: ShowWhen;
  readonly fields: readonly FieldDefinition[];
  /** For an editor's form, as given: `tab`, `width`, `columns`, `crops`, `mask`, `currency`, … */
  readonly form: Readonly<Record<string, unknown>>;
}

export interface SectionType {
  readonly key: string;
  readonly version: number;
  readonly label: string;
  readonly category: string;
  readonly categories: readonly string[];
  readonly fields: readonly FieldDefinition[];
  readonly template: string;
  readonly availability: Availability;
  readonly thumbnail: string;
}

export type SectionTypes = ReadonlyMap<string, SectionType>;

export interface PagePlace {
  readonly id: number;
  readonly parent: number;
  readonly template: number;
  readonly context: string;
}

/** Sections that are on the page already stay. */
export function isAvailable({ availability }: Pick<SectionType, 'availability'>, place: PagePlace): boolean {
  const { templates, parents, resources, contexts } = availability;
  const holds = <T>(list: readonly T[], value: T): boolean => list.length === 0 || list.includes(value);
  return (
    holds(templates, place.template) &&
    holds(parents, place.parent) &&
    holds(resources, place.id) &&
    holds(contexts, place.context)
  );
}

/** Types of developers, and keys that begin with an underscore. */
export function isHiddenType({ key, categories }: SectionType): boolean {
  return key.startsWith('_') || categories.includes('dev');
}

/** Groups give way to their own fields, headings store nothing. */
export function storedFields(fields: readonly FieldDefinition[]): readonly FieldDefinition[] {
  return fields.flatMap((field) => {
    const kind = valueKindOf(field.type);
    if (kind === 'group') return storedFields(field.fields);
    return kind === 'nothing' ? [] : [field];
  });
}

/** The stored fields that an editor can fill in with these values. */
export function countingFields(
  fields: readonly FieldDefinition[],
  values: Readonly<Record<string, unknown>>,
): readonly FieldDefinition[] {
  return fields.flatMap((field) => {
    if (!field.active || !isShown(field, values)) return [];
    return valueKindOf(field.type) === 'group' ? countingFields(field.fields, values) : storedFields([field]);
  });
}

function isShown({ showWhen }: FieldDefinition, values: Readonly<Record<string, unknown>>): boolean {
  if (!showWhen) return true;
  const value = memberOf(values, showWhen.field);
  // Forms send numbers and flags as texts, and people write definitions with the form in mind.
  return showWhen.values.some((wanted) => wanted === value || String(wanted) === String(value ?? ''));
}

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

/** Example data of a section: a value for each field that an editor would fill in. */
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
