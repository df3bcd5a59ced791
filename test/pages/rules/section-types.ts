/** Section types, documents and ids for tests, made from the little that a test is about. */

import { shippedDefinition, shippedKeys, shippedTypes } from '../../../src/pages/authoring/section-types.js';
import type { PageDocument, PageSection } from '../../../src/pages/rules/page-document.js';
import { type PageReading, requireValue } from '../../../src/pages/rules/page-problem.js';
import { type DocumentRules, readPageDocument } from '../../../src/pages/rules/read-page-document.js';
import { readSectionType } from '../../../src/pages/rules/read-section-type.js';
import { type RenderedSection, renderSections } from '../../../src/pages/rules/render.js';
import type { SectionType, SectionTypes } from '../../../src/pages/rules/section-type.js';
import { sectionSamples } from './section-samples.js';

export const basicTypes: SectionTypes = new Map(shippedTypes().map((type) => [type.key, type]));

/** The shipped definitions as they are written, each with data of one good example. */
export const basicSections = shippedKeys.map((key) => ({
  definition: shippedDefinition(key) ?? {},
  sample: sectionSamples[key] ?? {},
}));

export function requireReading<T>(reading: PageReading<T>): T {
  return requireValue(reading, 'The test cannot go on');
}

/** A type with these fields and this template. */
export function makeType(words: Readonly<Record<string, unknown>> = {}): SectionType {
  const base = { key: 'probe', version: 1, label: 'Probe', category: 'content', fields: [], template: '' };
  return requireReading(readSectionType({ ...base, ...words }));
}

/** The shipped types and this one. */
export function typesWith(type: SectionType): SectionTypes {
  return new Map([...basicTypes, [type.key, type]]);
}

/** One section by itself. */
export function renderSection(section: PageSection, types: SectionTypes = basicTypes): RenderedSection {
  const [rendered] = renderSections([section], types);
  if (!rendered) throw new Error('nothing was rendered');
  return rendered;
}

/** A maker of ids 00…1, 00…2, … */
export function countingIds(): () => string {
  let last = 0;
  return () => {
    last += 1;
    return last.toString(16).padStart(32, '0');
  };
}

export const idOf = (number: number): string => number.toString(16).padStart(32, '0');

export const rulesWith = (types: SectionTypes = basicTypes): DocumentRules => ({ types, makeId: countingIds() });

/** The document of these sections as a reader leaves it. */
export function makeDocument(sections: readonly unknown[], types: SectionTypes = basicTypes): PageDocument {
  return requireReading(readPageDocument({ schemaVersion: 1, sections }, rulesWith(types)));
}

/** A section as it stands in a document, with data that no reader has seen. */
export function makeSection(words: Partial<PageSection> = {}): PageSection {
  return { id: idOf(1), type: 'probe', typeVersion: 1, enabled: true, data: {}, settings: {}, ...words };
}
