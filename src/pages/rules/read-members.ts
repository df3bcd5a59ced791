/** Readers of the members of definitions: known words only, texts of a form, lists without repetition. */
import { isJsonObject, type JsonObject, kindName } from '../../values/json.js';
import { pageLimits } from './page-limits.js';
import { type PageProblems, quoted } from './page-problem.js';
import { readText } from './text-values.js';

/** One member: its value (undefined when it is not there) and where it stands. */
export interface Member {
  readonly value: unknown;
  readonly path: string;
  readonly problems: PageProblems;
}

/** A form that a text must have. */
export interface TextForm {
  readonly pattern: RegExp;
  /** What it looks like, after "must be". */
  readonly says: string;
}

/** The object when it is one; unknown words are problems. */
export function readKnown(
  given: unknown,
  {
    path,
    problems,
    known,
  }: { readonly path: string; readonly problems: PageProblems; readonly known: readonly string[] },
): JsonObject | null {
  if (!isJsonObject(given)) {
    problems.add(path, `must be an object with the words ${known.join(', ')}; not ${kindName(given)}`);
    return null;
  }
  for (const name of Object.keys(given)) {
    const where = path === '' ? name.slice(0, 100) : `${path}.${name.slice(0, 100)}`;
    if (!known.includes(name)) problems.add(where, `is not a known word; known are ${known.join(', ')}`);
  }
  return given;
}

/** A text that must be there and not empty. */
export function readRequiredText(member: Member, form?: TextForm): string | undefined {
  const { value, path, problems } = member;
  if (value === undefined || value === '') {
    problems.add(path, 'is missing');
    return undefined;
  }
  const text = readText(member, pageLimits.textCharacters);
  if (text === undefined || !form || form.pattern.test(text)) return text;
  problems.add(path, `must be ${form.says}, not ${quoted(text)}`);
  return undefined;
}

/** A list of texts of the form, each once; empty when it is not there. */
export function readTexts(member: Member, form: TextForm): readonly string[] {
  const { path, problems } = member;
  const texts = readList(member).flatMap((one, at) => {
    if (typeof one === 'string' && form.pattern.test(one)) return [one];
    problems.add(`${path}[${at}]`, `must be ${form.says}`);
    return [];
  });
  return withoutRepetition(texts, member);
}

/** A list of whole numbers from 0, each once; empty when it is not there. */
export function readNumbers(member: Member): readonly number[] {
  const { path, problems } = member;
  const numbers = readList(member).flatMap((one, at) => {
    if (typeof one === 'number' && Number.isSafeInteger(one) && one >= 0) return [one + 0];
    problems.add(`${path}[${at}]`, 'must be a whole number from 0');
    return [];
  });
  return withoutRepetition(numbers, member);
}

function readList({ value, path, problems }: Member): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.length <= pageLimits.items) return value;
  problems.add(path, `must be a list of at most ${pageLimits.items}, not ${kindName(value)}`);
  return [];
}

function withoutRepetition<T>(list: readonly T[], { path, problems }: Member): readonly T[] {
  const once = new Set(list);
  if (once.size < list.length) problems.add(path, 'names something twice');
  return Object.freeze([...once]);
}
