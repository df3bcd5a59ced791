/** Reads the definition of a section type strictly: every unknown word and wrong value is a problem with its path. */
import { AppError } from '../../errors/app-error.js';
import { isWithinDepth, kindName, memberOf } from '../../values/json.js';
import { pageLimits } from './page-limits.js';
import { PageProblems, type PageReading } from './page-problem.js';
import { readFields } from './read-fields.js';
import { readKnown, readNumbers, readRequiredText, readTexts } from './read-members.js';
import { safeSource } from './safe-url.js';
import type { Availability, SectionType } from './section-type.js';
import { compileTemplate } from './template-engine.js';
import { readText } from './text-values.js';

const typeWords = [
  'key',
  'version',
  'label',
  'category',
  'categories',
  'fields',
  'template',
  'availability',
  'thumbnail',
];
/** Four levels of fields, each a list of objects, with options or crops inside. */
const deepestDefinition = 20;
const keyPattern = /^_?[a-z][a-z0-9_-]{0,99}$/;

/** One definition, as `hcd section-type import` takes it. */
export function readSectionType(given: unknown): PageReading<SectionType> {
  const problems = new PageProblems();
  const type = readType(given, { path: '', problems });
  return { value: problems.any ? null : type, problems: problems.list() };
}

/** One definition or a list of them, each key once. */
export function readSectionTypes(given: unknown): PageReading<readonly SectionType[]> {
  const problems = new PageProblems();
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  const path = (at: number): string => (Array.isArray(given) ? `[${at}]` : '');
  const types = list.flatMap((one, at) => readType(one, { path: path(at), problems }) ?? []);
  const keys = types.map(({ key }) => key);
  for (const [at, key] of keys.entries()) {
    if (keys.indexOf(key) < at) problems.add(path(at), `the key ${key} is defined twice`);
  }
  return { value: problems.any ? null : Object.freeze(types), problems: problems.list() };
}

function readType(given: unknown, at: { readonly path: string; readonly problems: PageProblems }): SectionType | null {
  const { path, problems } = at;
  if (!isWithinDepth(given, deepestDefinition)) {
    problems.add(path, `must have at most ${deepestDefinition} lists and objects in one another`);
    return null;
  }
  const words = readKnown(given, { ...at, known: typeWords });
  if (!words) return null;
  const word = (name: string) => ({ value: memberOf(words, name), path: join(path, name), problems });
  const key = readRequiredText(word('key'), {
    pattern: keyPattern,
    says: 'lower-case letters, digits, hyphens and underscores',
  });
  const version = readVersion(word('version'));
  const label = readRequiredText(word('label'));
  const category = readRequiredText(word('category'), { pattern: keyPattern, says: 'a name such as content' });
  const more = readTexts(word('categories'), { pattern: keyPattern, says: 'a name such as content' });
  const fields = readFields(word('fields'));
  const template = readTemplate(word('template'));
  const availability = readAvailability(word('availability'));
  const thumbnail = readThumbnail(word('thumbnail'));
  if (key === undefined || label === undefined || category === undefined || template === undefined) return null;
  const categories = Object.freeze([...new Set([category, ...more])]);
  return Object.freeze({ key, version, label, category, categories, fields, template, availability, thumbnail });
}

interface Word {
  readonly value: unknown;
  readonly path: string;
  readonly problems: PageProblems;
}

function readVersion({ value, path, problems }: Word): number {
  if (value === undefined) return 1;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 1_000_000) return value;
  problems.add(path, 'must be a whole number from 1');
  return 1;
}

function readTemplate(word: Word): string | undefined {
  const { value, path, problems } = word;
  if (value === undefined) {
    problems.add(path, 'is missing');
    return undefined;
  }
  const text = readText(word, pageLimits.templateCharacters);
  if (text === undefined) return undefined;
  try {
    compileTemplate(text);
    return text;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    problems.add(path, error.message);
    return undefined;
  }
}

function readAvailability({ value, path, problems }: Word): Availability {
  const lists = ['templates', 'parents', 'resources'] as const;
  const words = value === undefined ? {} : readKnown(value, { path, problems, known: [...lists, 'contexts'] });
  const list = (name: string) => ({
    value: words ? memberOf(words, name) : undefined,
    path: join(path, name),
    problems,
  });
  const [templates, parents, resources] = lists.map((name) => readNumbers(list(name)));
  const contexts = readTexts(list('contexts'), { pattern: /^[\w-]{1,100}$/, says: 'the key of a context' });
  return Object.freeze({ templates: templates ?? [], parents: parents ?? [], resources: resources ?? [], contexts });
}

function readThumbnail(word: Word): string {
  const { value, path, problems } = word;
  if (value === undefined || value === '') return '';
  const text = readText(word, pageLimits.textCharacters);
  const address = text === undefined ? '' : safeSource(text);
  if (address === null)
    problems.add(path, `must be a relative address or one of http or https, not ${kindName(value)}`);
  return address ?? '';
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
