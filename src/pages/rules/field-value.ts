/** Reads the value of one field by its kind into its normal form; everything wrong with it is a problem with its path. */

import { isJsonObject, kindName, memberOf, objectOf } from '../../values/json.js';
import { readDataSource, readSchedule, readTableView } from './data-values.js';
import { type ValueKind, valueKindOf } from './field-types.js';
import { readEditorJs, readKeyValues, readLooseRows, readReference, readReferences } from './list-values.js';
import { readButton, readMap, readMedia, readMediaList, readVideo } from './media-values.js';
import { pageLimits } from './page-limits.js';
import type { PageProblems } from './page-problem.js';
import type { FieldDefinition } from './section-type.js';
import { readChoice, readChoices, readDateRange, readHtml, readPattern, readText, readUrl } from './text-values.js';
import type { ValueReading } from './value-reading.js';

/** Gives the normal form, or undefined after adding a problem. */
type ValueReader = (reading: ValueReading) => unknown;

/** Screen sizes of responsive values, the one that stands for all first. */
export const breakpoints = ['desktop', 'tablet', 'mobile'] as const;
export type Breakpoint = (typeof breakpoints)[number];

/** Members of `data` that every section may have beside its fields. */
const commonMembers = ['cssClass'];

/** The values of one level of fields in the order of the definition; a null value is the same as none. */
function readFieldValues(
  given: unknown,
  {
    fields,
    path,
    problems,
    extra = [],
  }: {
    readonly fields: readonly FieldDefinition[];
    readonly path: string;
    readonly problems: PageProblems;
    /** Texts that may stand beside the fields. */
    readonly extra?: readonly string[];
  },
): Readonly<Record<string, unknown>> {
  if (!isJsonObject(given)) {
    problems.add(path, `must be an object, not ${kindName(given)}`);
    return {};
  }
  const stored = storedFields(fields);
  const known = [...stored.map(({ name }) => name), ...extra];
  for (const name of Object.keys(given)) {
    if (!known.includes(name))
      problems.add(`${path}.${name.slice(0, 100)}`, `is not a field; known are ${known.join(', ')}`);
  }
  const values: [string, unknown][] = [];
  for (const field of stored) {
    const value = memberOf(given, field.name);
    if (value === undefined || value === null || problems.isFull) continue;
    const read = readFieldValue({ value, path: `${path}.${field.name}`, field, problems });
    if (read !== undefined) values.push([field.name, read]);
  }
  for (const name of extra) {
    const value = memberOf(given, name);
    if (value === undefined || value === null || stored.some((field) => field.name === name)) continue;
    const read = readExtra({ value, path: `${path}.${name}`, problems });
    if (read !== undefined) values.push([name, read]);
  }
  return Object.freeze(objectOf(values));
}

/** `data` of a section: its fields, and a class for its outermost element. */
export function readSectionData(
  given: unknown,
  reading: { readonly fields: readonly FieldDefinition[]; readonly path: string; readonly problems: PageProblems },
): Readonly<Record<string, unknown>> {
  return readFieldValues(given, { ...reading, extra: commonMembers });
}

/** The fields of a level that store a value: groups give way to their own fields, headings store nothing. */
export function storedFields(fields: readonly FieldDefinition[]): readonly FieldDefinition[] {
  return fields.flatMap((field) => {
    const kind = valueKindOf(field.type);
    if (kind === 'group') return storedFields(field.fields);
    return kind === 'nothing' ? [] : [field];
  });
}

/** One value, which is neither null nor missing. */
export function readFieldValue(reading: ValueReading): unknown {
  const { value, field, path, problems } = reading;
  if (!field.responsive || !isJsonObject(value)) return readers[valueKindOf(field.type)](reading);
  const sizes: [string, unknown][] = [];
  for (const name of Object.keys(value)) {
    if (!breakpoints.some((one) => one === name)) {
      problems.add(`${path}.${name.slice(0, 100)}`, `is not a screen size; known are ${breakpoints.join(', ')}`);
    }
  }
  for (const name of breakpoints) {
    const one = memberOf(value, name);
    if (one === undefined || one === null) continue;
    const read = readers[valueKindOf(field.type)]({ value: one, path: `${path}.${name}`, field, problems });
    if (read !== undefined) sizes.push([name, read]);
  }
  return Object.freeze(objectOf(sizes));
}

const readers: Readonly<Record<ValueKind, ValueReader>> = {
  text: (reading) => readText(reading, pageLimits.textCharacters),
  longText: (reading) => readText(reading, pageLimits.longTextCharacters),
  html: readHtml,
  number: readNumber,
  boolean: readBoolean,
  url: readUrl,
  slug: (reading) => readPattern(reading, 'slug'),
  email: (reading) => readPattern(reading, 'email'),
  choice: readChoice,
  choices: readChoices,
  date: (reading) => readPattern(reading, 'date'),
  time: (reading) => readPattern(reading, 'time'),
  datetime: (reading) => readPattern(reading, 'datetime'),
  dateRange: readDateRange,
  media: readMedia,
  mediaList: readMediaList,
  video: readVideo,
  map: readMap,
  button: readButton,
  rows: readRows,
  looseRows: readLooseRows,
  editorjs: readEditorJs,
  reference: readReference,
  references: readReferences,
  keyValues: readKeyValues,
  tableView: readTableView,
  dataSource: readDataSource,
  schedule: readSchedule,
  group: refuseValue,
  nothing: refuseValue,
};

function readNumber({ value, path, problems }: ValueReading): unknown {
  // -0 would come back as 0 from its JSON.
  if (typeof value === 'number' && Number.isFinite(value)) return value + 0;
  problems.add(path, `must be a number, not ${kindName(value)}`);
  return undefined;
}

function readBoolean({ value, path, problems }: ValueReading): unknown {
  if (typeof value === 'boolean') return value;
  problems.add(path, `must be true or false, not ${kindName(value)}`);
  return undefined;
}

/** Rows keep their `_rowId`, by which editors tell them apart. */
function readRows({ value, path, field, problems }: ValueReading): unknown {
  if (!Array.isArray(value)) {
    problems.add(path, `must be a list of rows, not ${kindName(value)}`);
    return undefined;
  }
  if (value.length > pageLimits.items) {
    problems.add(path, `must have at most ${pageLimits.items} rows`);
    return undefined;
  }
  return Object.freeze(
    value.map((row: unknown, at) =>
      readFieldValues(row, { fields: field.fields, path: `${path}[${at}]`, problems, extra: ['_rowId'] }),
    ),
  );
}

function readExtra({ value, path, problems }: Omit<ValueReading, 'field'>): unknown {
  if (typeof value === 'string' && /^[\w\- ]{0,200}$/.test(value)) return value;
  problems.add(path, 'must be a text of letters, digits, spaces, hyphens and underscores, at most 200 of them');
  return undefined;
}

function refuseValue({ path, problems }: ValueReading): unknown {
  problems.add(path, 'stores no value');
  return undefined;
}
