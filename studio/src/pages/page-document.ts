/** Page documents and section types as the commands give them, and changes of documents. */
import type { PageSection } from '../../../src/pages/rules/page-document.js';
import { htmlToText } from '../../../src/pages/rules/sanitize-html.js';
import { type FieldDefinition, isAvailable, type SectionType } from '../../../src/pages/rules/section-type.js';
import { isObject, type Json, type JsonObject } from '../api.js';

export interface Section extends Pick<PageSection, 'id' | 'type' | 'enabled'> {
  readonly data: JsonObject;
  readonly settings: JsonObject;
}

export interface PageDocument {
  readonly schemaVersion: 1;
  readonly sections: readonly Section[];
  /** Removed sections, which can be put back. */
  readonly trash: readonly Section[];
}

export interface TypeView extends Pick<SectionType, 'key' | 'label'> {
  readonly in_catalog: boolean;
  readonly definitions: readonly FieldDefinition[];
  readonly availability: SectionType['availability'] | null;
}

export type Types = ReadonlyMap<string, TypeView>;

/** Of `hcd resource show`. */
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

/** Undefined leaves the member out. */
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
