/** Readers of objects, lists, texts and numbers in documents and definitions. */
import { isJsonObject, type JsonObject, kindName, memberOf, objectOf } from './json.js';

/** Unless a reader says otherwise. */
export const readerLimits = Object.freeze({ textCharacters: 2000, items: 500, members: 50 });

export interface Problems {
  add(path: string, message: string): void;
  /** Reported, but not a problem. */
  addRemoved?(path: string, removed: ReadonlySet<string>): void;
  readonly isFull?: boolean;
}

/** Undefined and null are no value. */
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

/** Cuts a long name: it comes from outside. */
export function memberReading({ path, problems }: Omit<Reading, 'value'>, object: JsonObject, name: string): Reading {
  const shown = name.slice(0, 100);
  return { value: memberOf(object, name), path: path === '' ? shown : `${path}.${shown}`, problems };
}

export function readKnown(reading: Reading, known: readonly string[], what = 'known'): JsonObject | undefined {
  const { value } = reading;
  if (!isJsonObject(value)) {
    return refuse(reading, `must be an object with ${known.join(', ')}; not ${kindName(value)}`);
  }
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    refuse(memberReading(reading, value, name), `is not ${what}; known are ${known.join(', ')}`);
  }
  return value;
}

/** In the order of the shape. Absent members get their default or are left out; without a `required` one: undefined. */
export function shapedObject<T extends object>(
  shape: Readonly<Record<string, Reader>>,
  {
    required = [],
    defaults = {},
  }: { readonly required?: readonly string[]; readonly defaults?: Readonly<Record<string, unknown>> } = {},
): Reader<T> {
  return (reading) => {
    const given = readKnown(reading, Object.keys(shape));
    if (!given) return undefined;
    const values = new Map<string, unknown>();
    for (const [name, read] of Object.entries(shape)) {
      const member = memberReading(reading, given, name);
      const value = member.value ?? defaults[name];
      const result = isAbsent(value) && !required.includes(name) ? undefined : read({ ...member, value });
      if (result !== undefined) values.set(name, result);
    }
    return required.every((name) => values.has(name)) ? (Object.freeze(objectOf(values)) as T) : undefined;
  };
}

export function namedMembers(
  { most = readerLimits.members, of, form }: { readonly most?: number; readonly of: string; readonly form: TextForm },
  read: Reader,
): Reader {
  return (reading) => {
    const { value } = reading;
    if (!isJsonObject(value) || Object.keys(value).length > most) {
      return refuse(reading, `must be an object of at most ${most} ${of}, not ${kindName(value)}`);
    }
    const members = Object.keys(value).map((name): [string, unknown] => {
      const member = memberReading(reading, value, name);
      if (!form.pattern.test(name)) refuse(member, `is not ${form.says}`);
      return [name, read(member)];
    });
    return Object.freeze(objectOf(members.filter(([, member]) => member !== undefined)));
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
    const items = value.map((one: unknown, at) => read({ value: one, path: `${path}[${at}]`, problems }));
    return Object.freeze(items.filter((item) => item !== undefined));
  };
}

export function uniqueList<T>(read: Reader<T>): (reading: Reading) => readonly T[] {
  const readList = listOf({ of: 'items' }, read);
  return (reading) => {
    const items = isAbsent(reading.value) ? [] : (readList(reading) ?? []);
    const once = new Set(items);
    if (once.size < items.length) refuse(reading, 'names something twice');
    return Object.freeze([...once]);
  };
}

export function readText(reading: Reading, longest: number = readerLimits.textCharacters): string | undefined {
  const { value } = reading;
  if (typeof value !== 'string') return refuse(reading, `must be a text, not ${kindName(value)}`);
  if (value.length > longest) return refuse(reading, `must have at most ${longest} characters`);
  // Half of a pair cannot be written as UTF-8, and would come back from a database as another character.
  if (/[\ud800-\udfff]/u.test(value) || value.includes('\0')) {
    return refuse(reading, 'must not have NUL characters or halves of surrogate pairs');
  }
  return value;
}

export interface TextForm {
  readonly pattern: RegExp;
  readonly says: string;
}

export function requiredText(form?: TextForm): Reader<string> {
  return (reading) => {
    if (reading.value === undefined || reading.value === '') return refuse(reading, 'is missing');
    const text = readText(reading);
    if (text === undefined || !form || form.pattern.test(text)) return text;
    return refuse(reading, `must be ${form.says}, not ${quoted(text)}`);
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
