/** Readers of objects, lists, texts and numbers in documents and definitions. */
import { isJsonObject, type JsonObject, kindName, memberOf, objectOf } from './json.js';
import { isStorable } from './text.js';

export const readerLimits = Object.freeze({ textCharacters: 2000, items: 500, members: 50 });

export interface Problems {
  /** `part`: what is wrong is not the value but its name. */
  add(path: string, message: string, part?: 'name'): void;
  /** Reported, but not a problem. */
  addRemoved?(path: string, removed: ReadonlySet<string>): void;
  readonly isFull?: boolean;
}

export interface Reading {
  readonly value: unknown;
  readonly path: string;
  readonly problems: Problems;
}

/** Returns the normal form of a value, or undefined after adding a problem. */
export type Reader<T = unknown> = (reading: Reading) => T | undefined;

export function refuse({ path, problems }: Pick<Reading, 'path' | 'problems'>, message: string): undefined {
  problems.add(path, message);
  return undefined;
}

/** Null is the same as a missing member. */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

export function memberReading({ path, problems }: Omit<Reading, 'value'>, object: JsonObject, name: string): Reading {
  return { value: memberOf(object, name), path: pathBelow(path, name), problems };
}

/** Cuts a long name: it comes from outside. */
export function pathBelow(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  const shown = step.slice(0, 100);
  return path === '' ? shown : `${path}.${shown}`;
}

export function readKnown(reading: Reading, known: readonly string[], what = 'known'): JsonObject | undefined {
  const { value } = reading;
  if (!isJsonObject(value)) {
    return refuse(reading, `must be an object with ${known.join(', ')}; not ${kindName(value)}`);
  }
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    reading.problems.add(pathBelow(reading.path, name), `is not ${what}; known are ${known.join(', ')}`, 'name');
  }
  return value;
}

interface Shaping {
  readonly required?: readonly string[];
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Null is a value, which most readers refuse. */
  readonly hasNull?: boolean;
}

/** In the order of the shape. Absent members get their default or are left out; without a `required` one: undefined. */
export function shapedObject<T extends object>(
  shape: Readonly<Record<string, Reader>>,
  { required = [], defaults = {}, hasNull = false }: Shaping = {},
): Reader<T> {
  return (reading) => {
    const given = readKnown(reading, Object.keys(shape));
    if (!given) return undefined;
    const values = new Map<string, unknown>();
    for (const [name, read] of Object.entries(shape)) {
      const member = memberReading(reading, given, name);
      const isMissing = hasNull ? member.value === undefined : isAbsent(member.value);
      const value = isMissing ? defaults[name] : member.value;
      const isLeftOut = isMissing && isAbsent(value) && !required.includes(name);
      const result = isLeftOut ? undefined : read({ ...member, value });
      if (result !== undefined) values.set(name, result);
    }
    return required.every((name) => values.has(name)) ? (Object.freeze(objectOf(values)) as T) : undefined;
  };
}

export function namedMembers<T>(
  { most = readerLimits.members, of, form }: { readonly most?: number; readonly of: string; readonly form: TextForm },
  read: Reader<T>,
): Reader<Readonly<Record<string, T>>> {
  return (reading) => {
    const { value, path, problems } = reading;
    if (!isJsonObject(value) || Object.keys(value).length > most) {
      return refuse(reading, `must be an object of at most ${most} ${of}, not ${kindName(value)}`);
    }
    const members = Object.keys(value).flatMap((name): [string, T][] => {
      const problem = form.pattern.test(name) ? form.reserved?.(name) : `is not ${form.says}`;
      if (problem !== undefined) problems.add(pathBelow(path, name), problem, 'name');
      const member = read(memberReading(reading, value, name));
      return member === undefined ? [] : [[name, member]];
    });
    return Object.freeze(Object.fromEntries(members));
  };
}

/** Leaves out unreadable items; undefined for what is not a list, or too long. */
export function listOf<T>(
  { most = readerLimits.items, of }: { readonly most?: number; readonly of: string },
  read: Reader<T>,
): Reader<readonly T[]> {
  return (reading) => {
    const { value, path, problems } = reading;
    if (!Array.isArray(value)) {
      return refuse(reading, `must be a list of at most ${most} ${of}, not ${kindName(value)}`);
    }
    if (value.length > most) return refuse(reading, `must have at most ${most} ${of}`);
    const items = value.map((one: unknown, at) => read({ value: one, path: pathBelow(path, at), problems }));
    return Object.freeze(items.filter((item) => item !== undefined));
  };
}

export function uniqueList<T>(
  read: Reader<T>,
  { most, of }: { readonly most?: number; readonly of: string } = { of: 'items' },
): (reading: Reading) => readonly T[] {
  const readList = listOf({ ...(most === undefined ? {} : { most }), of }, read);
  return (reading) => {
    const items = readList(reading) ?? [];
    for (const [at, item] of items.entries()) {
      if (items.indexOf(item) < at) refuse({ ...reading, path: pathBelow(reading.path, at) }, 'is listed twice');
    }
    return Object.freeze([...new Set(items)]);
  };
}

export function readText(reading: Reading, longest: number = readerLimits.textCharacters): string | undefined {
  const { value } = reading;
  if (typeof value !== 'string') return refuse(reading, `must be a text, not ${kindName(value)}`);
  if (value.length > longest) return refuse(reading, `must have at most ${longest} characters`);
  if (!isStorable(value)) return refuse(reading, 'must not have NUL characters or halves of surrogate pairs');
  return value;
}

export interface TextForm {
  readonly pattern: RegExp;
  readonly says: string;
  /** Why a text of the form is refused. */
  readonly reserved?: (text: string) => string | undefined;
}

export function requiredText(form?: TextForm): Reader<string> {
  return (reading) => {
    if (reading.value === undefined || reading.value === '') return refuse(reading, 'is missing');
    const text = readText(reading);
    if (text === undefined || !form) return text;
    const problem = form.pattern.test(text) ? form.reserved?.(text) : `must be ${form.says}, not ${quoted(text)}`;
    return problem === undefined ? text : refuse(reading, problem);
  };
}

export const nameForm = {
  pattern: /^[\w.-]{1,100}$/,
  says: 'a name of letters, digits, dots, hyphens and underscores',
};

/** A refusal does not repeat the text. */
export function textOf({ pattern, says }: TextForm): Reader<string> {
  return (reading) => {
    const { value } = reading;
    return typeof value === 'string' && pattern.test(value) ? value : refuse(reading, `must be ${says}`);
  };
}

export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): Reader<number> {
  const upTo = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`;
  return (reading) => {
    const { value } = reading;
    // -0 would come back as 0 from its JSON.
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value + 0;
    return refuse(reading, `must be a whole number from ${least}${upTo}`);
  };
}

export function readNumber(reading: Reading): number | undefined {
  const { value } = reading;
  if (typeof value === 'number' && Number.isFinite(value)) return value + 0;
  return refuse(reading, `must be a number, not ${kindName(value)}`);
}

export function readBoolean(reading: Reading): boolean | undefined {
  const { value } = reading;
  return typeof value === 'boolean' ? value : refuse(reading, `must be true or false, not ${kindName(value)}`);
}

export function oneOf<T extends string>(...accepted: readonly T[]): Reader<T> {
  return (reading) =>
    accepted.find((one) => one === reading.value) ?? refuse(reading, `must be one of: ${accepted.join(', ')}`);
}

export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
