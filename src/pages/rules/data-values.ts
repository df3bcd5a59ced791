/** Readers of values that name records or describe data. Nothing here runs a query. */
import { isJsonObject, kindName, memberOf, parseJson } from '../../values/json.js';
import {
  isAbsent,
  listOf,
  memberReading,
  namedMembers,
  nameForm,
  oneOf,
  type Reader,
  type Reading,
  readKnown,
  readNumber,
  readText,
  refuse,
  shapedObject,
  textOf,
  wholeNumber,
} from '../../values/reading.js';
import { pageLimits } from './page-limits.js';
import { readHtml } from './text-values.js';

export function readReference(reading: Reading): string | number | undefined {
  const { value } = reading;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value + 0;
  if (typeof value === 'string') return readText(reading);
  return refuse(reading, `must be a number or key of a record, not ${kindName(value)}`);
}

export const readReferences = listOf({ of: 'numbers or keys' }, readReference);

export const readLongText: Reader<string> = (reading) => readText(reading, pageLimits.longTextCharacters);

export const readKeyValues = listOf(
  { of: 'pairs' },
  shapedObject(
    { key: readLongText, value: readLongText },
    { required: ['key', 'value'], defaults: { key: '', value: '' } },
  ),
);

const cellName = { pattern: /^\w{1,100}$/, says: 'a name of letters and digits' };

/** Plain values by name, one level, without declared columns. */
export const readLooseRows = listOf({ of: 'rows' }, namedMembers({ of: 'values', form: cellName }, readPlain));

function readPlain(reading: Reading): unknown {
  const { value } = reading;
  if (typeof value === 'string') return readLongText(reading);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return readNumber(reading);
  return refuse(reading, `must be a text, a number, true or false, not ${kindName(value)}`);
}

/** Blocks as JSON, and their HTML, sanitised. */
export function readEditorJs(reading: Reading): unknown {
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

export const readTableView = shapedObject({ table_key: readName, limit: readLimit }, { required: ['table_key'] });

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
export const readDataSource = shapedObject(
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
export function readSchedule(reading: Reading): unknown {
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
