/** Makes aliases as the CMS does (docs/reference/storage.md#aliases). Every stored alias goes through this. */

import { parseAliasPattern } from './alias-pattern.js';
import { decodeEntities, stripElementTags, stripHtmlTags } from './html-text.js';
import { type ContentSettings, flagSetting, integerSetting, textSetting } from './settings.js';

export function cleanAlias(text: string, options: AliasOptions): string {
  let segment = stripHtmlTags(text);
  if (options.stripElementTags) segment = stripElementTags(segment);
  segment = decodeEntities(segment.replaceAll('&nbsp;', () => options.wordDelimiter));
  if (options.transliteration === 'iconv') segment = toAscii(segment);
  if (options.transliteration === 'ascii') segment = transliterate(segment);
  segment = segment.replaceAll('&', () => ` ${options.ampersand} `);
  segment = options.restrict(segment);
  segment = segment.replace(/[\p{Z}\t-\r\u0085\u180e]+/gu, () => options.wordDelimiter);
  segment = mergeDelimiters(segment, options);
  if (options.lowercase) segment = options.multibyte ? segment.toLowerCase() : lowerAscii(segment);
  segment = trimCharacters(segment, options.trimCharacters);
  return shorten(segment, options);
}

/** `0` counts as empty, as everywhere in PHP. */
export function isEmptyAlias(alias: string | null): alias is null | '' | '0' {
  return alias === null || alias === '' || alias === '0';
}

function mergeDelimiters(segment: string, options: AliasOptions): string {
  const delimiters = new Set(options.wordDelimiters);
  if (delimiters.size === 0) return segment;
  // The CMS joins the delimiters with `|` inside a class, so that a bar counts as one of them.
  if (delimiters.size > 1) delimiters.add('|');
  let merged = '';
  let inRun = false;
  for (const char of segment) {
    const delimiter = delimiters.has(char);
    if (!delimiter) merged += char;
    else if (!inRun) merged += options.wordDelimiter;
    inRun = delimiter;
  }
  return merged;
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** PHP's trim with a list of characters, in which `a..z` is a range. */
function trimCharacters(text: string, list: string): string {
  const set = new Set(expandRanges(list));
  const characters = [...text];
  let from = 0;
  let to = characters.length;
  while (from < to && set.has(characters[from] ?? '')) from += 1;
  while (to > from && set.has(characters[to - 1] ?? '')) to -= 1;
  return characters.slice(from, to).join('');
}

function expandRanges(list: string): string {
  return list.replace(/([ -~])\.\.([ -~])/g, (text: string, from: string, to: string) => {
    const first = from.charCodeAt(0);
    const count = to.charCodeAt(0) - first + 1;
    return count < 1 ? text : String.fromCharCode(...Array.from({ length: count }, (_, index) => first + index));
  });
}

/** The length counts characters, the cut bytes, as in the CMS. A character that the cut would halve is dropped. */
function shorten(segment: string, options: AliasOptions): string {
  if (options.maxLength === 0) return segment;
  const length = options.multibyte ? [...segment].length : Buffer.byteLength(segment, 'utf8');
  if (length <= options.maxLength) return segment;
  let cut = '';
  let bytes = 0;
  for (const char of segment) {
    bytes += Buffer.byteLength(char, 'utf8');
    if (bytes > options.maxLength) break;
    cut += char;
  }
  return trimCharacters(cut, options.trimCharacters);
}

export const asciiForms: Readonly<Record<string, string>> = {
  ß: 'ss',
  Æ: 'AE',
  æ: 'ae',
  Ø: 'O',
  ø: 'o',
  Œ: 'OE',
  œ: 'oe',
  Đ: 'D',
  đ: 'd',
  Ð: 'D',
  ð: 'd',
  Þ: 'TH',
  þ: 'th',
  Ł: 'L',
  ł: 'l',
  ı: 'i',
  '–': '-',
  '—': '-',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '…': '...',
  '€': 'EUR',
};

/** iconv's conversion to ASCII as GNU does it for Latin letters; a character without an ASCII form becomes `?`. */
function toAscii(text: string): string {
  // Accents go first as well: normalizing very many on one letter takes very long.
  const decomposed = text
    .replace(/\p{M}+/gu, '')
    .normalize('NFD')
    .replace(/\p{M}+/gu, '');
  return decomposed.replace(/[^\0-\x7f]/gu, (char) => asciiForms[char] ?? '?');
}

let convert: ((text: string) => string) | undefined;

/** The tables are half a megabyte. Must be loaded before `transliterate` gets a text beyond ASCII. */
export async function loadTransliteration(): Promise<void> {
  convert ??= (await import('any-ascii')).default;
}

function transliterate(text: string): string {
  return text.replace(/[^\0-\x7f]/gu, (character) => {
    if (convert === undefined) throw new Error('the tables of the transliteration were not loaded');
    // The slash of a fraction would end the segment.
    return convert(character).replaceAll('/', '-');
  });
}

/** `ascii` is our own, with tables for all scripts; `iconv` is the CMS's `iconv_ascii`, for Latin letters only. */
type Transliteration = 'none' | 'iconv' | 'ascii';

export interface AliasOptions {
  readonly stripElementTags: boolean;
  readonly transliteration: Transliteration;
  readonly ampersand: string;
  readonly restrict: (text: string) => string;
  readonly wordDelimiter: string;
  readonly wordDelimiters: string;
  readonly lowercase: boolean;
  /** Letters outside ASCII are lowered, and lengths count characters instead of bytes. */
  readonly multibyte: boolean;
  readonly trimCharacters: string;
  /** Bytes; 0 = no limit. */
  readonly maxLength: number;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what an alias may not have.
const illegal = /[\0\v\t\n\r\f\x07&=+%#<>"~`@?[\]{}|^'\\]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const illegalOrColon = /[\0\v\t\n\r\f\x07&=+%#<>"~:`@?[\]{}|^'\\]/g;

export function readAliasOptions(settings: ContentSettings) {
  const problems: string[] = [];
  const wordDelimiters = textSetting(settings, 'friendly_alias_word_delimiters', '-_');
  const options: AliasOptions = {
    stripElementTags: flagSetting(settings, 'friendly_alias_strip_element_tags', true),
    transliteration: readTransliteration(settings, problems),
    ampersand: 'and',
    restrict: readRestriction(settings, problems),
    wordDelimiter: textSetting(settings, 'friendly_alias_word_delimiter', '-'),
    wordDelimiters,
    lowercase: flagSetting(settings, 'friendly_alias_lowercase_only', true),
    multibyte: flagSetting(settings, 'use_multibyte', false),
    trimCharacters: textSetting(settings, 'friendly_alias_trim_chars', `/.${wordDelimiters}`),
    maxLength: Math.max(0, integerSetting(settings, 'friendly_alias_max_length', 0)),
  };
  return { options: Object.freeze(options), problems };
}

function readTransliteration(settings: ContentSettings, problems: string[]): Transliteration {
  const method = textSetting(settings, 'friendly_alias_translit', 'none');
  if (method === 'iconv_ascii') return 'iconv';
  if (method === 'ascii') return 'ascii';
  // From UTF-8 to UTF-8 iconv changes nothing.
  if (!['', 'none', 'iconv'].includes(method)) {
    problems.push(`friendly_alias_translit names the table "${method}" of an extra; texts are left as they are`);
  }
  return 'none';
}

function readRestriction(settings: ContentSettings, problems: string[]): (text: string) => string {
  switch (textSetting(settings, 'friendly_alias_restrict_chars', 'pattern')) {
    case 'alphanumeric':
      return (text) => text.replace(/[^.%A-Za-z0-9 _-]/g, '');
    case 'alpha':
      return (text) => text.replace(/[^.%A-Za-z _-]/g, '');
    case 'legal':
      return (text) => text.replace(illegal, '');
    default:
      return readPattern(settings, problems);
  }
}

function readPattern(settings: ContentSettings, problems: string[]): (text: string) => string {
  const setting = settings.get('friendly_alias_restrict_chars_pattern');
  if (setting === undefined || setting === null) return (text) => text.replace(illegal, '');
  // An empty pattern turns the restriction off; `0` is empty to PHP.
  if (setting === '' || setting === '0') return (text) => text;
  const pattern = parseAliasPattern(setting);
  if (pattern.ok) return pattern.value;
  problems.push(`${pattern.problem}; the pattern of a new installation is used instead`);
  return (text) => text.replace(illegalOrColon, '');
}
