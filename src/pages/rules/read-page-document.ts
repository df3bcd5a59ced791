/**
 * Reads page documents: strictly against the section types when somebody writes one, by structure alone when one comes
 * from the store, where types may have changed or gone since. Every problem is collected with its path and section.
 */

import { isJsonObject, isWithinDepth, kindName, memberOf, objectOf } from '../../values/json.js';
import { readFieldValue, readSectionData, storedFields } from './field-value.js';
import { keptIds } from './keep-section-ids.js';
import type { PageDocument, PageSection } from './page-document.js';
import { pageLimits } from './page-limits.js';
import { PageProblems, type PageReading, quoted } from './page-problem.js';
import { readKnown } from './read-members.js';
import { readSectionSettings } from './read-section-settings.js';
import { isAvailable, type PagePlace, type SectionType, type SectionTypes } from './section-type.js';

/** What a document that somebody writes is held against. */
export interface DocumentRules {
  readonly types: SectionTypes;
  /** Makes an id of 32 hexadecimal digits for a section that is new. */
  readonly makeId: () => string;
  /** What the document replaces: sections without an id keep the ones that they have there. */
  readonly earlier?: PageDocument | null;
  /** Where the page stands; absent: availability is not asked. */
  readonly place?: PagePlace;
  /** Sections that are on the page already: they may stay where their type is not available. */
  readonly presentIds?: ReadonlySet<string>;
}

const sectionWords = ['id', 'type', 'typeVersion', 'enabled', 'data', 'settings'];
const idPattern = /^[0-9a-f]{32}$/;
const typePattern = /^_?[a-z][a-z0-9_-]{0,99}$/;

/**
 * A document that somebody writes, in its normal form: defaults filled into new sections (those without an id), rich
 * text sanitised, players' addresses worked out. Missing required values are no problem here; see publishProblems.
 */
export function readPageDocument(given: unknown, rules: DocumentRules): PageReading<PageDocument> {
  return readDocument(given, rules);
}

/** A document from the store. Data are taken as they are: they were read when they were written. */
export function readStoredDocument(given: unknown): PageReading<PageDocument> {
  return readDocument(given, null);
}

function readDocument(given: unknown, rules: DocumentRules | null): PageReading<PageDocument> {
  const problems = new PageProblems();
  const document = isBounded(given, problems) ? readParts(given, { rules, problems }) : null;
  return { value: problems.any ? null : document, problems: problems.list() };
}

/** The bounds of the whole come first: what is inside them can be walked and printed without fear. */
function isBounded(given: unknown, problems: PageProblems): boolean {
  const deepest = pageLimits.dataDepth + 4;
  if (!isWithinDepth(given, deepest)) problems.add('', `must have at most ${deepest} lists and objects in one another`);
  else if ((JSON.stringify(given)?.length ?? 0) > pageLimits.documentCharacters) {
    problems.add('', `must have at most ${pageLimits.documentCharacters} characters as JSON`);
  }
  return !problems.any;
}

interface Strict {
  readonly rules: DocumentRules;
  readonly problems: PageProblems;
}

interface Within {
  readonly rules: DocumentRules | null;
  readonly problems: PageProblems;
}

function readParts(given: unknown, within: Within): PageDocument | null {
  const { problems } = within;
  const words = readKnown(given, { path: '', problems, known: ['schemaVersion', 'sections', 'trash'] });
  if (!words) return null;
  if (memberOf(words, 'schemaVersion') !== 1) problems.add('schemaVersion', 'must be 1');
  const places = readSections(memberOf(words, 'sections'), { ...within, path: 'sections' });
  const trashPlaces = readSections(memberOf(words, 'trash') ?? [], { ...within, path: 'trash' });
  const read = { sections: places.filter((one) => one !== null), trash: trashPlaces.filter((one) => one !== null) };
  const { rules } = within;
  const { sections, trash, fresh } = rules ? withIds(read, rules) : { ...read, fresh: noIds };
  checkIdsOnce([...sections, ...trash], problems);
  // Sections without an id may be on the page already, which shows only now.
  if (rules && sections.length === places.length) checkAvailable(sections, { rules, fresh, problems });
  return Object.freeze({ schemaVersion: 1, sections: Object.freeze(sections), trash: Object.freeze(trash) });
}

type Sections = Pick<PageDocument, 'sections' | 'trash'>;

const noIds: ReadonlySet<string> = new Set();

/** Every section with an id: its own, the one that it has in the earlier document, or a fresh one. */
function withIds(
  { sections, trash }: Sections,
  { earlier, makeId }: DocumentRules,
): Sections & { readonly fresh: ReadonlySet<string> } {
  const kept = keptIds(earlier?.sections ?? [], [...sections, ...trash]);
  const known = [...(earlier?.sections ?? []), ...(earlier?.trash ?? [])].map(({ id }) => id);
  const taken = new Set([...kept, ...known]);
  const fresh = new Set<string>();
  const newId = (): string => {
    let id = makeId();
    while (taken.has(id)) id = makeId();
    taken.add(id);
    fresh.add(id);
    return id;
  };
  const named = (section: PageSection, at: number): PageSection =>
    section.id === '' ? Object.freeze({ ...section, id: kept[at] ?? newId() }) : section;
  return { sections: sections.map(named), trash: trash.map((one, at) => named(one, sections.length + at)), fresh };
}

/** By the place of each; null for one with a problem. */
function readSections(given: unknown, within: Within & { readonly path: string }): readonly (PageSection | null)[] {
  const { path, problems } = within;
  if (!Array.isArray(given)) {
    problems.add(path, given === undefined ? 'is missing' : `must be a list of sections, not ${kindName(given)}`);
    return [];
  }
  if (given.length > pageLimits.sections) {
    problems.add(path, `must have at most ${pageLimits.sections} sections`);
    return [];
  }
  const sections: (PageSection | null)[] = [];
  for (const [index, one] of given.entries()) {
    const [type, id] = ['type', 'id'].map((name) => (isJsonObject(one) ? memberOf(one, name) : ''));
    const name = { index, type: typeof type === 'string' ? type : '', id: typeof id === 'string' ? id : '' };
    problems.within(name, () => {
      sections.push(readSection(one, { ...within, path: `${path}[${index}]` }));
    });
  }
  return sections;
}

function readSection(given: unknown, within: Within & { readonly path: string }): PageSection | null {
  const { path, problems, rules } = within;
  const words = readKnown(given, { path, problems, known: sectionWords });
  if (!words) return null;
  const word = (name: string) => ({ value: memberOf(words, name) ?? undefined, path: `${path}.${name}`, problems });
  const key = memberOf(words, 'type');
  if (typeof key !== 'string' || !typePattern.test(key)) {
    problems.add(`${path}.type`, `must be the key of a section type, not ${kindName(key)}`);
    return null;
  }
  const givenId = word('id').value;
  const id = readId(givenId, { ...within, path: `${path}.id` });
  const enabled = word('enabled').value ?? true;
  if (typeof enabled !== 'boolean') problems.add(`${path}.enabled`, `must be true or false, not ${kindName(enabled)}`);
  const settings = readSectionSettings(word('settings'));
  // What lies in the trash is held against its type when it is put back.
  const isStrict = rules !== null && path.startsWith('sections');
  const type = isStrict ? findType(key, { rules, path: `${path}.type`, problems }) : undefined;
  if (isStrict && !type) return null;
  const typeVersion = readTypeVersion(word('typeVersion'), type);
  const data = type
    ? readData(word('data').value ?? {}, { type, path: `${path}.data`, problems, isNew: givenId === undefined })
    : readLooseData(word('data').value ?? {}, { path: `${path}.data`, problems });
  return Object.freeze({ id, type: key, typeVersion, enabled: enabled === true, data, settings });
}

function readId(given: unknown, { path, problems, rules }: Within & { readonly path: string }): string {
  if (typeof given === 'string' && idPattern.test(given)) return given;
  // Which id it gets shows when the whole document is known.
  if (given === undefined && rules) return '';
  problems.add(path, 'must be 32 digits of 0-9 and a-f');
  return '';
}

interface Spot {
  readonly path: string;
  readonly problems: PageProblems;
}

function findType(
  key: string,
  { rules, path, problems }: Spot & { readonly rules: DocumentRules },
): SectionType | undefined {
  const type = rules.types.get(key);
  if (!type)
    problems.add(path, `${quoted(key)} is not a section type; known are ${[...rules.types.keys()].join(', ')}`);
  return type;
}

function checkAvailable(
  sections: readonly PageSection[],
  { rules, fresh, problems }: Strict & { readonly fresh: ReadonlySet<string> },
): void {
  for (const [index, { id, type: key }] of sections.entries()) {
    const type = rules.types.get(key);
    const isPresent = !fresh.has(id) && (rules.presentIds?.has(id) ?? false);
    if (!type || isPresent || !rules.place || isAvailable(type, rules.place)) continue;
    problems.within({ index, type: key, id }, () => {
      problems.add(`sections[${index}].type`, `${key} is not available on this page: see its availability`);
    });
  }
}

function readTypeVersion(
  { value, path, problems }: Spot & { readonly value: unknown },
  type: SectionType | undefined,
): number {
  const most = type?.version ?? Number.MAX_SAFE_INTEGER;
  if (value === undefined) return type?.version ?? 1;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most) return value;
  problems.add(path, type ? `must be a whole number from 1 to ${most}` : 'must be a whole number from 1');
  return 1;
}

function readData(
  given: unknown,
  { type, path, problems, isNew }: Spot & { readonly type: SectionType; readonly isNew: boolean },
): Readonly<Record<string, unknown>> {
  const data = readSectionData(given, { fields: type.fields, path, problems });
  return isNew ? withDefaults(data, { type, path, problems }) : data;
}

/** The data with the defaults of fields that it does not have, in the order of the fields. */
function withDefaults(
  data: Readonly<Record<string, unknown>>,
  { type, path, problems }: Spot & { readonly type: SectionType },
): Readonly<Record<string, unknown>> {
  const fields = storedFields(type.fields);
  const filled = fields.flatMap((field): [string, unknown][] => {
    if (Object.hasOwn(data, field.name)) return [[field.name, data[field.name]]];
    if (field.default === undefined) return [];
    const value = readFieldValue({ value: field.default, path: `${path}.${field.name}`, field, problems });
    return value === undefined ? [] : [[field.name, value]];
  });
  const rest = Object.entries(data).filter(([name]) => !fields.some((field) => field.name === name));
  return Object.freeze(objectOf([...filled, ...rest]));
}

function readLooseData(given: unknown, { path, problems }: Spot): Readonly<Record<string, unknown>> {
  if (isJsonObject(given)) return given;
  problems.add(path, `must be an object, not ${kindName(given)}`);
  return {};
}

function checkIdsOnce(sections: readonly PageSection[], problems: PageProblems): void {
  const seen = new Set<string>();
  for (const { id, type } of sections) {
    if (id !== '' && seen.has(id)) problems.add('sections', `the id ${id} is there twice (${type})`);
    seen.add(id);
  }
}
