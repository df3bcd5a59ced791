/** Page documents and section types as the commands give them, changes of documents, and what every field needs. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PageSection } from '../../../src/pages/rules/page-document.js';
import { htmlToText } from '../../../src/pages/rules/sanitize-html.js';
import { type FieldDefinition, isAvailable, type SectionType } from '../../../src/pages/rules/section-type.js';
import { isObject, type Json, type JsonObject } from '../api.js';
import type { FieldText } from '../inputs.js';

export interface Section extends Pick<PageSection, 'id' | 'type' | 'enabled'> {
  readonly data: JsonObject;
  readonly settings: JsonObject;
}

export interface PageDocument {
  readonly schemaVersion: 1;
  readonly sections: readonly Section[];
  readonly trash: readonly Section[];
}

export interface TypeView extends Pick<SectionType, 'key' | 'label'> {
  readonly in_catalog: boolean;
  readonly definitions: readonly FieldDefinition[];
  readonly availability: SectionType['availability'] | null;
}

export type Types = ReadonlyMap<string, TypeView>;

export interface ResourceView {
  readonly id: number;
  readonly pagetitle: string;
  readonly uri: string;
  readonly context_key: string;
  readonly parent: number;
  readonly template: number;
  readonly published: boolean;
}

/** Of `hcd page show` and the commands that change a page. */
export interface PageRecord {
  readonly state: 'draft' | 'published' | 'changed' | 'withdrawn';
  readonly revision: number;
  readonly published_revision: number;
  readonly last_published: number;
  readonly published_on: string | null;
  readonly publish_on: string | null;
  readonly unpublish_on: string | null;
  readonly edited_by: string;
  readonly edited_on: string;
}

export const emptyDocument: PageDocument = { schemaVersion: 1, sections: [], trash: [] };

export function offeredTypes(types: Types, { id, ...place }: ResourceView): readonly TypeView[] {
  const at = { resource: id, parent: place.parent, template: place.template, context: place.context_key };
  return [...types.values()].filter(
    ({ in_catalog, availability }) => in_catalog && (availability === null || isAvailable({ availability }, at)),
  );
}

export function newId(): string {
  return crypto.randomUUID().replaceAll('-', '');
}

/** With the defaults of its type, as the command gives them to a section without an id. */
export function newSection({ key, definitions }: TypeView): Section {
  return { id: newId(), type: key, enabled: true, data: defaultsOf(definitions), settings: {} };
}

export function defaultsOf(fields: readonly FieldDefinition[]): JsonObject {
  return Object.fromEntries(
    fields.flatMap((field): [string, Json][] => {
      if (field.fields.length > 0 && field.type === 'fieldset') return Object.entries(defaultsOf(field.fields));
      return field.default === undefined ? [] : [[field.name, field.default as Json]];
    }),
  );
}

export function withMember(values: JsonObject, name: string, value: Json | undefined): JsonObject {
  if (value !== undefined) return { ...values, [name]: value };
  return Object.fromEntries(Object.entries(values).filter(([other]) => other !== name));
}

/** The first words in it, for people who look for a section. */
export function firstText(value: Json): string {
  if (typeof value === 'string') return htmlToText(value);
  if (!Array.isArray(value) && !isObject(value)) return '';
  const members: readonly Json[] = Array.isArray(value) ? value : Object.values(value);
  for (const member of members) {
    const text = firstText(member);
    if (text !== '' && !/^(\/|https?:)/.test(text)) return text.slice(0, 80);
  }
  return '';
}

type Problems = Readonly<Record<string, readonly string[]>>;

/** By path, such as `sections[0].data.items[1].title`. */
export const ProblemsContext = createContext<Problems>({});

/** Of the field itself, and with `deep` of what is in it. */
export function useProblems(path: string, deep: boolean): readonly string[] {
  const problems = useContext(ProblemsContext);
  if (!deep) return problems[path] ?? [];
  return Object.entries(problems).flatMap(([at, said]) => (at === path || isBelow(at, path) ? said : []));
}

export function isBelow(path: string, above: string): boolean {
  return path.startsWith(above) && ['.', '['].includes(path.charAt(above.length));
}

export interface ValueProps {
  readonly field: FieldDefinition;
  readonly value: Json | undefined;
  readonly path: string;
  readonly change: (value: Json | undefined) => void;
}

export function nameOf({ label, name }: FieldDefinition): string {
  return label === '' ? name : label;
}

/** What is said of a field; the problems of what is in it stand there too. */
export function useField(field: FieldDefinition, path: string): FieldText {
  const { required, description } = field;
  return { label: nameOf(field), help: description || undefined, required, problems: useProblems(path, true) };
}
