/**
 * Reads the settings of alias cleaning (docs/reference/storage.md#aliases) into one checked value, with the CMS's
 * defaults for absent ones.
 */
import { parseAliasPattern } from './alias-pattern.js';
import { type ContentSettings, flagSetting, integerSetting, textSetting } from './settings.js';

/** `ascii` is our own, with tables for all scripts; `iconv` is the CMS's `iconv_ascii`, which knows Latin letters. */
type Transliteration = 'none' | 'iconv' | 'ascii';

export interface AliasOptions {
  readonly stripElementTags: boolean;
  readonly transliteration: Transliteration;
  /** The word for `&`, without spaces. */
  readonly ampersand: string;
  /** Removes the characters that an alias may not have. */
  readonly restrict: (text: string) => string;
  readonly wordDelimiter: string;
  readonly wordDelimiters: string;
  readonly lowercase: boolean;
  /** Whether letters outside ASCII are lowered and lengths count characters instead of bytes. */
  readonly multibyte: boolean;
  readonly trimCharacters: string;
  /** 0 means no limit. Beyond it the alias is cut to this many bytes. */
  readonly maxLength: number;
}

interface AliasOptionsReading {
  readonly options: AliasOptions;
  /** Settings that could not be used, for `hcd doctor` and the log; the options have defaults instead. */
  readonly problems: readonly string[];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what an alias may not have.
const illegal = /[\0\v\t\n\r\f\x07&=+%#<>"~`@?[\]{}|^'\\]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const illegalOrColon = /[\0\v\t\n\r\f\x07&=+%#<>"~:`@?[\]{}|^'\\]/g;

export function readAliasOptions(settings: ContentSettings): AliasOptionsReading {
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
  // An empty pattern switches the restriction off; `0` is empty to PHP.
  if (setting === '' || setting === '0') return (text) => text;
  const pattern = parseAliasPattern(setting);
  if (pattern.ok) return pattern.remove;
  problems.push(`${pattern.problem}; the pattern of a new installation is used instead`);
  return (text) => text.replace(illegalOrColon, '');
}
