/**
 * The kinds of value that configuration, settings and command flags share: each knows how to read its text, what it
 * accepts (in words, for refusals and help) and how to write a value back as text.
 */
import { isIP } from 'node:net';
import { accept, type Checked, type Refused, refuse } from '../values/checked.js';

export interface ValueType<T> {
  readonly kind: 'boolean' | 'integer' | 'text' | 'choice' | 'list' | 'duration' | 'time' | 'file';
  /** The accepted values as a noun phrase, for example "an integer from 0 to 65535". */
  readonly accepts: string;
  /** All accepted values where they can be listed. */
  readonly choices?: readonly string[];
  readonly parse: (text: string) => Checked<T>;
  readonly format: (value: T) => string;
}

/** Builds the refusal of one text; long texts are cut so that a message stays a line. */
export function refusal(accepts: string, text: string): Refused {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return refuse(`must be ${accepts}, not ${JSON.stringify(shown)}`);
}

const booleanWords: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['yes', true],
  ['on', true],
  ['', false],
  ['0', false],
  ['false', false],
  ['no', false],
  ['off', false],
]);

const booleanAccepts = 'one of 1, true, yes, on, 0, false, no, off';

/** A switch; stored as 1 or 0. The empty text is false, as the content system writes it. */
export const booleanValue: ValueType<boolean> = {
  kind: 'boolean',
  accepts: booleanAccepts,
  choices: ['1', '0', 'true', 'false', 'yes', 'no', 'on', 'off'],
  parse(text) {
    const value = booleanWords.get(text.trim().toLowerCase());
    return value === undefined ? refusal(booleanAccepts, text) : accept(value);
  },
  format: (value) => (value ? '1' : '0'),
};

/** A whole number in a closed range. */
export function integerValue(range: { readonly min: number; readonly max?: number }): ValueType<number> {
  const max = range.max ?? Number.MAX_SAFE_INTEGER;
  const accepts =
    range.max === undefined ? `an integer of ${range.min} or more` : `an integer from ${range.min} to ${range.max}`;
  return {
    kind: 'integer',
    accepts,
    parse(text) {
      if (!/^[+-]?\d{1,16}$/.test(text.trim())) return refusal(accepts, text);
      const value = Number(text.trim());
      return value >= range.min && value <= max ? accept(value) : refusal(accepts, text);
    },
    format: String,
  };
}

/** Any text that the pattern matches; without a pattern any text that is not empty. */
export function textValue(rule: { readonly accepts?: string; readonly pattern?: RegExp } = {}): ValueType<string> {
  const accepts = rule.accepts ?? 'a text that is not empty';
  const pattern = rule.pattern ?? /./s;
  return {
    kind: 'text',
    accepts,
    parse: (text) => (pattern.test(text) ? accept(text) : refusal(accepts, text)),
    format: (value) => value,
  };
}

/** One of a closed set of words. */
export function choiceValue<const T extends string>(choices: readonly T[]): ValueType<T> {
  const accepts = choices.length === 1 ? `${choices[0]}` : `one of ${choices.join(', ')}`;
  return {
    kind: 'choice',
    accepts,
    choices,
    parse(text) {
      const found = choices.find((choice) => choice === text);
      return found === undefined ? refusal(accepts, text) : accept(found);
    },
    format: (value) => value,
  };
}

/** A comma list; spaces around the elements are dropped, empty elements are refused, the empty text is the empty list. */
export function listValue<T>(
  element: ValueType<T>,
  rule: { readonly accepts?: string; readonly min?: number } = {},
): ValueType<readonly T[]> {
  const accepts = rule.accepts ?? `a comma list, each element ${element.accepts}`;
  return {
    kind: 'list',
    accepts,
    ...(element.choices === undefined ? {} : { choices: element.choices }),
    parse(text) {
      const texts = text.trim() === '' ? [] : text.split(',').map((part) => part.trim());
      if (texts.length < (rule.min ?? 0)) return refusal(accepts, text);
      const values: T[] = [];
      for (const part of texts) {
        const parsed = element.parse(part);
        if (part === '' || !parsed.ok) return refusal(accepts, part);
        values.push(parsed.value);
      }
      return accept(Object.freeze(values));
    },
    format: (values) => values.map((value) => element.format(value)).join(','),
  };
}

/** A path of a file; whether it exists is the reader's business. */
export const fileValue: ValueType<string> = { ...textValue({ accepts: 'the path of a file' }), kind: 'file' };

const addressAccepts = 'an IP address or CIDR block';

/** An IP address or a CIDR block, IPv4 or IPv6. */
export const addressBlockValue: ValueType<string> = {
  kind: 'text',
  accepts: addressAccepts,
  parse(text) {
    const [address = '', prefix, ...rest] = text.split('/');
    const family = isIP(address);
    const bits = prefix === undefined ? 0 : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    const fits = family !== 0 && rest.length === 0 && bits <= (family === 4 ? 32 : 128) && !address.includes('%');
    return fits ? accept(text) : refusal(addressAccepts, text);
  },
  format: (value) => value,
};

/** The same check with the text itself as the value: for flags that configuration reads in their turn. */
export function asText<T>(type: ValueType<T>): ValueType<string> {
  return {
    ...type,
    parse(text) {
      const parsed = type.parse(text);
      return parsed.ok ? accept(text) : parsed;
    },
    format: (value) => value,
  };
}

/** The same type with another value for each text. */
export function mapped(type: ValueType<string>, change: (value: string) => string): ValueType<string> {
  return {
    ...type,
    parse(text): Checked<string> {
      const parsed = type.parse(text);
      return parsed.ok ? accept(change(parsed.value)) : parsed;
    },
  };
}
