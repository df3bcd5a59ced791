/** Reads the value of one field by its kind into its normal form. */

import { isJsonObject, kindName, memberOf, objectOf, parseJson } from '../../values/json.js';
import {
  isAbsent,
  listOf,
  memberReading,
  namedMembers,
  nameForm,
  oneOf,
  type Reader,
  type Reading,
  readBoolean,
  readKnown,
  readNumber,
  readText,
  refuse,
  shapedObject,
  textOf,
  wholeNumber,
} from '../../values/reading.js';
import { type ValueKind, valueKindOf } from './field-types.js';
import { readButton, readMap, readMedia, readMediaList, readVideo } from './media-values.js';
import { pageLimits } from './page-document.js';
import { type FieldDefinition, storedFields } from './section-type.js';
import {
  patternReader,
  readChoice,
  readChoices,
  readDateRange,
  readHtml,
  readUrl,
  type ValueReading,
} from './text-values.js';

/** Screen sizes of responsive values, the largest first. */
export const breakpoints = ['desktop', 'tablet', 'mobile'] as const;

export function readSectionData(
  reading: Reading,
  fields: readonly FieldDefinition[],
): Readonly<Record<string, unknown>> {
  return readFieldValues(reading, { fields, extra: 'cssClass' }) ?? {};
}

const readExtra = textOf({
  pattern: /^[\w\- ]{0,200}$/,
  says: 'a text of letters, digits, spaces, hyphens and underscores, at most 200 of them',
});

function readFieldValues(
  reading: Reading,
  { fields, extra }: { readonly fields: readonly FieldDefinition[]; readonly extra: string },
): Readonly<Record<string, unknown>> | undefined {
  const stored = storedFields(fields);
  const names = stored.map(({ name }) => name);
  const given = readKnown(reading, [...names, extra], 'a field');
  if (!given) return undefined;
  const readers: (readonly [name: string, read: (member: Reading) => unknown])[] = stored.map((field) => [
    field.name,
    (member) => readFieldValue({ ...member, field }),
  ]);
  if (!names.includes(extra)) readers.push([extra, readExtra]);
  const values: [string, unknown][] = [];
  for (const [name, read] of readers) {
    const member = memberReading(reading, given, name);
    if (isAbsent(member.value) || reading.problems.isFull) continue;
    const value = read(member);
    if (value !== undefined) values.push([name, value]);
  }
  return Object.freeze(objectOf(values));
}

/** The value is neither null nor missing. */
export function readFieldValue(reading: ValueReading): unknown {
  const { value, field } = reading;
  const read = readers[valueKindOf(field.type)];
  if (!field.responsive || !isJsonObject(value)) return read(reading);
  const given = readKnown(reading, breakpoints, 'a screen size');
  const sizes = breakpoints.flatMap((name): [string, unknown][] => {
    const member = memberReading(reading, given ?? {}, name);
    const size = isAbsent(member.value) ? undefined : read({ ...member, field });
    return size === undefined ? [] : [[name, size]];
  });
  return Object.freeze(objectOf(sizes));
}

/** Rows keep their `_rowId`, by which editors recognise them. */
function readRows({ field, ...reading }: ValueReading): unknown {
  const readRow = (row: Reading) => readFieldValues(row, { fields: field.fields, extra: '_rowId' });
  return listOf({ of: 'rows' }, readRow)(reading);
}

function refuseValue(reading: Reading): unknown {
  return refuse(reading, 'stores no value');
}

/** Readers of values that name records or describe data. Nothing here runs a query. */
function readReference(reading: Reading): string | number | undefined {
  const { value } = reading;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value + 0;
  if (typeof value === 'string') return readText(reading);
  return refuse(reading, `must be a number or key of a record, not ${kindName(value)}`);
}

const readReferences = listOf({ of: 'numbers or keys' }, readReference);

const readLongText: Reader<string> = (reading) => readText(reading, pageLimits.longTextCharacters);

const readKeyValues = listOf(
  { of: 'pairs' },
  shapedObject(
    { key: readLongText, value: readLongText },
    { required: ['key', 'value'], defaults: { key: '', value: '' } },
  ),
);

const cellName = { pattern: /^\w{1,100}$/, says: 'a name of letters and digits' };

/** Plain values by name, one level, without declared columns. */
const readLooseRows = listOf({ of: 'rows' }, namedMembers({ of: 'values', form: cellName }, readPlain));

function readPlain(reading: Reading): unknown {
  const { value } = reading;
  if (typeof value === 'string') return readLongText(reading);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return readNumber(reading);
  return refuse(reading, `must be a text, a number, true or false, not ${kindName(value)}`);
}

function readEditorJs(reading: Reading): unknown {
  const given = readKnown(reading, ['json', 'html']);
  if (!given) return undefined;
  const html = readHtml({ ...memberReading(reading, given, 'html'), value: memberOf(given, 'html') ?? '' });
  const json = memberOf(given, 'json') ?? null;
  if (typeof json === 'number' || typeof json === 'boolean') {
    refuse(memberReading(reading, given, 'json'), 'must be an object, a list or a text');
  }
  // A copy that is exactly what its JSON says.
  return html === undefined ? undefined : Object.freeze({ json: parseJson(JSON.stringify(json)), html });
}

const readName = textOf(nameForm);
const readLimit = wholeNumber(1, 100);

const readTableView = shapedObject({ table_key: readName, limit: readLimit }, { required: ['table_key'] });

const readOperator = oneOf('eq', 'contains', 'in', 'gte', 'lte', 'between', 'empty', 'not_empty');
const readFilter = shapedObject(
  { field: readName, op: readOperator, value: readFilterValue },
  { required: ['field', 'op'] },
);
const readSort = shapedObject(
  { field: readName, direction: oneOf('asc', 'desc') },
  { required: ['field'], defaults: { direction: 'asc' } },
);

/** Its grammar is closed: no key can contain code or a query. */
const readDataSource = shapedObject(
  {
    provider: oneOf('resources', 'tables', 'shop'),
    table: readName,
    filters: listOf({ most: pageLimits.rules, of: 'filters' }, readFilter),
    sort: listOf({ most: pageLimits.rules, of: 'sorts' }, readSort),
    search: readText,
    limit: readLimit,
  },
  { required: ['provider'] },
);

function readFilterValue(reading: Reading): unknown {
  const values: readonly unknown[] = Array.isArray(reading.value) ? reading.value : [reading.value];
  const isPlain = values.every((one) => isAbsent(one) || ['string', 'number', 'boolean'].includes(typeof one));
  if (isPlain && values.length <= pageLimits.rules) return reading.value;
  return refuse(reading, `must be a text, a number or a list of at most ${pageLimits.rules} of them`);
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const openTime = /^([01]\d|2[0-3]):[0-5]\d-(([01]\d|2[0-3]):[0-5]\d|24:00)$/;

/** Stored as a JSON text, as editors of the form expect it. */
function readSchedule(reading: Reading): unknown {
  const text = readText(reading);
  if (text === undefined || text.trim() === '') return text?.trim();
  const given = parseJson(text);
  if (!isJsonObject(given)) {
    return refuse(reading, 'must be a JSON text of an object: weekdays with lists of HH:MM-HH:MM');
  }
  for (const [day, hours] of Object.entries(given)) {
    const isList = Array.isArray(hours) && hours.every((one) => typeof one === 'string' && openTime.test(one));
    if (!isDay(day)) {
      refuse(reading, `must name weekdays: ${weekdays.join(', ')}, their first three letters, or 1 to 7`);
    }
    if (!isList) refuse(reading, 'must have a list of HH:MM-HH:MM for each weekday');
  }
  return text;
}

function isDay(name: string): boolean {
  return weekdays.some((day) => name === day || name === day.slice(0, 3)) || /^[1-7]$/.test(name);
}

const readers: Readonly<Record<ValueKind, (reading: ValueReading) => unknown>> = {
  text: (reading) => readText(reading),
  longText: readLongText,
  html: readHtml,
  number: readNumber,
  boolean: readBoolean,
  url: readUrl,
  slug: patternReader('slug'),
  email: patternReader('email'),
  choice: readChoice,
  choices: readChoices,
  date: patternReader('date'),
  time: patternReader('time'),
  datetime: patternReader('datetime'),
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
