/** Reads the definition of a section type strictly. */
import { AppError } from '../../errors/app-error.js';
import { isWithinDepth, type JsonObject, memberOf, objectOf } from '../../values/json.js';
import {
  isAbsent,
  listOf,
  memberReading,
  type Reading,
  readBoolean,
  readKnown,
  readText,
  refuse,
  requiredText,
  shapedObject,
  textOf,
  uniqueList,
  wholeNumber,
} from '../../values/reading.js';
import { type FieldType, fieldTypeOf, fieldTypes, responsiveTypes, valueKindOf } from './field-types.js';
import { readFieldValue } from './field-value.js';
import { pageLimits } from './page-document.js';
import { PageProblems, type PageReading } from './page-problem.js';
import {
  type FieldDefinition,
  type FieldOption,
  type SectionType,
  type ShowWhen,
  storedFields,
  typeKeyForm,
} from './section-type.js';
import { compileTemplate } from './template-engine.js';
import { readSource } from './text-values.js';

/** Four levels of fields, each a list of objects, with options or crops inside. */
const deepestDefinition = 20;
const highestVersion = 1_000_000;

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

/** Only an editor's form needs these words; the catalogue delivers them as given. */
const formWords = ['tab', 'width', 'optionsSource', 'searchAction', 'crops', 'mask', 'currency', 'table_key'];
const words = [
  ...['name', 'type', 'label', 'required', 'active', 'responsive', 'description', 'default', 'options', 'showWhen'],
  ...['fields', 'columns', ...formWords],
];
const readName = requiredText({ pattern: /^[A-Za-z][A-Za-z0-9_]{0,63}$/, says: 'letters, digits and underscores' });

/** Names of prototype members, which are refused as data for templates and consumers. */
const reservedNames = ['constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf', 'cssClass'];

function readFields(reading: Reading): readonly FieldDefinition[] {
  const fields = readLevel(reading, 1);
  if (countFields(fields) > pageLimits.fields) {
    refuse(reading, `must have at most ${pageLimits.fields} fields, rows included`);
  }
  return fields;
}

function readLevel(reading: Reading, depth: number): readonly FieldDefinition[] {
  if (isAbsent(reading.value)) return [];
  if (depth > pageLimits.fieldDepth && Array.isArray(reading.value)) {
    refuse(reading, `must have at most ${pageLimits.fieldDepth} levels of fields`);
    return [];
  }
  const readList = listOf({ most: pageLimits.fields, of: 'fields' }, (item) => readField(item, depth));
  const fields = readList(reading) ?? [];
  checkLevel(fields, reading);
  return fields;
}

function readField(reading: Reading, depth: number): FieldDefinition | undefined {
  const given = readKnown(reading, words);
  if (!given) return undefined;
  const word = (name: string): Reading => memberReading(reading, given, name);
  const name = readName(word('name'));
  const type = readFieldType(word('type'));
  if (name !== undefined && reservedNames.includes(name)) refuse(word('name'), `${name} is reserved`);
  const label = readOptionalText(word('label')) ?? name ?? '';
  const required = readFlag(word('required'), false);
  const active = readFlag(word('active'), true);
  const responsive = readFlag(word('responsive'), false);
  const description = readOptionalText(word('description')) ?? '';
  const options = readOptions(word('options'));
  const showWhen = isAbsent(memberOf(given, 'showWhen')) ? undefined : readShowWhen(word('showWhen'));
  const nested = memberOf(given, 'fields') === undefined ? 'columns' : 'fields';
  const fields = readLevel(word(nested), depth + 1);
  if (name === undefined || type === undefined) return undefined;
  checkNesting({ type, fields }, word('fields'));
  if (responsive && !responsiveTypes.includes(type)) {
    refuse(word('responsive'), `is only for fields of the types ${responsiveTypes.join(', ')}`);
  }
  const base = { name, type, label, required, active, responsive, description, options, fields };
  const field = { ...base, form: formOf(given), ...(showWhen ? { showWhen } : {}) };
  const normal = readDefault(word('default'), field);
  return Object.freeze(normal === undefined ? field : { ...field, default: normal });
}

function readFieldType(reading: Reading): FieldType | undefined {
  const { value } = reading;
  if (value === undefined) return 'text';
  const type = typeof value === 'string' ? fieldTypeOf(value) : undefined;
  return type ?? refuse(reading, `must be one of: ${fieldTypes.join(', ')}`);
}

function readDefault(reading: Reading, field: FieldDefinition): unknown {
  const kind = valueKindOf(field.type);
  if (isAbsent(reading.value) || kind === 'group' || kind === 'nothing') return undefined;
  return readFieldValue({ ...reading, field });
}

function readOptions(reading: Reading): readonly FieldOption[] {
  if (isAbsent(reading.value)) return [];
  const options = listOf({ of: 'options' }, readOption)(reading) ?? [];
  if (new Set(options.map(({ value }) => value)).size < options.length) refuse(reading, 'names a value twice');
  return options;
}

const readOptionObject = shapedObject<{ value: string; label?: string }>(
  { value: readOptionText, label: readOptionText },
  { required: ['value'] },
);

function readOption(reading: Reading): FieldOption | undefined {
  const { value } = reading;
  if (typeof value === 'string') return Object.freeze({ value, label: value });
  const option = readOptionObject(reading);
  return option && Object.freeze({ value: option.value, label: option.label ?? option.value });
}

function readOptionText(reading: Reading): string | undefined {
  const { value } = reading;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (typeof value === 'string' && value.length <= pageLimits.textCharacters) return value;
  return refuse(reading, 'must be a text or a number');
}

const readCondition = shapedObject<{ field: string; value: ShowWhen['values'] }>(
  { field: requiredText(), value: readWanted },
  { required: ['field', 'value'] },
);

function readShowWhen(reading: Reading): ShowWhen | undefined {
  const read = readCondition(reading);
  return read && Object.freeze({ field: read.field, values: read.value });
}

function readWanted(reading: Reading): ShowWhen['values'] | undefined {
  const { value } = reading;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const plain = values.filter((one) => typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean');
  if (plain.length === values.length && plain.length > 0) return Object.freeze(plain);
  return refuse(reading, 'must be a text, a number, true or false, or a list of them');
}

function formOf(given: JsonObject): Readonly<Record<string, unknown>> {
  const kept = formWords.filter((word) => memberOf(given, word) !== undefined);
  return Object.freeze(objectOf(kept.map((word) => [word, memberOf(given, word)])));
}

function checkNesting({ type, fields }: Pick<FieldDefinition, 'type' | 'fields'>, reading: Reading): void {
  const kind = valueKindOf(type);
  const nests = kind === 'rows' || kind === 'group';
  if (nests && fields.length === 0) refuse(reading, `is missing: a field of the type ${type} has fields`);
  if (!nests && fields.length > 0) refuse(reading, `is not for fields of the type ${type}`);
}

function checkLevel(fields: readonly FieldDefinition[], { path, problems }: Reading): void {
  const names = storedFields(fields).map(({ name }) => name);
  for (const [at, name] of names.entries()) {
    if (names.indexOf(name) < at) problems.add(path, `the field ${name} is defined twice`);
  }
  for (const [at, { showWhen }] of fields.entries()) {
    if (showWhen && !names.includes(showWhen.field)) {
      problems.add(`${path}[${at}].showWhen.field`, `must be a field of the same level: ${names.join(', ')}`);
    }
  }
}

function countFields(fields: readonly FieldDefinition[]): number {
  return fields.reduce((sum, field) => sum + 1 + countFields(field.fields), 0);
}

/** Definitions of other editors have 0 and 1 as flags. */
function readFlag(reading: Reading, whenMissing: boolean): boolean {
  const { value } = reading;
  if (isAbsent(value)) return whenMissing;
  return value === 0 || value === 1 ? value === 1 : (readBoolean(reading) ?? whenMissing);
}

function readOptionalText(reading: Reading): string | undefined {
  return isAbsent(reading.value) ? undefined : readText(reading);
}
