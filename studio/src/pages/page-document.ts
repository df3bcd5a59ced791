/** Page documents and section types as the commands give them, changes of documents, and what every field needs. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FieldType, ValueKind } from '../../../src/pages/rules/field-types.js';
import type { PageSection } from '../../../src/pages/rules/page-document.js';
import { htmlToText } from '../../../src/pages/rules/sanitize-html.js';
import { type FieldDefinition, type SectionType, storedFields } from '../../../src/pages/rules/section-type.js';
import type { Json, JsonObject } from '../api.js';
import type { FieldText, InputProps } from '../inputs.js';
import { titleOf } from '../values.js';

export interface Section extends Pick<PageSection, 'id' | 'type' | 'enabled' | 'settings'> {
  readonly data: JsonObject;
}

export interface PageDocument extends Readonly<Record<'sections' | 'trash', readonly Section[]>> {
  readonly schemaVersion: 1;
}

/** Only types in the catalog can be added. */
export interface TypeView extends Pick<SectionType, 'key' | 'label' | 'availability'> {
  readonly in_catalog: boolean;
  readonly definitions: readonly FieldDefinition[];
}

export type Types = ReadonlyMap<string, TypeView>;

/** Of `hcd page show` and the commands that change a page. */
export interface PageRecord extends Readonly<Record<'revision' | 'published_revision' | 'last_published', number>> {
  readonly state: 'draft' | 'published' | 'changed' | 'withdrawn';
  readonly publish_on: string | null;
  readonly unpublish_on: string | null;
  readonly edited_by: string;
  readonly edited_on: string;
}

export const emptyDocument: PageDocument = { schemaVersion: 1, sections: [], trash: [] };

export function newId(): string {
  return crypto.randomUUID().replaceAll('-', '');
}

/** As the command gives them to a section without an id. */
export function defaultsOf(fields: readonly FieldDefinition[]): JsonObject {
  const given = storedFields(fields).filter((field) => field.default !== undefined);
  return Object.fromEntries(given.map((field) => [field.name, field.default as Json]));
}

/** The first words in it, for people who look for a section. */
export function firstText(value: Json): string {
  if (typeof value === 'string') return htmlToText(value);
  for (const [name, member] of Object.entries<Json>(Object(value))) {
    // The id of an entry says nothing to people.
    const text = name === '_rowId' ? '' : firstText(member);
    if (text !== '' && !/^(\/|https?:)/.test(text)) return text.slice(0, 80);
  }
  return '';
}

/** By path, such as `sections[0].data.items[1].title`. */
export const ProblemsContext = createContext<Readonly<Record<string, readonly string[]>>>({});

export function isBelow(path: string, above: string): boolean {
  return path.startsWith(above) && ['.', '['].includes(path.charAt(above.length));
}

export interface ValueProps extends Pick<InputProps<Json | undefined>, 'value' | 'change'> {
  readonly field: FieldDefinition;
  readonly path: string;
}

/** What is said of a field, with the problems of the field itself, and with `deep` of what is in it. */
export function useField(field: FieldDefinition, path: string, deep = true): FieldText {
  const { label, name, required, description } = field;
  const problems = Object.entries(useContext(ProblemsContext));
  const own = problems.filter(([at]) => at === path || (deep && isBelow(at, path)));
  return { label: label || name, help: description || undefined, required, problems: own.flatMap(([, said]) => said) };
}

export function fieldOf(name: string, type: FieldType, more: Partial<FieldDefinition> = {}): FieldDefinition {
  return {
    ...{ name, type, label: titleOf(name), required: false, active: true, responsive: false, description: '' },
    ...{ options: [], fields: [], form: {}, ...more },
  };
}

function select(name: string, ...values: readonly string[]): FieldDefinition {
  return fieldOf(name, 'select', { options: values.map((value) => ({ value, label: titleOf(value) })) });
}

function rows(name: string, ...fields: readonly FieldDefinition[]): FieldDefinition {
  return fieldOf(name, 'repeater', { fields });
}

const operators = ['eq', 'contains', 'in', 'gte', 'lte', 'between', 'empty', 'not_empty'];

/** The fields inside of values that are objects. */
export const partsOf: Readonly<Partial<Record<ValueKind, readonly FieldDefinition[]>>> = {
  dateRange: [fieldOf('from', 'date'), fieldOf('to', 'date')],
  video: [fieldOf('url', 'text'), fieldOf('poster', 'url')],
  map: [...['lat', 'lng', 'zoom'].map((name) => fieldOf(name, 'number')), select('provider', 'osm', 'yandex')],
  button: [fieldOf('label', 'text'), fieldOf('url', 'url'), select('target', '_self', '_blank')],
  tableView: [fieldOf('table_key', 'text'), fieldOf('limit', 'number')],
  dataSource: [
    ...[select('provider', 'resources', 'tables', 'shop'), fieldOf('table', 'text')],
    rows('filters', fieldOf('field', 'text'), select('op', ...operators), fieldOf('value', 'text')),
    rows('sort', fieldOf('field', 'text'), select('direction', 'asc', 'desc')),
    ...[fieldOf('search', 'text'), fieldOf('limit', 'number')],
  ],
};
