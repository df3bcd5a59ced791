/**
 * Readers of values that name records or describe data to show: references, pairs, free rows, blocks of an editor,
 * tables, data sources, weekly schedules. Nothing here runs a query.
 */
import { isJsonObject, kindName, memberOf, objectOf, parseJson } from '../../values/json.js';
import { pageLimits } from './page-limits.js';
import {
  isAbsent,
  memberReading,
  type Reading,
  readItems,
  readKnown,
  readNumber,
  readObject,
  readOneOf,
  readText,
  readWhole,
  refuse,
} from './reading.js';
import { readHtml } from './text-values.js';

/** A number or key of a record. */
export function readReference(reading: Reading): string | number | undefined {
  const { value } = reading;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value + 0;
  if (typeof value === 'string') return readText(reading);
  return refuse(reading, `must be a number or key of a record, not ${kindName(value)}`);
}

/** Numbers or keys of records; their order is kept. */
export function readReferences(reading: Reading): unknown {
  return readItems(reading, { of: 'numbers or keys' }, readReference);
}

/** Pairs of `key` and `value`. */
export function readKeyValues(reading: Reading): unknown {
  const options = { required: ['key', 'value'], defaults: { key: '', value: '' } };
  return readItems(reading, { of: 'pairs' }, (pair) =>
    readObject(pair, { key: readLongText, value: readLongText }, options),
  );
}

export function readLongText(reading: Reading): string | undefined {
  return readText(reading, pageLimits.longTextCharacters);
}

/** Rows without declared columns: plain values by name, one level. */
export function readLooseRows(reading: Reading): unknown {
  return readItems(reading, { of: 'rows' }, (row) => {
    const { value } = row;
    if (!isJsonObject(value) || Object.keys(value).length > pageLimits.rules) {
      return refuse(row, `must be an object of at most ${pageLimits.rules} values, not ${kindName(value)}`);
    }
    const cells = Object.keys(value).map((name): [string, unknown] => {
      const cell = memberReading(row, value, name);
      if (!/^\w{1,100}$/.test(name)) refuse(cell, 'is not a name of letters and digits');
      return [name, readPlain(cell)];
    });
    return Object.freeze(objectOf(cells.filter(([, cell]) => cell !== undefined)));
  });
}

function readPlain(reading: Reading): unknown {
  const { value } = reading;
  if (typeof value === 'string') return readLongText(reading);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return readNumber(reading);
  return refuse(reading, `must be a text, a number, true or false, not ${kindName(value)}`);
}

/** What a block editor saves: its blocks as JSON, and the HTML it made of them, sanitised. */
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

/** Rows that one look-up may bring. */
const mostRows = 100;
const readLimit = (reading: Reading): number | undefined => readWhole(reading, 1, mostRows);

/** A stored table by its key. */
export function readTableView(reading: Reading): unknown {
  return readObject(reading, { table_key: readName, limit: readLimit }, { required: ['table_key'] });
}

/** What to look for and where. A closed grammar: no key can carry code or a query. */
export function readDataSource(reading: Reading): unknown {
  const shape = {
    provider: (member: Reading) => readOneOf(member, ['resources', 'tables', 'shop']),
    table: readName,
    filters: (member: Reading) => readItems(member, { most: pageLimits.rules, of: 'filters' }, readFilter),
    sort: (member: Reading) => readItems(member, { most: pageLimits.rules, of: 'sorts' }, readSort),
    search: readText,
    limit: readLimit,
  };
  return readObject(reading, shape, { required: ['provider'] });
}

const operators = ['eq', 'contains', 'in', 'gte', 'lte', 'between', 'empty', 'not_empty'];

function readFilter(reading: Reading): unknown {
  const shape = {
    field: readName,
    op: (member: Reading) => readOneOf(member, operators),
    value: readFilterValue,
  };
  return readObject(reading, shape, { required: ['field', 'op'] });
}

function readFilterValue(reading: Reading): unknown {
  const values: readonly unknown[] = Array.isArray(reading.value) ? reading.value : [reading.value];
  const isPlain = values.every((one) => isAbsent(one) || ['string', 'number', 'boolean'].includes(typeof one));
  if (isPlain && values.length <= pageLimits.rules) return reading.value;
  return refuse(reading, `must be a text, a number or a list of at most ${pageLimits.rules} of them`);
}

function readSort(reading: Reading): unknown {
  const shape = { field: readName, direction: (member: Reading) => readOneOf(member, ['asc', 'desc']) };
  return readObject(reading, shape, { required: ['field'], defaults: { direction: 'asc' } });
}

function readName(reading: Reading): string | undefined {
  const { value } = reading;
  if (typeof value === 'string' && /^[\w.-]{1,100}$/.test(value)) return value;
  return refuse(reading, 'must be a name of letters, digits, dots, hyphens and underscores');
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const openTime = /^([01]\d|2[0-3]):[0-5]\d-(([01]\d|2[0-3]):[0-5]\d|24:00)$/;

/** Hours of a week. Stored as a JSON text, as editors of the form expect it. */
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
