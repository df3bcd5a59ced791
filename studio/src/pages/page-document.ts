/** Page documents and section types as the commands give them, changes of documents, and what every field needs. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PageSection } from '../../../src/pages/rules/page-document.js';
import { htmlToText } from '../../../src/pages/rules/sanitize-html.js';
import { type FieldDefinition, type SectionType, storedFields } from '../../../src/pages/rules/section-type.js';
import type { Json, JsonObject } from '../api.js';
import type { FieldText } from '../inputs.js';

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

export function withMember(values: JsonObject, name: string, value: Json | undefined): JsonObject {
  if (value !== undefined) return { ...values, [name]: value };
  return Object.fromEntries(Object.entries(values).filter(([other]) => other !== name));
}

/** The first words in it, for people who look for a section. */
export function firstText(value: Json): string {
  if (typeof value === 'string') return htmlToText(value);
  for (const member of Object.values<Json>(Object(value))) {
    const text = firstText(member);
    if (text !== '' && !/^(\/|https?:)/.test(text)) return text.slice(0, 80);
  }
  return '';
}

/** By path, such as `sections[0].data.items[1].title`. */
export const ProblemsContext = createContext<Readonly<Record<string, readonly string[]>>>({});

export function isBelow(path: string, above: string): boolean {
  return path.startsWith(above) && ['.', '['].includes(path.charAt(above.length));
}

export interface ValueProps {
  readonly field: FieldDefinition;
  readonly value: Json | undefined;
  readonly path: string;
  readonly change: (value: Json | undefined) => void;
}

/** What is said of a field, with the problems of the field itself, and with `deep` of what is in it. */
export function useField(field: FieldDefinition, path: string, deep = true): FieldText {
  const { label, name, required, description } = field;
  const problems = Object.entries(useContext(ProblemsContext));
  const own = problems.filter(([at]) => at === path || (deep && isBelow(at, path)));
  return { label: label || name, help: description || undefined, required, problems: own.flatMap(([, said]) => said) };
}
