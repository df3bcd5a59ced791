/**
 * Readers of the parts that documents and definitions consist of: objects of known members, texts, numbers, lists. A
 * reader gives the normal form of a value, or undefined after adding a problem.
 */
import { isJsonObject, type JsonObject, kindName, memberOf, objectOf } from '../../values/json.js';
import { pageLimits } from './page-limits.js';
import { type PageProblems, quoted } from './page-problem.js';

/** A value and its path; undefined and null are no value. */
export interface Reading {
  readonly value: unknown;
  readonly path: string;
  readonly problems: PageProblems;
}

/** Adds the problem. */
export function refuse({ path, problems }: Pick<Reading, 'path' | 'problems'>, message: string): undefined {
  problems.add(path, message);
  return undefined;
}

/** Whether there is no value: null is the same as a missing member. */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** The member of an object that stands at the path. A long name is cut: it comes from outside. */
export function memberReading({ path, problems }: Omit<Reading, 'value'>, object: JsonObject, name: string): Reading {
  const shown = name.slice(0, 100);
  return { value: memberOf(object, name), path: path === '' ? shown : `${path}.${shown}`, problems };
}

/** The object; each unknown member is a problem. */
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

/**
 * The object with the members of the shape alone, in its order. A member without a value gets its default or is left
 * out; `required` ones are read nevertheless, and without them there is no object.
 */
export function readObject<T extends object>(
  reading: Reading,
  shape: Readonly<Record<string, (member: Reading) => unknown>>,
  {
    required = [],
    defaults = {},
  }: { readonly required?: readonly string[]; readonly defaults?: Readonly<Record<string, unknown>> } = {},
): T | undefined {
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
}

/** The items that could be read; undefined for what is not a list, or too long. */
export function readItems<T>(
  reading: Reading,
  { most = pageLimits.items, of }: { readonly most?: number; readonly of: string },
  read: (item: Reading) => T | undefined,
): readonly T[] | undefined {
  const { value, path, problems } = reading;
  if (!Array.isArray(value)) return refuse(reading, `must be a list of at most ${most} ${of}, not ${kindName(value)}`);
  if (value.length > most) return refuse(reading, `must have at most ${most} ${of}`);
  const items = value.map((one: unknown, at) => read({ value: one, path: `${path}[${at}]`, problems }));
  return Object.freeze(items.filter((item) => item !== undefined));
}

/** The text as it is, when it is not longer than the bound. */
export function readText(reading: Reading, longest: number = pageLimits.textCharacters): string | undefined {
  const { value } = reading;
  if (typeof value !== 'string') return refuse(reading, `must be a text, not ${kindName(value)}`);
  if (value.length > longest) return refuse(reading, `must have at most ${longest} characters`);
  // Half of a pair cannot be written as UTF-8, and would come back from a database as another character.
  if (/[\ud800-\udfff]/u.test(value) || value.includes('\0')) {
    return refuse(reading, 'must not have NUL characters or halves of surrogate pairs');
  }
  return value;
}

/** A form that a text must have. */
export interface TextForm {
  readonly pattern: RegExp;
  /** What it looks like, after "must be". */
  readonly says: string;
}

/** A text that is not empty. */
export function readRequiredText(reading: Reading, form?: TextForm): string | undefined {
  if (reading.value === undefined || reading.value === '') return refuse(reading, 'is missing');
  const text = readText(reading);
  if (text === undefined || !form || form.pattern.test(text)) return text;
  return refuse(reading, `must be ${form.says}, not ${quoted(text)}`);
}

/** A list of texts of the form, each once; empty when it is not there. */
export function readTexts(reading: Reading, form: TextForm): readonly string[] {
  return readOnce(reading, (item) =>
    typeof item.value === 'string' && form.pattern.test(item.value) ? item.value : refuse(item, `must be ${form.says}`),
  );
}

/** A list of whole numbers from 0, each once; empty when it is not there. */
export function readNumbers(reading: Reading): readonly number[] {
  return readOnce(reading, (item) => readWhole(item, 0));
}

function readOnce<T>(reading: Reading, read: (item: Reading) => T | undefined): readonly T[] {
  const items = isAbsent(reading.value) ? [] : (readItems(reading, { of: 'items' }, read) ?? []);
  const once = new Set(items);
  if (once.size < items.length) refuse(reading, 'names something twice');
  return Object.freeze([...once]);
}

export function readWhole(reading: Reading, least: number, most = Number.MAX_SAFE_INTEGER): number | undefined {
  const { value } = reading;
  // -0 would come back as 0 from its JSON.
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value + 0;
  return refuse(
    reading,
    `must be a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`,
  );
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

/** One of the texts. */
export function readOneOf<T extends string>(reading: Reading, accepted: readonly T[]): T | undefined {
  return accepted.find((one) => one === reading.value) ?? refuse(reading, `must be one of: ${accepted.join(', ')}`);
}
