/** The kinds of value that configuration, settings and command flags share. */
import { isIP } from 'node:net';
import { accept, type Checked, type Refused, refuse } from '../values/checked.js';
import { timeSeconds, timeText } from '../values/dates.js';

export interface ValueType<T> {
  readonly kind: 'boolean' | 'integer' | 'text' | 'choice' | 'list' | 'duration' | 'time' | 'file';
  /** A noun phrase such as "an integer from 0 to 65535". */
  readonly accepts: string;
  readonly choices?: readonly string[];
  /** A text as messages show it, for texts that may hold a password. */
  readonly shown?: (text: string) => string;
  readonly parse: (text: string) => Checked<T>;
  readonly format: (value: T) => string;
}

export function refusal(accepts: string, text: string): Refused {
  return refuse(`must be ${accepts}, not ${JSON.stringify(shortened(text))}`);
}

/** The value that `read` finds in a text; undefined refuses the text. */
export function readable<T, About extends Pick<ValueType<T>, 'kind' | 'accepts'>>(
  about: About,
  read: (text: string) => T | undefined,
) {
  const parse = (text: string): Checked<T> => {
    const value = read(text);
    return value === undefined ? refusal(about.accepts, text) : accept(value);
  };
  return { ...about, parse };
}

/** As commands show a value. */
export type ShownValue = string | number | boolean | null | readonly string[];

export function shownValue(value: unknown): ShownValue {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  return String(value);
}

export const secretMask = '********';

/** Cuts a text so that a message stays a line. */
export function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

export function booleanOf(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (['1', 'true', 'yes', 'on'].includes(word)) return true;
  return ['', '0', 'false', 'no', 'off'].includes(word) ? false : undefined;
}

/** Stored as 1 or 0; the empty text is false, as the CMS writes it. */
export const booleanValue: ValueType<boolean> = readable(
  {
    kind: 'boolean',
    accepts: 'one of 1, true, yes, on, 0, false, no, off',
    choices: ['1', '0', 'true', 'false', 'yes', 'no', 'on', 'off'],
    format: (value: boolean) => (value ? '1' : '0'),
  },
  booleanOf,
);

export function integerValue({ min, max }: { readonly min: number; readonly max: number }): ValueType<number> {
  const accepts = `an integer from ${min} to ${max}`;
  return readable({ kind: 'integer', accepts, format: String }, (text) => {
    const value = /^[+-]?\d{1,16}$/.test(text.trim()) ? Number(text.trim()) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  });
}

interface TextRule {
  readonly accepts?: string;
  readonly pattern?: RegExp;
  /** Where a pattern does not suffice. */
  readonly isAccepted?: (text: string) => boolean;
  readonly shown?: (text: string) => string;
  /** A refusal does not repeat the text. */
  readonly isPrivate?: boolean;
}

/** Without a pattern any text that is not empty. */
export function textValue({
  accepts = 'a text that is not empty',
  pattern = /./s,
  isAccepted = (text) => pattern.test(text),
  shown = (text) => text,
  isPrivate = false,
}: TextRule = {}): ValueType<string> {
  return {
    kind: 'text',
    accepts,
    shown,
    parse(text) {
      if (isAccepted(text)) return accept(text);
      return isPrivate ? refuse(`must be ${accepts}`) : refusal(accepts, shown(text));
    },
    format: (value) => value,
  };
}

/** What ends a quote, a name or a file is not a letter. */
export const tablePrefixValue = textValue({
  accepts: 'up to 32 letters, digits, _ - and $',
  pattern: /^[\p{L}\p{M}\p{N}_$-]{0,32}$/u,
});

export function choiceValue<const T extends string>(choices: readonly T[]): ValueType<T> {
  const accepts = choices.length === 1 ? `${choices[0]}` : `one of ${choices.join(', ')}`;
  return readable({ kind: 'choice', accepts, choices, format: (value: T) => value }, (text) =>
    choices.find((choice) => choice === text),
  );
}

/** Empty elements are refused; the empty text is the empty list. */
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

export const fileValue: ValueType<string> = { ...textValue({ accepts: 'the path of a file' }), kind: 'file' };

export const addressBlockValue = textValue({
  accepts: 'an IP address or CIDR block',
  isAccepted(text) {
    const [address = '', prefix, ...rest] = text.split('/');
    const family = isIP(address);
    const bits = prefix === undefined ? 0 : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    return family !== 0 && rest.length === 0 && bits <= (family === 4 ? 32 : 128) && !address.includes('%');
  },
});

/** For flags that configuration reads in their turn. */
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

export function mapped(type: ValueType<string>, change: (value: string) => string): ValueType<string> {
  return {
    ...type,
    parse(text): Checked<string> {
      const parsed = type.parse(text);
      return parsed.ok ? accept(change(parsed.value)) : parsed;
    },
  };
}

export function withoutEndSlash(type: ValueType<string>): ValueType<string> {
  return mapped(type, (address) => address.replace(/\/$/, ''));
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
/** Beyond it dates stop being ISO 8601 with four digits. */
const longestSeconds = 365_000 * 86_400;

function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,12})([smhd])$/.exec(text.trim());
  const seconds = Number(match?.[1]) * (unitSeconds[match?.[2] ?? ''] ?? Number.NaN);
  return seconds <= longestSeconds ? seconds : undefined;
}

/** Seconds; a bare number is refused, since its unit would be a guess. */
export const durationValue = readable(
  { kind: 'duration', accepts: 'a duration such as 90s, 15m, 12h or 90d' },
  parseDuration,
);

const timeAccepts = 'a time as ISO 8601 with Z or an offset (2026-11-21T09:30:00Z), a date, or Unix seconds';

/** Unix seconds; a date alone is its midnight UTC, a time needs `Z` or an offset. */
export const timeValue: ValueType<number> = readable(
  { kind: 'time', accepts: timeAccepts, format: timeText },
  readTime,
);

export const optionalTimeValue: ValueType<number | null> = readable(
  {
    kind: 'time',
    accepts: `${timeAccepts}, or empty for none`,
    format: (seconds: number | null) => (seconds === null ? '' : timeText(seconds)),
  },
  (text) => (text.trim() === '' ? null : readTime(text)),
);

function readTime(text: string): number | undefined {
  const trimmed = text.trim();
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(trimmed);
  // Fewer digits are rather a mistyped date than a day of 1970.
  const isRefused = /^(?:-\d*|\d{1,4})$/.test(trimmed);
  const seconds = isRefused ? Number.NaN : timeSeconds(isDate ? `${trimmed}T00:00Z` : trimmed);
  return Number.isNaN(seconds) ? undefined : seconds;
}

export const apiNames = ['gateway', 'pages', 'banners'] as const;
export type ApiName = (typeof apiNames)[number];

interface Definition<T> {
  readonly type: ValueType<T>;
  readonly default: T;
  readonly unit: string | null;
  readonly description: string;
}

/** Makes rows; `usual` is what a row has that does not say otherwise. */
export function definitionRows<Usual extends object>(usual: Usual) {
  function row<T>(
    how: Partial<Usual> & Partial<Pick<Definition<T>, 'unit'>> & Pick<Definition<T>, 'type'> & { default: NoInfer<T> },
    description: string,
  ): Definition<T> & Usual {
    return Object.freeze({ unit: null, ...usual, ...how, description });
  }

  return {
    row,
    integer(
      { min, max, ...how }: Partial<Usual> & { min: number; max: number; default: number; unit?: string },
      description: string,
    ) {
      return row<number>(
        { ...how, type: integerValue({ min, max }) } as Parameters<typeof row<number>>[0],
        description,
      );
    },
  };
}

interface SettingRules {
  readonly api: ApiName;
  /** Lists and logs show only whether it is set. */
  readonly secret: boolean;
  /** As it is, as a digest (kept-key.ts), or encrypted under the root secret. */
  readonly kept: 'clear' | 'digest' | 'sealed';
  /** The only commands that change it, a list of records that users read from the database. */
  readonly managedBy: string | null;
  /** A context can have its own value, which counts first. */
  readonly perContext: boolean;
}

export type SettingDefinition<T> = Definition<T> & SettingRules;

export function rowsOf(api: ApiName) {
  const usual: SettingRules = { api, secret: false, kept: 'clear', managedBy: null, perContext: false };
  const rows = definitionRows(usual);
  return {
    ...rows,
    on: (description: string) => rows.row({ type: booleanValue, default: true }, description),
    off: (description: string) => rows.row({ type: booleanValue, default: false }, description),
  };
}
