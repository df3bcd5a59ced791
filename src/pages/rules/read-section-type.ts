/** Reads the definition of a section type strictly. */
import { AppError } from '../../errors/app-error.js';
import { isWithinDepth } from '../../values/json.js';
import {
  type Reading,
  readText,
  refuse,
  requiredText,
  shapedObject,
  textOf,
  uniqueList,
  wholeNumber,
} from '../../values/reading.js';
import { pageLimits } from './page-limits.js';
import { PageProblems, type PageReading } from './page-problem.js';
import { readFields } from './read-fields.js';
import { type SectionType, typeKeyForm } from './section-type.js';
import { compileTemplate } from './template-engine.js';
import { readSource } from './text-values.js';

/** Four levels of fields, each a list of objects, with options or crops inside. */
const deepestDefinition = 20;
const highestVersion = 1_000_000;

/** As `hcd section-type import` takes it. */
export function readSectionType(given: unknown): PageReading<SectionType> {
  const problems = new PageProblems();
  const type = readType({ value: given, path: '', problems });
  return { value: problems.any ? null : (type ?? null), problems: problems.list() };
}

export function readSectionTypes(given: unknown): PageReading<readonly SectionType[]> {
  const problems = new PageProblems();
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  const path = (at: number): string => (Array.isArray(given) ? `[${at}]` : '');
  const types = list.flatMap((value, at) => readType({ value, path: path(at), problems }) ?? []);
  const keys = types.map(({ key }) => key);
  for (const [at, key] of keys.entries()) {
    if (keys.indexOf(key) < at) problems.add(path(at), `the key ${key} is defined twice`);
  }
  return { value: problems.any ? null : Object.freeze(types), problems: problems.list() };
}

const categoryForm = { pattern: typeKeyForm, says: 'a name such as content' };
const keyForm = { pattern: typeKeyForm, says: 'lower-case letters, digits, hyphens and underscores' };

const readNumbers = uniqueList(wholeNumber(0));
const readContexts = uniqueList(textOf({ pattern: /^[\w-]{1,100}$/, says: 'the key of a context' }));
const readAvailability = shapedObject(
  { templates: readNumbers, parents: readNumbers, resources: readNumbers, contexts: readContexts },
  { defaults: { templates: [], parents: [], resources: [], contexts: [] } },
);

const readObject = shapedObject<SectionType>(
  {
    key: requiredText(keyForm),
    version: wholeNumber(1, highestVersion),
    label: requiredText(),
    category: requiredText(categoryForm),
    categories: uniqueList(textOf(categoryForm)),
    fields: readFields,
    template: readTemplate,
    availability: readAvailability,
    thumbnail: readSource,
  },
  {
    required: ['key', 'label', 'category', 'template'],
    defaults: { version: 1, categories: [], fields: [], availability: {}, thumbnail: '' },
  },
);

function readType(reading: Reading): SectionType | undefined {
  if (!isWithinDepth(reading.value, deepestDefinition)) {
    return refuse(reading, `must have at most ${deepestDefinition} lists and objects in one another`);
  }
  const type = readObject(reading);
  if (!type) return undefined;
  return Object.freeze({ ...type, categories: Object.freeze([...new Set([type.category, ...type.categories])]) });
}

function readTemplate(reading: Reading): string | undefined {
  if (reading.value === undefined) return refuse(reading, 'is missing');
  const text = readText(reading, pageLimits.templateCharacters);
  if (text === undefined) return undefined;
  try {
    compileTemplate(text);
    return text;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refuse(reading, error.message);
  }
}
