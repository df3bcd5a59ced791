/** The meaning of template variable values by type, and its indexed form. The answer names values of another type. */
import { sha256Hex } from '../../crypto/primitives.js';
import { isoTimeOfSeconds, minuteMs, timeText } from '../../values/dates.js';
import { isWithinDepth, type JsonValue, parseJson } from '../../values/json.js';
import { wordList } from '../../values/text.js';
import { isIdText } from '../../values/unsigned.js';
import { isBinding, millisecondsAtSite } from './tv-values.js';

export interface TvFacts {
  readonly type: string;
  /** `label==value||label==value`; null for none, and for many. */
  readonly elements: string | null;
}

/** For a value that is neither empty nor a binding; undefined for a text that is not of the type. */
type Meaning = (text: string, timeZone: string) => JsonValue | undefined;

export type TvKind = 'text' | 'number' | 'boolean' | 'date' | 'reference' | 'list' | 'json';

interface TvType {
  readonly kind: TvKind;
  readonly meaning: Meaning;
  readonly empty: JsonValue;
  readonly schema: Readonly<Record<string, unknown>>;
}

const deepest = 64;
/** Bounded, so that no value makes an answer many times longer than its text. */
const mostMembers = 10_000;

const single = (kind: TvKind, meaning: Meaning, schema: TvType['schema']): TvType => {
  return { kind, meaning, empty: null, schema };
};
const text = single('text', (value) => value, { type: ['string', 'null'] });
const number = single('number', readNumber, { type: ['number', 'null'] });
const flag = single('boolean', readFlag, { type: ['boolean', 'null'] });
const date = single('date', readDate, { type: ['string', 'null'], format: 'date-time' });
const json = single('json', readJson, { description: 'Any JSON value' });
const reference = single('reference', readReference, { type: ['integer', 'null'] });
const list = (separator: string): TvType => ({
  kind: 'list',
  meaning: (value) => readList(value, separator),
  empty: [],
  schema: { type: ['array', 'null'], items: { type: 'string' } },
});

const types: ReadonlyMap<string, TvType> = new Map([
  ['number', number],
  ['date', date],
  ['migx', json],
  ['json', json],
  ['resourcelist', reference],
  ['checkbox', list('||')],
  ['listbox-multiple', list('||')],
  ['tag', list(',')],
  ['autotag', list(',')],
]);

/** Those of the CMS, with two that extras add; a site may have others. */
export const tvTypes: readonly string[] = [
  ...['text', 'textarea', 'richtext', 'number', 'image', 'file', 'date', 'checkbox', 'listbox', 'listbox-multiple'],
  ...['option', 'resourcelist', 'tag', 'autotag', 'email', 'url', 'hidden', 'migx', 'json'],
];

const choices: ReadonlySet<string> = new Set(['option', 'radio', 'listbox', 'listbox-single', 'dropdown']);

function typeOf({ type, elements }: TvFacts): TvType {
  const known = types.get(type);
  if (known !== undefined) return known;
  return choices.has(type) && elements !== null && isYesOrNo(elements) ? flag : text;
}

export function hasChoices(type: string): 'one' | 'several' | null {
  if (choices.has(type)) return 'one';
  return type === 'checkbox' || type === 'listbox-multiple' ? 'several' : null;
}

/** Empty if the CMS computes the choices. */
export function choiceValues(elements: string): readonly string[] {
  if (isBinding(elements)) return [];
  const values = elements.split('||').map((choice) => choice.split('==').at(-1)?.trim() ?? '');
  return values.filter((value) => value !== '');
}

function isYesOrNo(elements: string): boolean {
  const named = new Set(choiceValues(elements));
  return named.size === 2 && ((named.has('1') && named.has('0')) || (named.has('true') && named.has('false')));
}

export function tvSchema(facts: TvFacts): Readonly<Record<string, unknown>> {
  return typeOf(facts).schema;
}

export function tvKind(facts: TvFacts): TvKind {
  return typeOf(facts).kind;
}

export function refersToResources({ type }: Pick<TvFacts, 'type'>): boolean {
  return typeOf({ type, elements: null }) === reference;
}

export function holdsJson({ type }: Pick<TvFacts, 'type'>): boolean {
  return typeOf({ type, elements: null }) === json;
}

/** `timeZone` is the one of the site's dates. Undefined for a text that has no typed form. */
export function tvReader(facts: TvFacts): (stored: string, timeZone: string) => JsonValue | undefined {
  const { meaning, empty } = typeOf(facts);
  return (stored, timeZone) => {
    if (stored === '') return empty;
    // The CMS would replace it.
    return isBinding(stored) ? undefined : meaning(stored, timeZone);
  };
}

const longestNumber = 400;
const numberForm = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

function readNumber(stored: string): number | null | undefined {
  const trimmed = stored.trim();
  if (trimmed === '') return null;
  const value = trimmed.length <= longestNumber && numberForm.test(trimmed) ? Number(trimmed) : Number.NaN;
  // A larger integer would lose digits.
  return Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value + 0 : undefined;
}

function readFlag(stored: string): boolean | null | undefined {
  const word = stored.trim().toLowerCase();
  if (word === '') return null;
  if (word === '1' || word === 'true') return true;
  return word === '0' || word === 'false' ? false : undefined;
}

function readReference(stored: string): number | null | undefined {
  const trimmed = stored.trim();
  if (trimmed === '' || trimmed === '0') return null;
  return isIdText(trimmed) ? Number(trimmed) : undefined;
}

function readList(stored: string, separator: string): readonly string[] | undefined {
  const members = stored.split(separator, mostMembers + 1);
  if (members.length > mostMembers) return undefined;
  return members.map((member) => (separator === ',' ? member.trim() : member)).filter((member) => member !== '');
}

function readJson(stored: string): JsonValue | undefined {
  if (stored.trim() === '') return null;
  const value = parseJson(stored);
  if (value === undefined || !isWithinDepth(value, deepest)) return undefined;
  return largeForm.test(stored) && !hasFiniteNumbers(stored) ? undefined : (value as JsonValue);
}

/** Every number too large has an exponent of two digits, or hundreds of digits. */
const largeForm = /[\d.]e\+?\d\d|\d{300}/i;

/** Infinity has no JSON: it would silently become null. */
function hasFiniteNumbers(stored: string): boolean {
  let areFinite = true;
  JSON.parse(stored, (_name, value: unknown) => {
    if (typeof value === 'number' && !Number.isFinite(value)) areFinite = false;
  });
  return areFinite;
}

const months = wordList('january february march april may june july august september october november december');

const dayForms: readonly (readonly [form: RegExp, year: number, month: number, day: number])[] = [
  [/^(\d{4})-(\d\d)-(\d\d)/, 1, 2, 3],
  [/^(\d{1,2})\.(\d{1,2})\.(\d{4})/, 3, 2, 1],
  [/^(\d{1,2}) ([a-z]{3,9}) (\d{4})/i, 3, 2, 1],
  [/^(\d{1,2})\/(\d{1,2})\/(\d{4})/, 3, 1, 2],
];
const clockForm = /^(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)? ?(?:[Zz]|([+-])(0\d|1[0-4]):?([0-5]\d))?)?$/;
const stampForm = /^@(-?\d{1,12})$/;

function readDate(stored: string, timeZone: string): string | null | undefined {
  const trimmed = stored.trim();
  if (trimmed === '' || trimmed === '0') return null;
  const stamp = stampForm.exec(trimmed)?.[1];
  if (stamp !== undefined) return shownTime(Number(stamp) * 1000);
  const date = readDay(trimmed);
  const clock = clockForm.exec(trimmed.slice(date?.length));
  if (date === null || clock === null) return undefined;
  const [hour = 0, minute = 0, second = 0] = clock.slice(1, 4).map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const { year, month, day } = date;
  const time = new Date(0);
  // Date.UTC reads years before 100 as 19xx.
  time.setUTCFullYear(year, month - 1, day);
  if (year < 1 || time.getUTCMonth() !== month - 1 || time.getUTCDate() !== day) return undefined;
  time.setUTCHours(hour, minute, second);
  const [sign, hours, minutes] = clock.slice(4);
  const offset = (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
  if (timeZone === 'UTC' || /[Zz+-]/.test(clock[0])) return shownTime(time.getTime() - offset * minuteMs);
  const there = millisecondsAtSite({ year, month, day, hour, minute, second }, timeZone);
  return there === null ? undefined : shownTime(there);
}

function readDay(text: string) {
  for (const [form, year, month, day] of dayForms) {
    const parts = form.exec(text);
    if (parts === null) continue;
    const [whole] = parts;
    const word = parts[month]?.toLowerCase() ?? '';
    const named = 1 + months.findIndex((name) => name === word || name.slice(0, 3) === word);
    return { length: whole.length, year: Number(parts[year]), month: named || Number(word), day: Number(parts[day]) };
  }
  return null;
}

function shownTime(milliseconds: number): string | undefined {
  // The first second of 1970 is a time here, unlike in columns of seconds.
  return milliseconds === 0 ? timeText(0) : (isoTimeOfSeconds(milliseconds / 1000) ?? undefined);
}

export interface IndexedValue {
  /** Flags are 0 and 1, times Unix seconds. */
  readonly number: number | null;
  readonly text: string | null;
  readonly whole: string | null;
  readonly members: readonly Pick<IndexedValue, 'text' | 'whole'>[];
}

const longestText = 255;
/** A digest replaces the rest of a longer text, so that it equals only itself. */
const orderedText = 191;

export function indexText(text: string): string {
  // A character has at most two units.
  if (text.length <= longestText) return text;
  const characters = Array.from(text.slice(0, 2 * longestText + 2));
  if (characters.length <= longestText) return text;
  return characters.slice(0, orderedText).join('') + sha256Hex(text);
}

export function indexReader(facts: TvFacts): (stored: string, timeZone: string) => IndexedValue | null {
  const kind = tvKind(facts);
  const read = tvReader(facts);
  return (stored, timeZone) => {
    const value = read(stored, timeZone);
    if (value === undefined || value === null) return null;
    switch (kind) {
      case 'number':
      case 'reference':
      case 'boolean':
        return ofNumber(Number(value));
      case 'date':
        return ofNumber(Date.parse(String(value)) / 1000);
      case 'list': {
        const members = [...new Set(Array.isArray(value) ? value.map(String) : [])];
        return members.length === 0 ? null : { ...ofText(members.join(',')), members: members.map(ofText) };
      }
      case 'json':
        return { number: null, text: null, whole: null, members: [] };
      case 'text':
        return ofText(String(value));
    }
  };
}

function ofNumber(number: number): IndexedValue {
  return { number, text: null, whole: null, members: [] };
}

function ofText(text: string): IndexedValue {
  const indexed = indexText(text);
  return { number: null, text: indexed, whole: indexed === text ? null : text, members: [] };
}
