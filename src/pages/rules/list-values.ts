/** Readers of references to records, pairs, free rows and the blocks of a block editor. */
import { AppError } from '../../errors/app-error.js';
import { isJsonObject, kindName, memberOf, objectOf } from '../../values/json.js';
import { pageLimits } from './page-limits.js';
import { sanitizeHtml } from './sanitize-html.js';
import { readText } from './text-values.js';
import type { ValueReading } from './value-reading.js';

/** A number or key of a record. */
export function readReference({ value, path, problems }: ValueReading): string | number | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value + 0;
  if (typeof value === 'string') return readText({ value, path, problems }, pageLimits.textCharacters);
  problems.add(path, `must be a number or key of a record, not ${kindName(value)}`);
  return undefined;
}

/** Numbers or keys of records; their order is kept. */
export function readReferences(reading: ValueReading): unknown {
  const { value, path, problems } = reading;
  if (!Array.isArray(value) || value.length > pageLimits.items) {
    problems.add(path, `must be a list of at most ${pageLimits.items} numbers or keys, not ${kindName(value)}`);
    return undefined;
  }
  const ids = value.map((one: unknown, at) => readReference({ ...reading, value: one, path: `${path}[${at}]` }));
  return Object.freeze(ids.filter((id) => id !== undefined));
}

/** Pairs of `key` and `value`. */
export function readKeyValues({ value, path, problems }: ValueReading): unknown {
  if (!Array.isArray(value) || value.length > pageLimits.items) {
    problems.add(path, `must be a list of at most ${pageLimits.items} pairs, not ${kindName(value)}`);
    return undefined;
  }
  const pairs = value.map((pair: unknown, at) => {
    const where = `${path}[${at}]`;
    if (!isJsonObject(pair)) {
      problems.add(where, `must be an object with key and value, not ${kindName(pair)}`);
      return undefined;
    }
    for (const name of Object.keys(pair)) {
      if (name !== 'key' && name !== 'value')
        problems.add(`${where}.${name.slice(0, 100)}`, 'is not known; known are key, value');
    }
    const [key, text] = ['key', 'value'].map((name) =>
      readText(
        { value: memberOf(pair, name) ?? '', path: `${where}.${name}`, problems },
        pageLimits.longTextCharacters,
      ),
    );
    return key === undefined || text === undefined ? undefined : Object.freeze({ key, value: text });
  });
  return Object.freeze(pairs.filter((pair) => pair !== undefined));
}

/** Rows without declared columns: plain values by name, one level. */
export function readLooseRows({ value, path, problems }: ValueReading): unknown {
  if (!Array.isArray(value) || value.length > pageLimits.items) {
    problems.add(path, `must be a list of at most ${pageLimits.items} rows, not ${kindName(value)}`);
    return undefined;
  }
  const rows = value.map((row: unknown, at) => {
    const where = `${path}[${at}]`;
    if (!isJsonObject(row) || Object.keys(row).length > pageLimits.rules) {
      problems.add(where, `must be an object of at most ${pageLimits.rules} values, not ${kindName(row)}`);
      return undefined;
    }
    const cells = Object.entries(row).map(([name, cell]): [string, unknown] => {
      if (!/^\w{1,100}$/.test(name))
        problems.add(`${where}.${name.slice(0, 100)}`, 'is not a name of letters and digits');
      return [name, readPlain({ value: cell, path: `${where}.${name.slice(0, 100)}`, problems })];
    });
    return Object.freeze(objectOf(cells.filter(([, cell]) => cell !== undefined)));
  });
  return Object.freeze(rows.filter((row) => row !== undefined));
}

function readPlain(reading: Omit<ValueReading, 'field'>): unknown {
  const { value, path, problems } = reading;
  if (typeof value === 'string') return readText(reading, pageLimits.longTextCharacters);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value + 0;
  problems.add(path, `must be a text, a number, true or false, not ${kindName(value)}`);
  return undefined;
}

/** What a block editor saves: its blocks as JSON, and the HTML it made of them, sanitised. */
export function readEditorJs({ value, path, problems }: ValueReading): unknown {
  if (!isJsonObject(value)) {
    problems.add(path, `must be an object with json and html, not ${kindName(value)}`);
    return undefined;
  }
  for (const name of Object.keys(value)) {
    if (name !== 'json' && name !== 'html')
      problems.add(`${path}.${name.slice(0, 100)}`, 'is not known; known are json, html');
  }
  const html = readText(
    { value: memberOf(value, 'html') ?? '', path: `${path}.html`, problems },
    pageLimits.htmlCharacters,
  );
  const json = memberOf(value, 'json') ?? null;
  if (typeof json === 'number' || typeof json === 'boolean')
    problems.add(`${path}.json`, 'must be an object, a list or a text');
  if (html === undefined) return undefined;
  try {
    // A copy that is exactly what its JSON says.
    return Object.freeze({ json: JSON.parse(JSON.stringify(json)) as unknown, html: sanitizeHtml(html) });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    problems.add(`${path}.html`, error.message);
    return undefined;
  }
}
