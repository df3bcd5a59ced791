/** Reads PHP's serialize text without making objects; undefined for references and malformed or too big texts. */
import { isUtf8 } from 'node:buffer';
import { isWithinDepth, type JsonValue } from '../../values/json.js';

/** Arrays keep their order and the difference between whole-number and text keys. Integers beyond 2^53 are bigints. */
export type PhpValue = null | boolean | number | bigint | string | PhpArray | { readonly className: string };
type PhpArray = ReadonlyMap<string | number, PhpValue>;

const phpLimits = Object.freeze({ bytes: 4 * 1024 * 1024, depth: 64 });

export function parsePhpValue(text: string): PhpValue | undefined {
  const bytes = phpBytes(text);
  const parsed = bytes === undefined ? undefined : readPhpValue(bytes, 0);
  return parsed !== undefined && parsed.end === bytes?.length ? parsed.value : undefined;
}

/** NULL, empty text and `a:0:{}` are all empty. */
export function parsePhpArray(text: string | null | undefined): PhpArray | undefined {
  if (text === null || text === undefined || text === '') return new Map();
  const value = parsePhpValue(text);
  return value instanceof Map ? value : undefined;
}

/** One character per byte, for readPhpValue; undefined beyond the size limit. */
export function phpBytes(text: string): string | undefined {
  if (text.length > phpLimits.bytes) return undefined;
  const bytes = Buffer.from(text, 'utf8');
  return bytes.length > phpLimits.bytes ? undefined : bytes.toString('latin1');
}

interface PhpRead {
  readonly value: PhpValue;
  readonly end: number;
}

export function readPhpValue(bytes: string, at: number, depth = 0): PhpRead | undefined {
  if (depth > phpLimits.depth) return undefined;
  switch (bytes.charAt(at)) {
    case 'N':
      return bytes.startsWith('N;', at) ? { value: null, end: at + 2 } : undefined;
    case 'b':
    case 'i':
    case 'd':
      return readScalar(bytes, at);
    case 's':
      return readText({ bytes, at: at + 1, closing: ';' });
    case 'a':
      return readArray({ bytes, at: at + 1, depth });
    case 'O':
      return readObject({ bytes, at: at + 1, depth });
    case 'C':
      return readCustomObject(bytes, at + 1);
    case 'E':
      return asOpaque(readText({ bytes, at: at + 1, closing: ';' }));
    default:
      return undefined;
  }
}

const scalarForm = /b:([01]);|i:([+-]?\d{1,20});|d:(-?INF|NAN|[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?);/y;

function readScalar(bytes: string, at: number): PhpRead | undefined {
  scalarForm.lastIndex = at;
  const match = scalarForm.exec(bytes);
  if (!match) return undefined;
  const [whole, flag, integer, float] = match;
  const end = at + whole.length;
  if (flag !== undefined) return { value: flag === '1', end };
  if (integer !== undefined) return { value: wholeNumber(integer), end };
  return { value: Number((float ?? '').replace('INF', 'Infinity')), end };
}

function wholeNumber(digits: string): number | bigint {
  const number = Number(digits);
  // Adding 0 turns minus zero, which PHP integers do not have, into zero.
  return Number.isSafeInteger(number) ? number + 0 : BigInt(digits);
}

const countForm = /:(\d{1,10}):/y;

function readCount(bytes: string, at: number): { count: number; end: number } | undefined {
  countForm.lastIndex = at;
  const match = countForm.exec(bytes);
  return match ? { count: Number(match[1]), end: at + match[0].length } : undefined;
}

/** `:LENGTH:"..."` and the closing character. */
function readText(place: { bytes: string; at: number; closing: string }): { value: string; end: number } | undefined {
  const { bytes, at, closing } = place;
  const length = readCount(bytes, at);
  if (length === undefined) return undefined;
  const from = length.end + 1;
  const to = from + length.count;
  if (bytes.charAt(length.end) !== '"' || !bytes.startsWith(`"${closing}`, to)) return undefined;
  const text = Buffer.from(bytes.slice(from, to), 'latin1');
  // A length that cuts a character in half is a damaged text, for example one counted in characters.
  return isUtf8(text) ? { value: text.toString('utf8'), end: to + 1 + closing.length } : undefined;
}

function readArray(place: { bytes: string; at: number; depth: number }): PhpRead | undefined {
  const { bytes, depth } = place;
  const count = readCount(bytes, place.at);
  if (count === undefined || bytes.charAt(count.end) !== '{') return undefined;
  const entries = new Map<string | number, PhpValue>();
  let at = count.end + 1;
  for (let index = 0; index < count.count; index += 1) {
    const kind = bytes.charAt(at);
    const key = kind === 'i' || kind === 's' ? readPhpValue(bytes, at, depth + 1) : undefined;
    const entry = key === undefined ? undefined : readPhpValue(bytes, key.end, depth + 1);
    const name = key === undefined ? undefined : arrayKey(key.value);
    if (entry === undefined || name === undefined) return undefined;
    entries.set(name, entry.value);
    at = entry.end;
  }
  return bytes.charAt(at) === '}' ? { value: entries, end: at + 1 } : undefined;
}

/** PHP keeps keys that look like whole numbers as numbers. */
function arrayKey(value: PhpValue): string | number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'string') return undefined;
  const number = Number(value);
  return /^(?:0|-?[1-9]\d{0,15})$/.test(value) && Number.isSafeInteger(number) ? number : value;
}

function readObject(place: { bytes: string; at: number; depth: number }): PhpRead | undefined {
  const { bytes, at, depth } = place;
  // The class name is followed by `:COUNT:{...}`, the form of an array.
  const name = readText({ bytes, at, closing: '' });
  const properties = name === undefined ? undefined : readArray({ bytes, at: name.end, depth });
  return name === undefined || properties === undefined
    ? undefined
    : { value: { className: name.value }, end: properties.end };
}

function readCustomObject(bytes: string, at: number): PhpRead | undefined {
  const name = readText({ bytes, at, closing: '' });
  const length = name === undefined ? undefined : readCount(bytes, name.end);
  if (name === undefined || length === undefined || bytes.charAt(length.end) !== '{') return undefined;
  const end = length.end + 1 + length.count;
  return bytes.charAt(end) === '}' ? { value: { className: name.value }, end: end + 1 } : undefined;
}

function asOpaque(text: { value: string; end: number } | undefined): PhpRead | undefined {
  return text === undefined ? undefined : { value: { className: text.value }, end: text.end };
}

export const deepestWritten = 32;

export type PhpWritable =
  | null
  | boolean
  | number
  | string
  | readonly PhpWritable[]
  | { readonly [key: string]: PhpWritable };

export function serializePhpValue(value: PhpWritable): string {
  if (value === null) return 'N;';
  if (typeof value === 'boolean') return `b:${value ? 1 : 0};`;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? `i:${value + 0};` : `d:${phpFloat(value)};`;
  if (typeof value === 'string') return `s:${Buffer.byteLength(value, 'utf8')}:"${value}";`;
  const entries = Object.entries(value);
  const written = entries.map(([key, entry]) => serializePhpValue(arrayKey(key) ?? key) + serializePhpValue(entry));
  return `a:${entries.length}:{${written.join('')}}`;
}

function phpFloat(value: number): string {
  return String(value).replace('Infinity', 'INF').replace('NaN', 'NAN');
}

/** Undefined for what JSON cannot say, such as objects. */
export function jsonOfPhp(value: PhpValue): JsonValue | undefined {
  if (typeof value === 'bigint') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (!(value instanceof Map)) return undefined;
  const entries: [string, JsonValue][] = [];
  for (const [key, item] of value) {
    const shown = jsonOfPhp(item);
    if (shown === undefined) return undefined;
    entries.push([String(key), shown]);
  }
  const isList = entries.every(([key], at) => key === String(at));
  return isList ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

export function isPhpWritable(value: unknown): value is PhpWritable & object {
  return typeof value === 'object' && value !== null && isWithinDepth(value, deepestWritten);
}
