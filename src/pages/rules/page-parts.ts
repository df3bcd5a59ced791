/** The parts of a page that a reader may ask for (docs/pages.md#one-page). */

import { isJsonObject, memberOf } from '../../values/json.js';
import { valueKindOf } from './field-types.js';
import type { PageDocument, PageSection } from './page-document.js';
import type { RenderedSection } from './render.js';
import { htmlToText } from './sanitize-html.js';
import { isVisible, type Visit } from './section-settings.js';
import { countingFields, type FieldDefinition, type SectionTypes } from './section-type.js';

type SectionValues = Pick<PageSection, 'id' | 'type' | 'enabled' | 'data'>;

export function keepSectionTypes(document: PageDocument, types: ReadonlySet<string> | null): PageDocument {
  if (!types) return document;
  return { ...document, sections: document.sections.filter(({ type }) => types.has(type)) };
}

/** As it was published, without its trash. Visibility does not shorten it. */
export function documentPart({ schemaVersion, sections }: PageDocument): Omit<PageDocument, 'trash'> {
  return { schemaVersion, sections };
}

export function visibleSections({ sections }: PageDocument, visit: Visit): readonly PageSection[] {
  return sections.filter((section) => isVisible(section, visit));
}

export function valuesPart(sections: readonly PageSection[], types: SectionTypes) {
  const texts = sections.map((section) => sectionText(section, types));
  return { plainText: texts.filter((text) => text !== '').join('\n'), sections: sections.map(valuesOf) };
}

export function sectionsPart(sections: readonly PageSection[], rendered: readonly RenderedSection[]) {
  return sections.map((section, at) => {
    const { html, renderFailed } = rendered[at] ?? { html: '', renderFailed: true };
    return { ...valuesOf(section), settings: section.settings, html, renderFailed };
  });
}

export function htmlPart(rendered: readonly RenderedSection[]): string {
  return rendered
    .filter(({ renderFailed }) => !renderFailed)
    .map(({ html }) => html)
    .join('\n');
}

/** One line without fields that are inactive or not shown; empty for unknown types. */
export function sectionText({ type, data }: PageSection, types: SectionTypes): string {
  const fields = types.get(type)?.fields ?? [];
  return levelTexts(data, fields).join(' ').replace(/\s+/g, ' ').trim();
}

function levelTexts(data: Readonly<Record<string, unknown>>, fields: readonly FieldDefinition[]): readonly string[] {
  return countingFields(fields, data).flatMap((field) => {
    const value = memberOf(data, field.name);
    // Hidden fields are for machines.
    if (value === undefined || field.type === 'hidden') return [];
    return textsOf(field.responsive && isJsonObject(value) ? Object.values(value)[0] : value, field);
  });
}

function textsOf(value: unknown, field: FieldDefinition): readonly string[] {
  const kind = valueKindOf(field.type);
  if (kind === 'rows' && Array.isArray(value)) {
    return value.flatMap((row: unknown) => (isJsonObject(row) ? levelTexts(row, field.fields) : []));
  }
  if (kind === 'html') return typeof value === 'string' ? [htmlToText(value)] : [];
  if (kind === 'text' || kind === 'longText') return typeof value === 'string' ? [value] : [];
  if (!isJsonObject(value)) return [];
  const [member, read] = kind === 'editorjs' ? (['html', htmlToText] as const) : (['label', String] as const);
  const text = memberOf(value, member);
  return (kind === 'editorjs' || kind === 'button') && typeof text === 'string' ? [read(text)] : [];
}

function valuesOf({ id, type, enabled, data }: PageSection): SectionValues {
  return { id, type, enabled, data };
}
