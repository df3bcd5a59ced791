/**
 * What a command accepts: arguments and flags as data, each with the kind of its value. A parameter reads the texts
 * that were given on the command line and gives back a typed value or a refusal.
 */
import { integerValue, textValue, type ValueType } from '../src/config/value-type.js';
import type { Checked } from '../src/values/checked.js';

export interface Parameter<T> {
  readonly description: string;
  /** Word that stands for the value in help, null for a switch. */
  readonly placeholder: string | null;
  readonly required: boolean;
  /** A flag that may be given again, or an argument that takes all remaining words. */
  readonly repeatable: boolean;
  /** Words to offer on completion. */
  readonly choices: readonly string[];
  /** What help says about accepted values beyond the description; null when it says enough. */
  readonly accepts: string | null;
  /** The value is the path of a file: completion offers files. */
  readonly isFile: boolean;
  /** How its value is asked for: as a text, as one of some words, or as a choice of several. */
  readonly form: 'text' | 'one' | 'several';
  /** What is asked; the description where it says enough. */
  readonly question: string;
  readonly read: (texts: readonly string[]) => Checked<T>;
}

/** By name in camelCase; a flag `maxClicks` is written `--max-clicks`. The order is the order of help and arguments. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** The values that `run` gets for a set of parameters. */
export type Values<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never;
};

interface About {
  /** Upper-case word such as NAME or FILE. */
  readonly placeholder: string;
  readonly description: string;
  /** Words to offer on completion where the type does not list its values. */
  readonly suggestions?: readonly string[];
  /** What is asked when the value is missing, where the description does not do. */
  readonly question?: string;
}

/** A value that must be given. */
export function required<T>(type: ValueType<T>, about: About): Parameter<T> {
  return {
    ...described(type, about),
    required: true,
    repeatable: false,
    read: (texts) => (texts[0] === undefined ? { ok: false, problem: 'is required' } : type.parse(texts[0])),
  };
}

/** A value that may be left out, then undefined. */
export function optional<T>(type: ValueType<T>, about: About): Parameter<T | undefined> {
  return {
    ...described(type, about),
    required: false,
    repeatable: false,
    read: (texts) => (texts[0] === undefined ? { ok: true, value: undefined } : type.parse(texts[0])),
  };
}

/** Any number of values: a flag given several times, or all remaining arguments. */
export function repeated<T>(type: ValueType<T>, about: About): Parameter<readonly T[]> {
  return {
    ...described(type, about),
    required: false,
    repeatable: true,
    read(texts) {
      const values: T[] = [];
      for (const text of texts) {
        const parsed = type.parse(text);
        if (!parsed.ok) return parsed;
        values.push(parsed.value);
      }
      return { ok: true, value: Object.freeze(values) };
    },
  };
}

/** A flag without a value: true when given. */
export function toggle(description: string): Parameter<boolean> {
  return {
    description,
    placeholder: null,
    required: false,
    repeatable: false,
    choices: [],
    accepts: null,
    isFile: false,
    form: 'text',
    question: description,
    read: (texts) => ({ ok: true, value: texts.length > 0 }),
  };
}

/** `maxClicks` as it is typed: `--max-clicks`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Kinds whose accepted values the description or the placeholder rarely tells. */
const tellingKinds: ReadonlySet<string> = new Set(['choice', 'integer', 'duration', 'time']);

type Described = Omit<Parameter<unknown>, 'required' | 'repeatable' | 'read'>;

function described(type: Pick<ValueType<unknown>, 'kind' | 'choices' | 'accepts'>, about: About): Described {
  const isTelling = tellingKinds.has(type.kind) || (type.kind === 'list' && type.choices !== undefined);
  const several = type.kind === 'list' && type.choices !== undefined;
  const form = type.kind === 'choice' ? 'one' : several ? 'several' : 'text';
  return {
    form,
    question: about.question ?? about.description,
    description: about.description,
    placeholder: about.placeholder,
    choices: type.choices ?? about.suggestions ?? [],
    accepts: isTelling ? type.accepts : null,
    isFile: type.kind === 'file',
  };
}

/** Any text: the use case checks the value. */
export const anyText = textValue({ pattern: /^/ });

/** A name for people. */
export const labelValue = textValue({
  accepts: 'a text of 1 to 100 characters without line breaks and other controls',
  pattern: /^(?=.*\S)\P{Cc}{1,100}$/u,
});

export const defaultRows = 50;

/** Which rows of a long list are shown. */
export const rowParameters = {
  limit: optional(integerValue({ min: 1, max: 100_000 }), {
    placeholder: 'N',
    description: `Maximum number of rows (default: ${defaultRows})`,
  }),
  offset: optional(integerValue({ min: 0, max: 1_000_000_000 }), {
    placeholder: 'N',
    description: 'Number of rows to skip (default: 0)',
  }),
};
