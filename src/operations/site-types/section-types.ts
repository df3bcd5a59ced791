/** The types of the data of sections, by the fields of their section types. */
import { type ValueKind, valueKindOf } from '../../pages/rules/field-types.js';
import {
  type FieldDefinition,
  type SectionType,
  type SectionTypes,
  storedFields,
} from '../../pages/rules/section-type.js';
import { anyJson, block, comment, type Member, union } from './type-text.js';

export const sharedTypes = `${comment('A file or picture of a section.')}
export interface MediaValue {
  url: string;
  id?: string | number;
  path?: string;
  filename?: string;
  extension?: string;
  name?: string;
  title?: string;
  type?: string;
  width?: number;
  height?: number;
  size?: number;
  crops?: { [name: string]: { url: string; variants?: { url: string; width?: number; height?: number }[] } };
}

export interface VideoValue {
  url: string;
  poster?: string;
  provider?: string;
  embed_url?: string;
  watch_url?: string;
}

export interface MapValue {
  lat: number;
  lng: number;
  zoom: number;
  provider: "yandex" | "osm";
  embed_url: string;
  watch_url: string;
}

export interface ButtonValue {
  label?: string;
  url?: string;
  target?: "" | "_self" | "_blank";
}

${comment('Names what to show; nothing of it has been looked up.')}
export interface DataSourceValue {
  provider: "resources" | "tables" | "shop";
  table?: string;
  filters?: { field: string; op: string; value?: JsonValue }[];
  sort?: { field: string; direction: "asc" | "desc" }[];
  search?: string;
  limit?: number;
}
`;

const typeByKind: Readonly<Record<Exclude<ValueKind, 'choice' | 'choices' | 'rows'>, string>> = {
  text: 'string',
  longText: 'string',
  html: 'string',
  number: 'number',
  boolean: 'boolean',
  url: 'string',
  slug: 'string',
  email: 'string',
  date: 'string',
  time: 'string',
  datetime: 'string',
  dateRange: '{ from: string; to: string }',
  media: 'MediaValue',
  mediaList: 'MediaValue[]',
  video: 'VideoValue',
  map: 'MapValue',
  button: 'ButtonValue',
  looseRows: '{ [name: string]: string | number | boolean | null }[]',
  editorjs: `{ json: ${anyJson}; html: string }`,
  reference: 'string | number',
  references: '(string | number)[]',
  keyValues: '{ key: string; value: string }[]',
  tableView: '{ table_key: string; limit?: number }',
  dataSource: 'DataSourceValue',
  schedule: 'string',
  group: 'never',
  nothing: 'never',
};

export function sectionsText(types: SectionTypes): string {
  const members = [...types.values()].map(
    (type): Member => ({ name: type.key, type: dataType(type), about: `${type.label}, version ${type.version}` }),
  );
  return `${comment('The data of sections, by section type.')}
export interface Sections ${block(members)}
`;
}

function dataType({ fields }: SectionType): string {
  return levelType(fields, { extra: 'cssClass', indent: '  ' });
}

/** A published section has its required fields, unless a condition on another field hides one. */
function levelType(
  fields: readonly FieldDefinition[],
  { extra, indent }: { readonly extra: string; readonly indent: string },
): string {
  const always = new Set(alwaysPresent(fields));
  const members = new Map<string, Member>();
  for (const field of storedFields(fields)) {
    const about = field.label === '' ? {} : { about: field.label };
    const type = valueType(field, `${indent}  `);
    members.set(field.name, { name: field.name, type, isOptional: !always.has(field), ...about });
  }
  if (!members.has(extra)) members.set(extra, { name: extra, type: 'string', isOptional: true });
  return block([...members.values()], indent);
}

function alwaysPresent(fields: readonly FieldDefinition[]): readonly FieldDefinition[] {
  return fields.flatMap((field) => {
    if (!field.active || field.showWhen !== undefined) return [];
    if (valueKindOf(field.type) === 'group') return alwaysPresent(field.fields);
    return field.required ? [field] : [];
  });
}

function valueType(field: FieldDefinition, indent: string): string {
  const one = plainType(field, indent);
  return field.responsive ? `${one} | { desktop?: ${one}; tablet?: ${one}; mobile?: ${one} }` : one;
}

function plainType(field: FieldDefinition, indent: string): string {
  const kind = valueKindOf(field.type);
  const values = [...new Set(field.options.map(({ value }) => value))];
  switch (kind) {
    case 'choice':
      return values.length === 0 ? 'string' : union([...new Set(['', ...values])]);
    case 'choices':
      return values.length === 0 ? 'string[]' : `(${union([...new Set(['', ...values])])})[]`;
    case 'rows':
      return `${levelType(field.fields, { extra: '_rowId', indent })}[]`;
    default:
      return typeByKind[kind];
  }
}
