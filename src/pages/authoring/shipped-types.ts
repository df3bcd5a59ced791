/** The section types that are shipped: files of `assets/section-types`, each a definition as JSON and its template. */
import { readFileSync } from 'node:fs';
import { assetPath } from '../../values/asset-path.js';
import type { JsonObject } from '../../values/json.js';
import { requireValue } from '../rules/page-problem.js';
import { readSectionTypes } from '../rules/read-section-type.js';
import type { SectionType } from '../rules/section-type.js';

/** In the order in which a catalogue offers them. */
export const shippedKeys: readonly string[] = [
  ...['hero', 'richtext', 'image', 'gallery', 'video', 'faq', 'cards', 'stats', 'testimonials', 'cta', 'contact'],
  'spacer',
];

let types: readonly SectionType[] | undefined;

/** Read when they are first asked for: most commands never do. */
export function shippedTypes(): readonly SectionType[] {
  types ??= requireValue(readSectionTypes(shippedKeys.map(shippedDefinition)), 'The shipped section types are damaged');
  return types;
}

/** The definition of a shipped type as `hcd section-type import` takes it; undefined when no shipped type has the key. */
export function shippedDefinition(key: string): JsonObject | undefined {
  if (!shippedKeys.includes(key)) return undefined;
  const text = readFileSync(assetPath('section-types', `${key}.liquid`), 'utf8');
  const [, definition = '', template] = /^---\n(.*?)\n---\n(.*)\n$/s.exec(text) ?? [];
  return { ...JSON.parse(definition), template };
}
