/** The output filters of the CMS that only change text. */
import { DateTime } from 'luxon';
import { md5Hex } from '../../crypto/primitives.js';
import { escapeHtml } from '../../values/text.js';
import type { TagFilter } from './element-tags.js';
import { decodeEntities, encodeEntities, stripHtmlTags } from './html-text.js';
import { tvReader } from './tv-types.js';

export interface FilterPlace {
  readonly timeZone: string;
  /** Of names of days and months, such as `de-DE`. */
  readonly locale: string;
}

interface Filtering extends FilterPlace {
  /** Asked before each filter with the letters it reads, and after it with those that it added. */
  readonly spend?: (letters: number) => boolean;
}

/** Null: the tag stays. `value` is empty if none is given. */
type Change = (text: string, value: string, place: FilterPlace) => string | null;

const isEmpty = (text: string): boolean => text === '' || text === '0';

/** These may leave tags in a text; the others would change them. */
const choices = named<Change>([
  ['default ifempty isempty empty', (text, value) => (isEmpty(text) ? value : text)],
  ['notempty ifnotempty isnotempty !empty', (text, value) => (isEmpty(text) ? text : value)],
  ['input if', (_text, value) => value],
  ['cat', (text, value) => text + (isEmpty(value) ? '' : value)],
  ['append after', (text, value) => (isEmpty(text) || isEmpty(value) ? text : text + value)],
  ['prepend before', (text, value) => (isEmpty(text) || isEmpty(value) ? text : value + text)],
  ['cdata', (text) => `<![CDATA[${text.startsWith('[') ? ' ' : ''}${text}]]>`],
]);
const changes = named<Change>([
  ['lower lcase lowercase strtolower', (text) => text.toLowerCase()],
  ['upper ucase uppercase strtoupper', (text) => text.toUpperCase()],
  ['ucfirst', (text) => text.replace(/^./u, (letter) => letter.toUpperCase())],
  ['ucwords', (text) => text.toLowerCase().replace(/(?<![\p{L}\p{M}\p{N}'])\p{L}/gu, (letter) => letter.toUpperCase())],
  ['limit', (text, value) => [...decodeEntities(text)].slice(0, lengthOf(value)).join('')],
  ['ellipsis', (text, value) => shortened(decodeEntities(text), lengthOf(value))],
  ['striptags strip_tags notags', (text, value) => (value === '' ? stripHtmlTags(text) : null)],
  ['strip', (text) => text.replace(/\s+/g, ' ')],
  ['stripstring', (text, value) => replaced(text, value, '')],
  ['replace', (text, value) => (value.includes('==') ? replaced(text, ...pairOf(value, '==')) : text)],
  ['nl2br', (text) => text.replace(/\r\n|\n|\r/g, '<br />$&')],
  ['htmlent htmlentities', (text) => encodeEntities(text)],
  ['htmlspecialchars htmlspecial esc escape', (text) => escapeHtml(text)],
  ['urlencode', (text) => urlEncoded(text)],
  ['reverse strrev', (text) => (text.match(/\d+\D?|\D/gu) ?? []).reverse().join('')],
  ['md5', (text) => md5Hex(text)],
  ['strlen len length', (text) => `${[...text].length}`],
  ['add increment incr', (text, value) => `${numberOf(text) + numberOf(value || '1')}`],
  ['subtract decrement decr', (text, value) => `${numberOf(text) - numberOf(value || '1')}`],
  ['multiply mpy', (text, value) => `${numberOf(text) * numberOf(value || '1')}`],
  ['select', (text, value) => new Map(value.split('&').map((one) => pairOf(one, '='))).get(text) ?? ''],
  ['strtotime', (text, _value, place) => (isEmpty(text) ? '' : `${secondsOf(text, place) ?? ''}`)],
  ['date strftime', (text, value, place) => dateText(text, value || '%A, %d %B %Y %H:%M:%S', place)],
]);

const comparisons = named<(text: string, value: string) => boolean>([
  ['is eq equals equalto isequal isequalto', (text, value) => orderOf(text, value) === 0],
  ['ne neq isnot isnt notequals notequalto', (text, value) => orderOf(text, value) !== 0],
  ['gt isgt greaterthan isgreaterthan', (text, value) => orderOf(text, value) > 0],
  [
    'gte isgte ge eg greaterthanorequalto equalorgreaterthan equalorgreaterthen',
    (text, value) => orderOf(text, value) >= 0,
  ],
  ['lt islt lessthan lowerthan islessthan islowerthan', (text, value) => orderOf(text, value) < 0],
  ['lte islte le el lessthanorequalto equaltoorlessthan', (text, value) => orderOf(text, value) <= 0],
  ['contains', (text, value) => text.toLowerCase().includes(value.toLowerCase())],
  ['containsnot', (text, value) => !text.toLowerCase().includes(value.toLowerCase())],
  ['in inarray', (text, value) => value.split(',').some((one) => orderOf(text, one) === 0)],
]);

type Outcome = (shown: string, value: string) => string;
const nothing: Outcome = () => '';
const itself: Outcome = (shown) => shown;
const given: Outcome = (_shown, value) => value;

/** What is shown if the condition is met, and if it is not. */
const outcomes: ReadonlyMap<string, readonly [Outcome, Outcome]> = new Map([
  ['then', [given, nothing]],
  ['else', [itself, given]],
  ['show', [itself, nothing]],
  ['hide', [nothing, itself]],
]);

function named<T>(rows: readonly (readonly [names: string, meaning: T])[]): ReadonlyMap<string, T> {
  return new Map(rows.flatMap(([names, meaning]) => names.split(' ').map((name) => [name, meaning])));
}

/** Null if a filter is not known here or takes a value of another form: the CMS would run a snippet. */
export function filterText(text: string, filters: readonly TagFilter[], place: Filtering): string | null {
  const spend = place.spend ?? (() => true);
  let shown: string | null = text;
  /** One of the parts before the last `or`. */
  let isMet = false;
  let last: boolean | null = null;
  let joiner = '';
  for (const { name: written, value } of filters) {
    const name = written.toLowerCase();
    const before: string = shown.trim();
    if (!spend(costOf(name, before, value))) return null;
    shown = before;
    const [compare, outcome] = [comparisons.get(name), outcomes.get(name)];
    if (compare !== undefined) {
      if (hasTag(shown) || hasTag(value)) return null;
      const isSo = compare(shown, value);
      last = joiner === 'and' && last !== null ? last && isSo : isSo;
    } else if (name === 'and' || name === 'or') {
      isMet ||= name === 'or' && last === true;
      joiner = name;
    } else if (outcome !== undefined) {
      if (last !== null) shown = outcome[isMet || last ? 0 : 1](shown, value);
    } else {
      const choose = choices.get(name);
      const change = choose ?? changes.get(name);
      if (change === undefined || (choose === undefined && (hasTag(shown) || hasTag(value)))) return null;
      shown = change(shown, value, place);
    }
    if (shown === null || !spend(shown.length - before.length)) return null;
  }
  return shown;
}

/** Processor time, in letters read; dates take as long as a thousand. */
function costOf(name: string, text: string, value: string): number {
  const letters = text.length + 100 + value.length;
  return /^(?:date|strftime|strtotime)$/.test(name) ? 1000 + 50 * letters : letters;
}

function hasTag(text: string): boolean {
  return text.includes('[[');
}

const numeric = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;

function orderOf(text: string, other: string): number {
  const [one, two] = [text.trim(), other.trim()];
  if (numeric.test(one) && numeric.test(two)) return Number(one) - Number(two);
  return text === other ? 0 : text < other ? -1 : 1;
}

const mostAdded = 8_388_608;

/** Null if the text would grow by more than `mostAdded`. */
function replaced(text: string, what: string, by: string): string | null {
  if (what === '') return text;
  const parts = text.split(what);
  return parts.length * by.length > mostAdded ? null : parts.join(by);
}

function pairOf(text: string, sign: string): [first: string, second: string] {
  const [name = '', value = ''] = text.split(sign, 2);
  return [name, value];
}

/** As PHP reads it: what a text begins with, else 0. */
function numberOf(text: string): number {
  return Number(/^\s{0,20}[+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})/.exec(text)?.[0] ?? 0);
}

/** As forms send it. Half a surrogate pair cannot be encoded. */
function urlEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1).replaceAll('*', '%2A');
}

function lengthOf(value: string): number {
  const length = /^\d{1,9}/.exec(value.trim())?.[0];
  return Number(length ?? 0) || 100;
}

/** Ends at the first space from there on, and closes what it opened. */
function shortened(text: string, length: number): string {
  const end = text.indexOf(' ', Math.max(0, [...text.slice(0, 2 * length)].slice(0, length).join('').length));
  if (end === -1 || end >= text.length - 1) return text;
  const kept = text.slice(0, end);
  const open: string[] = [];
  for (const [, slash, name = ''] of kept.matchAll(/<(\/?)([a-z][a-z0-9]{0,20})[^<>]{0,1000}>/gi)) {
    if (slash === '/') {
      if (open.at(-1) === name) open.pop();
    } else if (!isVoid.test(name)) open.push(name);
  }
  const closing = open.slice(-mostOpen).reverse();
  return `${kept}&#8230;${closing.map((name) => `</${name}>`).join('')}`;
}

const mostOpen = 100;
const isVoid = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

const readDate = tvReader({ type: 'date', elements: null });

function secondsOf(text: string, { timeZone }: FilterPlace): number | null {
  const trimmed = text.trim();
  if (/^-?\d{1,12}$/.test(trimmed)) return Number(trimmed);
  const time = readDate(trimmed, timeZone);
  return typeof time === 'string' ? Math.floor(Date.parse(time) / 1000) : null;
}

/** The letters of PHP's strftime, as luxon writes them. */
const dateForms: Readonly<Record<string, string>> = {
  ...{ a: 'ccc', A: 'cccc', d: 'dd', e: 'd', j: 'ooo', u: 'c', V: 'WW', G: 'kkkk', g: 'kk' },
  ...{ b: 'LLL', h: 'LLL', B: 'LLLL', m: 'LL', y: 'yy', Y: 'yyyy', H: 'HH', k: 'H', I: 'hh', l: 'h' },
  ...{
    M: 'mm',
    p: 'a',
    S: 'ss',
    z: 'ZZZ',
    Z: 'ZZZZ',
    s: 'X',
    D: 'LL/dd/yy',
    F: 'yyyy-LL-dd',
    T: 'HH:mm:ss',
    R: 'HH:mm',
    x: 'LL/dd/yy',
    X: 'HH:mm:ss',
  },
};
const padded = 'ekl';

function dateText(text: string, format: string, place: FilterPlace): string {
  const seconds = secondsOf(text, place);
  if (seconds === null) return '';
  const time = DateTime.fromSeconds(seconds, { zone: place.timeZone, locale: place.locale });
  return format.replace(/%([a-zA-Z%])/g, (written: string, letter: string) => {
    if (letter === '%') return '%';
    if (letter === 'n' || letter === 't') return letter === 'n' ? '\n' : '\t';
    if (letter === 'w') return `${time.weekday % 7}`;
    if (letter === 'c') return dateText(text, '%a %b %e %T %Y', place);
    if (letter === 'P') return time.toFormat('a').toLowerCase();
    const form = dateForms[letter];
    if (form === undefined) return written;
    const shown = time.toFormat(form);
    return padded.includes(letter) ? shown.padStart(2) : shown;
  });
}
