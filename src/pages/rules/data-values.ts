/** Readers of values that describe data to show: tables, data sources, weekly schedules. Nothing here runs a query. */
import { isJsonObject, type JsonObject, kindName, memberOf, objectOf, parseJson } from '../../values/json.js';
import { pageLimits } from './page-limits.js';
import { readText } from './text-values.js';
import type { ValueReading } from './value-reading.js';

type Reading = Omit<ValueReading, 'field'>;

const providers = ['resources', 'tables', 'shop'];
const operators = ['eq', 'contains', 'in', 'gte', 'lte', 'between', 'empty', 'not_empty'];

/** Rows that one look-up may bring. */
const mostRows = 100;

/** A stored table by its key. */
export function readTableView(reading: ValueReading): unknown {
  const { path, problems } = reading;
  const given = readMembers(reading, ['table_key', 'limit']);
  if (!given) return undefined;
  const key = readName({ value: memberOf(given, 'table_key'), path: `${path}.table_key`, problems });
  const limit = readLimit({ value: memberOf(given, 'limit'), path: `${path}.limit`, problems });
  return key === undefined ? undefined : Object.freeze(objectOf(Object.entries({ table_key: key, ...limit })));
}

/** What to look for and where. A closed grammar: no key can carry code or a query of its own. */
export function readDataSource(reading: ValueReading): unknown {
  const { path, problems } = reading;
  const given = readMembers(reading, ['provider', 'table', 'filters', 'sort', 'search', 'limit']);
  if (!given) return undefined;
  const provider = memberOf(given, 'provider');
  if (!providers.some((one) => one === provider))
    problems.add(`${path}.provider`, `must be one of: ${providers.join(', ')}`);
  const table = memberOf(given, 'table');
  const search = memberOf(given, 'search');
  const pairs: [string, unknown][] = [['provider', provider]];
  if (table !== undefined && table !== null)
    pairs.push(['table', readName({ value: table, path: `${path}.table`, problems })]);
  pairs.push([
    'filters',
    readList({ value: memberOf(given, 'filters'), path: `${path}.filters`, problems }, readFilter),
  ]);
  pairs.push(['sort', readList({ value: memberOf(given, 'sort'), path: `${path}.sort`, problems }, readSort)]);
  if (search !== undefined && search !== null) {
    pairs.push(['search', readText({ value: search, path: `${path}.search`, problems }, pageLimits.textCharacters)]);
  }
  pairs.push(...Object.entries(readLimit({ value: memberOf(given, 'limit'), path: `${path}.limit`, problems })));
  return Object.freeze(objectOf(pairs.filter(([, value]) => value !== undefined)));
}

function readFilter(reading: Reading): unknown {
  const { path, problems } = reading;
  const given = readMembers(reading, ['field', 'op', 'value']);
  if (!given) return undefined;
  const field = readName({ value: memberOf(given, 'field'), path: `${path}.field`, problems });
  const op = memberOf(given, 'op');
  if (!operators.some((one) => one === op)) problems.add(`${path}.op`, `must be one of: ${operators.join(', ')}`);
  const value = memberOf(given, 'value');
  const values = Array.isArray(value) ? value : [value];
  const isPlain = values.every(
    (one) => one === undefined || one === null || ['string', 'number', 'boolean'].includes(typeof one),
  );
  if (!isPlain || values.length > pageLimits.rules)
    problems.add(`${path}.value`, 'must be a text, a number or a list of them');
  return Object.freeze(objectOf(Object.entries({ field, op, ...(value === undefined ? {} : { value }) })));
}

function readSort(reading: Reading): unknown {
  const { path, problems } = reading;
  const given = readMembers(reading, ['field', 'direction']);
  if (!given) return undefined;
  const field = readName({ value: memberOf(given, 'field'), path: `${path}.field`, problems });
  const direction = memberOf(given, 'direction') ?? 'asc';
  if (direction !== 'asc' && direction !== 'desc') problems.add(`${path}.direction`, 'must be one of: asc, desc');
  return Object.freeze(objectOf(Object.entries({ field, direction })));
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const openTime = /^([01]\d|2[0-3]):[0-5]\d-(([01]\d|2[0-3]):[0-5]\d|24:00)$/;

/** Hours of a week. Stored as a JSON text, as editors of the form expect it. */
export function readSchedule(reading: ValueReading): unknown {
  const { path, problems } = reading;
  const text = readText(reading, pageLimits.textCharacters);
  if (text === undefined || text.trim() === '') return text?.trim();
  const given = parseJson(text);
  if (!isJsonObject(given)) {
    problems.add(path, 'must be a JSON text of an object: weekdays with lists of HH:MM-HH:MM');
    return undefined;
  }
  for (const [day, hours] of Object.entries(given)) {
    const isList = Array.isArray(hours) && hours.every((one) => typeof one === 'string' && openTime.test(one));
    if (!isDay(day))
      problems.add(path, `must name weekdays: ${weekdays.join(', ')}, their first three letters, or 1 to 7`);
    if (!isList) problems.add(path, 'must have a list of HH:MM-HH:MM for each weekday');
  }
  return text;
}

function isDay(name: string): boolean {
  return weekdays.some((day) => name === day || name === day.slice(0, 3)) || /^[1-7]$/.test(name);
}

function readLimit({ value, path, problems }: Reading): { readonly limit?: number } {
  if (value === undefined || value === null) return {};
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= mostRows) return { limit: value };
  problems.add(path, `must be a whole number from 1 to ${mostRows}`);
  return {};
}

function readName({ value, path, problems }: Reading): string | undefined {
  if (typeof value === 'string' && /^[\w.-]{1,100}$/.test(value)) return value;
  problems.add(path, 'must be a name of letters, digits, dots, hyphens and underscores');
  return undefined;
}

function readList({ value, path, problems }: Reading, read: (reading: Reading) => unknown): unknown {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || value.length > pageLimits.rules) {
    problems.add(path, `must be a list of at most ${pageLimits.rules}, not ${kindName(value)}`);
    return undefined;
  }
  return Object.freeze(value.map((one: unknown, at) => read({ value: one, path: `${path}[${at}]`, problems })));
}

function readMembers({ value, path, problems }: Reading, known: readonly string[]): JsonObject | null {
  if (!isJsonObject(value)) {
    problems.add(path, `must be an object with ${known.join(', ')}; not ${kindName(value)}`);
    return null;
  }
  for (const name of Object.keys(value)) {
    if (!known.includes(name))
      problems.add(`${path}.${name.slice(0, 100)}`, `is not known; known are ${known.join(', ')}`);
  }
  return value;
}
