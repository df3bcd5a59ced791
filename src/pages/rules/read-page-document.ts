/** Reads page documents: new ones strictly against the section types, stored ones by structure alone. */

import { isJsonObject, isWithinDepth, kindName, memberOf, objectOf } from '../../values/json.js';
import {
  memberReading,
  quoted,
  type Reading,
  readBoolean,
  readKnown,
  refuse,
  wholeNumber,
} from '../../values/reading.js';
import { readFieldValue, readSectionData } from './field-value.js';
import { type PageDocument, type PageSection, pageLimits } from './page-document.js';
import { PageProblems, type PageReading, type Sanitised } from './page-problem.js';
import { readSectionSettings } from './section-settings.js';
import {
  type FieldDefinition,
  isAvailable,
  type PagePlace,
  type SectionType,
  type SectionTypes,
  storedFields,
  typeKeyForm,
} from './section-type.js';

export interface DocumentRules {
  readonly types: SectionTypes;
  readonly makeId: () => string;
  /** Sections without an id keep their ids from this document. */
  readonly earlier?: PageDocument | null;
  /** Absent: availability is not checked. */
  readonly place?: PagePlace;
  /** Sections on the page may stay where their type is not available. */
  readonly presentIds?: ReadonlySet<string>;
}

const sectionWords = ['id', 'type', 'typeVersion', 'enabled', 'data', 'settings'];
const idPattern = /^[0-9a-f]{32}$/;

/** Data are taken as they are: they were read when they were written. */
export function readStoredDocument(given: unknown): PageReading<PageDocument> {
  const { value, problems } = readPageDocument(given, null);
  return { value, problems };
}

/** In normal form. Missing required values are no problem here; see publishProblems. */
export function readPageDocument(
  given: unknown,
  rules: DocumentRules | null,
): PageReading<PageDocument> & { readonly sanitised: readonly Sanitised[] } {
  const problems = new PageProblems();
  const document = isBounded(given, problems) ? readParts(given, rules, problems) : null;
  return { value: problems.any ? null : document, problems: problems.list(), sanitised: problems.sanitised };
}

/** Checked first, so that the content can be walked and printed safely. */
function isBounded(given: unknown, problems: PageProblems): boolean {
  const deepest = pageLimits.dataDepth + 4;
  if (!isWithinDepth(given, deepest)) problems.add('', `must have at most ${deepest} lists and objects in one another`);
  else if ((JSON.stringify(given)?.length ?? 0) > pageLimits.documentCharacters) {
    problems.add('', `must have at most ${pageLimits.documentCharacters} characters as JSON`);
  }
  return !problems.any;
}

function readParts(given: unknown, rules: DocumentRules | null, problems: PageProblems): PageDocument | null {
  const whole = { value: given, path: '', problems };
  const words = readKnown(whole, ['schemaVersion', 'sections', 'trash']);
  if (!words) return null;
  if (memberOf(words, 'schemaVersion') !== 1) problems.add('schemaVersion', 'must be 1');
  const places = readSections({ ...memberReading(whole, words, 'sections'), problems }, rules);
  const trashPlaces = readSections({ ...whole, value: memberOf(words, 'trash') ?? [], path: 'trash' }, rules);
  const read = { sections: places.filter((one) => one !== null), trash: trashPlaces.filter((one) => one !== null) };
  const { sections, trash, fresh } = rules ? withIds(read, rules) : { ...read, fresh: noIds };
  checkIdsOnce([...sections, ...trash], problems);
  // Sections without an id may be on the page already, which shows only now.
  if (rules && sections.length === places.length) checkAvailable(sections, { rules, fresh, problems });
  return Object.freeze({ schemaVersion: 1, sections: Object.freeze(sections), trash: Object.freeze(trash) });
}

type Sections = Pick<PageDocument, 'sections' | 'trash'>;

const noIds: ReadonlySet<string> = new Set();

/** Its own id, the one from the earlier document, or a fresh one. */
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

function readSections(
  reading: Reading & { readonly problems: PageProblems },
  rules: DocumentRules | null,
): readonly (PageSection | null)[] {
  const { value: given, path, problems } = reading;
  if (!Array.isArray(given)) {
    refuse(reading, given === undefined ? 'is missing' : `must be a list of sections, not ${kindName(given)}`);
    return [];
  }
  if (given.length > pageLimits.sections) {
    refuse(reading, `must have at most ${pageLimits.sections} sections`);
    return [];
  }
  const sections: (PageSection | null)[] = [];
  for (const [index, value] of given.entries()) {
    const [type, id] = ['type', 'id'].map((name) => (isJsonObject(value) ? memberOf(value, name) : ''));
    const name = { index, type: typeof type === 'string' ? type : '', id: typeof id === 'string' ? id : '' };
    problems.within(name, () => {
      sections.push(readSection({ value, path: `${path}[${index}]`, problems }, rules));
    });
  }
  return sections;
}

function readSection(reading: Reading, rules: DocumentRules | null): PageSection | null {
  const words = readKnown(reading, sectionWords);
  if (!words) return null;
  const word = (name: string, whenAbsent?: unknown): Reading => {
    const member = memberReading(reading, words, name);
    return { ...member, value: member.value ?? whenAbsent };
  };
  const key = memberOf(words, 'type');
  if (typeof key !== 'string' || !typeKeyForm.test(key)) {
    refuse(word('type'), `must be the key of a section type, not ${kindName(key)}`);
    return null;
  }
  const id = readId(word('id'), rules);
  const enabled = readBoolean(word('enabled', true)) ?? false;
  const settings = readSectionSettings(word('settings'));
  // A section in the trash is checked against its type when it is put back.
  const isStrict = rules !== null && reading.path.startsWith('sections');
  const type = isStrict ? findType(key, word('type'), rules) : undefined;
  if (isStrict && !type) return null;
  const latest = type?.version;
  const typeVersion = wholeNumber(1, latest)(word('typeVersion', latest ?? 1)) ?? 1;
  const given = word('data', {});
  const isNew = word('id').value === undefined;
  const data = type ? readData(given, { fields: storedFields(type.fields), isNew }) : readLooseData(given);
  return Object.freeze({ id, type: key, typeVersion, enabled, data, settings });
}

function readId(reading: Reading, rules: DocumentRules | null): string {
  const { value } = reading;
  if (typeof value === 'string' && idPattern.test(value)) return value;
  // Only the whole document decides which id the section gets.
  if (value !== undefined || !rules) refuse(reading, 'must be 32 digits of 0-9 and a-f');
  return '';
}

function findType(key: string, reading: Reading, { types }: DocumentRules): SectionType | undefined {
  const known = [...types.keys()].join(', ');
  return types.get(key) ?? refuse(reading, `${quoted(key)} is not a section type; known are ${known}`);
}

interface Checked {
  readonly rules: DocumentRules;
  readonly fresh: ReadonlySet<string>;
  readonly problems: PageProblems;
}

function checkAvailable(sections: readonly PageSection[], { rules, fresh, problems }: Checked): void {
  for (const [index, { id, type: key }] of sections.entries()) {
    const type = rules.types.get(key);
    const isPresent = !fresh.has(id) && (rules.presentIds?.has(id) ?? false);
    if (!type || isPresent || !rules.place || isAvailable(type, rules.place)) continue;
    problems.within({ index, type: key, id }, () => {
      problems.add(`sections[${index}].type`, `${key} is not available on this page: see its availability`);
    });
  }
}

function readData(
  reading: Reading,
  { fields, isNew }: { readonly fields: readonly FieldDefinition[]; readonly isNew: boolean },
): Readonly<Record<string, unknown>> {
  const data = readSectionData(reading, fields);
  if (!isNew) return data;
  const filled = fields.flatMap((field): [string, unknown][] => {
    const { name } = field;
    if (Object.hasOwn(data, name)) return [[name, data[name]]];
    if (field.default === undefined) return [];
    const value = readFieldValue({ ...memberReading(reading, {}, name), value: field.default, field });
    return value === undefined ? [] : [[name, value]];
  });
  const rest = Object.entries(data).filter(([name]) => !fields.some((field) => field.name === name));
  return Object.freeze(objectOf([...filled, ...rest]));
}

function readLooseData(reading: Reading): Readonly<Record<string, unknown>> {
  const { value } = reading;
  if (isJsonObject(value)) return value;
  refuse(reading, `must be an object, not ${kindName(value)}`);
  return {};
}

function checkIdsOnce(sections: readonly PageSection[], problems: PageProblems): void {
  const seen = new Set<string>();
  for (const { id, type } of sections) {
    if (id !== '' && seen.has(id)) problems.add('sections', `the id ${id} is there twice (${type})`);
    seen.add(id);
  }
}

type Section = Pick<PageSection, 'id' | 'type' | 'data'>;

interface Compared {
  readonly id: string;
  readonly type: string;
  readonly content: string;
  readonly members: ReadonlySet<string>;
}

/** Null where the section is new. */
export function keptIds(earlier: readonly Section[], later: readonly Section[]): readonly (string | null)[] {
  const given = new Set(later.map(({ id }) => id));
  const [before, after] = [earlier.map(comparedOf), later.map(comparedOf)];
  const ids = after.map(({ id }): string | null => (id === '' ? null : id));
  const isFree = (one: Compared): boolean => !given.has(one.id) && !ids.includes(one.id);
  for (const [from, to] of align(before, after, given)) ids[to] ??= before[from]?.id ?? null;
  for (const [at, { content }] of after.entries()) {
    ids[at] ??= before.find((one) => one.content === content && isFree(one))?.id ?? null;
  }
  return ids;
}

function comparedOf({ id, type, data }: Section): Compared {
  const members = Object.entries(data).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return { id, type, content: `${type} ${members.sort().join('\n')}`, members: new Set(members) };
}

/** Pairs of places in the order of both lists with the highest total similarity. */
function align(
  before: readonly Compared[],
  after: readonly Compared[],
  given: ReadonlySet<string>,
): readonly (readonly [number, number])[] {
  const width = after.length + 1;
  // best[from * width + to] is the sum for what follows these places.
  const best = new Float64Array((before.length + 1) * width);
  const pairs = new Float64Array(best.length);
  for (let from = before.length - 1; from >= 0; from -= 1) {
    for (let to = after.length - 1; to >= 0; to -= 1) {
      const at = from * width + to;
      pairs[at] = likeness(before[from], after[to], given);
      const together = pairs[at] > 0 ? pairs[at] + (best[at + width + 1] ?? 0) : 0;
      best[at] = Math.max(together, best[at + width] ?? 0, best[at + 1] ?? 0);
    }
  }
  const found: [number, number][] = [];
  for (let from = 0, to = 0; from < before.length && to < after.length; ) {
    const at = from * width + to;
    const [here = 0, pair = 0] = [best[at], pairs[at]];
    if (pair > 0 && here === pair + (best[at + width + 1] ?? 0)) {
      found.push([from, to]);
      from += 1;
      to += 1;
    } else if (here === best[at + width]) from += 1;
    else to += 1;
  }
  return found;
}

/** More than any number of members in common in all sections. */
const sameContent = 1e6;
/** More than the same content in all sections. */
const sameId = 1e12;

function likeness(one: Compared | undefined, other: Compared | undefined, given: ReadonlySet<string>): number {
  if (!one || !other) return 0;
  if (other.id !== '' || given.has(one.id)) return one.id === other.id ? sameId : 0;
  if (one.type !== other.type) return 0;
  if (one.content === other.content) return sameContent;
  let common = 1;
  for (const member of other.members) if (one.members.has(member)) common += 1;
  return common;
}
