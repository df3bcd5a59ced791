/** Arguments and flags as data. A parameter reads the given texts and returns a typed value or a refusal. */

import { databaseUrlValue } from '../src/config/address-values.js';
import {
  durationValue,
  fileValue,
  integerValue,
  readable,
  shortened,
  textValue,
  type ValueType,
} from '../src/config/value-type.js';
import { AppError } from '../src/errors/app-error.js';
import { accept, type Checked, refuse } from '../src/values/checked.js';
import { isJsonObject, parseJson } from '../src/values/json.js';
import { snakeCase } from '../src/values/text.js';
import { largestUnsigned } from '../src/values/unsigned.js';

export interface Parameter<T> {
  readonly description: string;
  /** Null for a switch; empty: the name of the parameter in capitals. */
  readonly placeholder: string | null;
  readonly required: boolean;
  /** A flag that may be given again, or an argument that takes all remaining words. */
  readonly repeatable: boolean;
  readonly choices: readonly string[];
  /** Added to the description in help; null for none. */
  readonly accepts: string | null;
  readonly kind: ValueType<T>['kind'];
  readonly isOutput: boolean;
  readonly shown: (text: string) => string;
  /** What precedes NAME in the field that a text `NAME=VALUE` or a member of a JSON object fills; null for other texts. */
  readonly members: string | null;
  /** The field that it fills, if another argument decides. */
  readonly fills: ((given: Texts) => string) | null;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly form: 'text' | 'one' | 'several';
  readonly question: string;
  readonly read: (texts: readonly string[]) => Checked<T>;
}

/** By name in camelCase: `maxClicks` is written `--max-clicks`. In the order of help and arguments. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

export type Values<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never;
};

export interface NamedParameter extends Parameter<unknown> {
  readonly label: string;
  /** How use cases know what it fills: `max_clicks`. */
  readonly field: string;
}

export type NamedParameters = Readonly<Record<string, NamedParameter>>;

interface About {
  /** Such as NAME or FILE (default: by the kind of the value, or else the name of the parameter). */
  readonly placeholder?: string;
  readonly suggestions?: readonly string[];
  readonly question?: string;
  readonly members?: string;
  readonly fills?: (given: Texts) => string;
  readonly schema?: Parameter<unknown>['schema'];
  readonly isOutput?: true;
}

/** Commands never write a value back. */
export type Readable<T> = Omit<ValueType<T>, 'format'>;

export function readableValue<T>(
  about: Pick<Readable<T>, 'accepts'> & Partial<Omit<Readable<T>, 'parse'>>,
  read: (text: string) => T | undefined,
): Readable<T> {
  return readable({ kind: 'text', ...about }, read);
}

export function required<T>(type: Readable<T>, description: string, about?: About): Parameter<T> {
  const missing = type.kind === 'choice' ? `is required: ${type.accepts}` : 'is required';
  return {
    ...described(type, description, about),
    required: true,
    read: ([text]) => (text === undefined ? refuse(missing) : type.parse(text)),
  };
}

export function optional<T>(type: Readable<T>, description: string, about?: About): Parameter<T | undefined> {
  return {
    ...described(type, description, about),
    read: ([text]) => (text === undefined ? accept(undefined) : type.parse(text)),
  };
}

export function repeated<T>(type: Readable<T>, description: string, about?: About): Parameter<readonly T[]> {
  return {
    ...described(type, description, about),
    repeatable: true,
    read(texts) {
      const values: T[] = [];
      for (const text of texts) {
        const parsed = type.parse(text);
        if (!parsed.ok) return parsed;
        values.push(parsed.value);
      }
      return accept(Object.freeze(values));
    },
  };
}

export function toggle(description: string): Parameter<boolean> {
  return {
    ...described({ kind: 'boolean', accepts: '' }, description),
    placeholder: null,
    read: (texts) => accept(texts.length > 0),
  };
}

export function flagOf(name: string): string {
  return `--${snakeCase(name).replaceAll('_', '-')}`;
}

export function named(parameters: Parameters, kind: 'argument' | 'flag'): NamedParameters {
  const entries = Object.entries(parameters).map(([name, parameter]): [string, NamedParameter] => {
    const field = snakeCase(name);
    const placeholder = parameter.placeholder === '' ? field.toUpperCase() : parameter.placeholder;
    return [name, { ...parameter, placeholder, field, label: kind === 'flag' ? flagOf(name) : (placeholder ?? '') }];
  });
  return Object.freeze(Object.fromEntries(entries));
}

export type Texts = ReadonlyMap<string, readonly string[]>;

export type ReadValues = Readonly<Record<string, unknown>>;

/** Throws usage with all problems together. */
export function readValues(parameters: NamedParameters, texts: Texts): ReadValues {
  const values: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const given = texts.get(name) ?? [];
    const parsed = parameter.read(given);
    if (given.length > 1 && !parameter.repeatable && parameter.placeholder !== null) {
      problems[parameter.label] = 'can be given only once';
    } else if (parsed.ok) values[name] = parsed.value;
    else problems[parameter.label] = parsed.problem;
  }
  if (Object.keys(problems).length > 0) throw usageError(problems);
  return Object.freeze(values);
}

/** Each problem completes a sentence that starts with its name. */
export function usageError(problems: Readonly<Record<string, string>>): AppError {
  const entries = Object.entries(problems);
  return new AppError('usage', {
    message: entries.map(([name, problem]) => `${name} ${problem}`).join('; '),
    details: { fields: Object.fromEntries(entries.map(([name, problem]) => [name, [problem]])) },
  });
}

interface Given {
  readonly label: string;
  /** Null for a switch, and for several values of one field. */
  readonly value: string | null;
}

/** The error with its problems at what filled the fields. A field that no flag or argument filled keeps its name. */
export function namingParameters(
  error: AppError,
  given: { readonly parameters: NamedParameters; readonly texts: Texts },
): AppError {
  const { code, message, details, cause } = error;
  const filled = filledFields(given.parameters, given.texts);
  const fields = Object.entries(details.fields ?? {});
  if (code === 'usage' || !fields.some(([field]) => filled.has(field))) return error;
  const problems = fields.map(([field, texts]) => ({ label: field, value: null, texts, ...filled.get(field) }));
  const [first] = problems.map(({ label, value, texts: [text = message] }) => `${withValue(label, value)}: ${text}`);
  const values = problems.flatMap(({ label, value }) => (value === null ? [] : [[label, value] as const]));
  return new AppError(code, {
    message: first ?? message,
    details: {
      ...details,
      fields: Object.fromEntries(problems.map(({ label, texts }) => [label, texts])),
      given: Object.fromEntries(values),
    },
    cause,
  });
}

/** `--template 99`; one of several values of a flag is `--tv color=blue`. */
export function withValue(label: string, value: string | null = null): string {
  if (value === null) return label;
  return `${label}${label.includes(' ') ? '=' : ' '}${value === '' ? '""' : value}`;
}

function filledFields(parameters: NamedParameters, given: Texts): ReadonlyMap<string, Given> {
  const filled = new Map<string, Given>();
  for (const [key, { label, field: own, fills, members, placeholder, shown }] of Object.entries(parameters)) {
    const field = fills?.(given) ?? own;
    const texts = given.get(key) ?? [];
    // An id names the record; a field of that name comes from a file.
    if (texts.length === 0 || field === 'id') continue;
    filled.set(field, { label, value: placeholder === null ? null : shortened(texts.map(shown).join(' ')) });
    for (const [name, operator, value] of members === null ? [] : texts.flatMap(membersOf)) {
      const one = { label: `${label} ${name}${operator}`, value: shortened(value) };
      filled.set(members + name, filled.has(members + name) ? { label: `${label} ${name}`, value: null } : one);
    }
  }
  return filled;
}

function membersOf(text: string): readonly (readonly [string, string, string])[] {
  const whole = parseJson(text);
  if (isJsonObject(whole)) return Object.entries(whole).map(([name, value]) => [name, '', JSON.stringify(value)]);
  const [, name = '', operator = '', value = ''] = /^([^=[]+)(\[[^=]*)?=(.*)$/s.exec(text) ?? [];
  return [[name, operator, value]];
}

type Described = Omit<Parameter<unknown>, 'read'>;

const usual: ReadonlyMap<string, string> = new Map([
  ['integer', 'N'],
  ['list', 'LIST'],
  ['file', 'FILE'],
  ['time', 'TIME'],
  ['duration', 'DURATION'],
]);

function described(type: Omit<Readable<unknown>, 'parse'>, description: string, about: About = {}): Described {
  const { placeholder = usual.get(type.kind) ?? '', suggestions = [], question = description } = about;
  const several = type.kind === 'list' && type.choices !== undefined;
  const isUnclear = several || ['choice', 'integer', 'duration', 'time'].includes(type.kind);
  return {
    form: type.kind === 'choice' ? 'one' : several ? 'several' : 'text',
    ...{ question, description, placeholder, required: false, repeatable: false },
    choices: type.choices ?? suggestions,
    accepts: isUnclear ? type.accepts : null,
    kind: type.kind,
    isOutput: about.isOutput === true,
    shown: type.shown ?? ((text) => text),
    members: about.members ?? null,
    fills: about.fills ?? null,
    schema: about.schema ?? {},
  };
}

export const eventsParameter = toggle('Send webhook events (default: receivers do not get this change)');

export const idValue = integerValue({ min: 1, max: largestUnsigned });

/** Without an overlap the rotation revokes the old secret. */
export const overlapParameters = (what: string) => ({
  overlap: optional(durationValue, `How long ${what} (default: 0s)`),
});

export const withoutOverlap = {
  when: {
    says: 'Without --overlap',
    holds: ({ overlap = 0 }: { readonly overlap?: number | undefined }) => overlap === 0,
  },
};

/** The use case checks the value. */
export const anyText = textValue({ pattern: /^/ });

export const labelValue = textValue({
  accepts: 'a text of 1 to 100 characters without line breaks and other controls',
  pattern: /^(?=.*\S)\P{Cc}{1,100}$/u,
});

export const defaultRows = 50;

export const rowParameters = {
  limit: optional(integerValue({ min: 1, max: 100_000 }), `Maximum number of rows (default: ${defaultRows})`),
  offset: optional(integerValue({ min: 0, max: 1_000_000_000 }), 'Number of rows to skip (default: 0)'),
};

const globalValues = {
  database: optional(databaseUrlValue, 'Database: sqlite:PATH or mariadb://USER:PASS@HOST:PORT/DB', {
    placeholder: 'URL',
  }),
  config: optional(fileValue, 'Configuration file (default: ./hcd.toml)'),
  json: toggle('Print the result as one JSON object'),
  quiet: toggle('Print only results and errors, without notes and progress'),
  noColor: toggle('Print without color'),
  yes: toggle('Answer all questions with yes or their default'),
};

export const globalParameters = named(globalValues, 'flag');
export type GlobalFlags = Values<typeof globalValues>;

/** They replace the command, so they are read apart from the others. */
export const helpFlag = { flags: '-h, --help', description: 'Show help' };
export const versionFlag = { flags: '-V, --version', description: 'Show the version' };
