/**
 * The section types in force: the shipped ones, in their order, overlaid by those of this site. Never fails on what is
 * stored: a definition that this version cannot read is left out, and its sections are shown as not renderable.
 */
import { readFileSync } from 'node:fs';
import type { Reader } from '../../store/base/database.js';
import { assetPath } from '../../values/asset-path.js';
import { type JsonObject, parseJson } from '../../values/json.js';
import { sectionTypes } from '../models/section-types.js';
import { type PageReading, requireValue } from '../rules/page-problem.js';
import { readSectionType, readSectionTypes } from '../rules/read-section-type.js';
import type { SectionType, SectionTypes } from '../rules/section-type.js';

/** Of the shipped types, in the order in which a catalogue offers them. */
export const shippedKeys: readonly string[] = [
  ...['hero', 'richtext', 'image', 'gallery', 'video', 'faq', 'cards', 'stats', 'testimonials', 'cta', 'contact'],
  'spacer',
];

let shipped: readonly SectionType[] | undefined;

/** Read when they are first asked for: most commands never do. */
export function shippedTypes(): readonly SectionType[] {
  shipped ??= requireValue(
    readSectionTypes(shippedKeys.map(shippedDefinition)),
    'The shipped section types are damaged',
  );
  return shipped;
}

/**
 * The definition of a shipped type as `hcd section-type import` takes it, from its file in `assets/section-types`: JSON,
 * then the template. Undefined when no shipped type has the key.
 */
export function shippedDefinition(key: string): JsonObject | undefined {
  if (!shippedKeys.includes(key)) return undefined;
  const text = readFileSync(assetPath('section-types', `${key}.liquid`), 'utf8');
  const [, definition = '', template] = /^---\n(.*?)\n---\n(.*)\n$/s.exec(text) ?? [];
  return { ...JSON.parse(definition), template };
}

/** The types by key, shipped ones first. */
export async function loadSectionTypes(own: Reader): Promise<SectionTypes> {
  const types = new Map(shippedTypes().map((type) => [type.key, type]));
  for (const { key, definition } of await sectionTypes.on(own).lookUpAll({}, { order: ['key'] })) {
    const type = definition === null ? null : readStoredType(key, definition).value;
    if (type) types.set(key, type);
    else types.delete(key);
  }
  return types;
}

/** A stored definition; one that cannot be read says why. */
export function readStoredType(key: string, definition: string): PageReading<SectionType> {
  const given = parseJson(definition);
  if (given === undefined) return { value: null, problems: [{ path: '', message: 'is not JSON' }] };
  const { value, problems } = readSectionType(given);
  if (value && value.key !== key) {
    return { value: null, problems: [{ path: 'key', message: `is ${value.key} in the row of ${key}` }] };
  }
  return { value, problems };
}
