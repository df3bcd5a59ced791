/** Values at their borders: query text, columns, bodies. A refusal names what the field accepts. */

import { booleanOf } from '../../config/value-type.js';
import { accept, type Checked, type Refused, refuse } from '../../values/checked.js';
import {
  isoTimeOfMs,
  isoTimeOfSeconds,
  lastStorableSecond,
  parseOptionalTime,
  parseTime,
  sqlTime,
  timeProblem,
} from '../../values/dates.js';
import { type JsonValue, parseJson } from '../../values/json.js';
import { isStorable } from '../../values/text.js';
import type { FieldDefinition, FieldType } from './definition.js';

export type { JsonValue } from '../../values/json.js';

const integerText = /^-?(0|[1-9]\d{0,15})$/;
const numberText = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?$/;

/** docs/reference/gateway.md#values-in-filters */
export function parseFilterValue(field: FieldDefinition, text: string): Checked<string | number> {
  switch (field.type) {
    case 'boolean': {
      const isOn = booleanOf(text);
      if (isOn === undefined) return refuse('must be one of: 1, 0, true, false, yes, no, on, off');
      return accept(isOn ? 1 : 0);
    }
    case 'integer': {
      const number = Number(text);
      return integerText.test(text) && Number.isSafeInteger(number) ? accept(number) : refuse('must be an integer');
    }
    case 'number': {
      const number = Number(text);
      return numberText.test(text) && Number.isFinite(number) ? accept(number) : refuse('must be a number');
    }
    case 'datetime': {
      const time = parseTime(text);
      if (!time.ok) return refuse(timeProblem);
      return accept(field.storage === 'datetime' ? sqlTime(time.value) : time.value);
    }
    case 'string':
      return accept(text);
    case 'json':
      return refuse('cannot be filtered');
  }
}

export type Decoder = (raw: unknown) => JsonValue;

/** docs/reference/http.md#times-and-flags */
export function decoderOf(field: FieldDefinition): Decoder {
  switch (field.type) {
    case 'integer':
    case 'number':
      return field.nullable ? decodeOptionalNumber : decodeNumber;
    case 'boolean':
      return decodeBoolean;
    case 'string':
      return field.nullable ? decodeOptionalText : decodeText;
    case 'datetime':
      return field.storage === 'datetime' ? decodeSqlTime : decodeUnixTime;
    case 'json':
      return decodeJson;
  }
}

const decodeOptionalNumber: Decoder = (raw) => (raw === null ? null : decodeNumber(raw));
const decodeNumber: Decoder = (raw) => (typeof raw === 'number' ? raw : Number(raw ?? 0));
const decodeBoolean: Decoder = (raw) => raw === 1 || raw === '1' || raw === 1n;
const decodeOptionalText: Decoder = (raw) => (raw === null ? null : decodeText(raw));
const decodeText: Decoder = (raw) => (typeof raw === 'string' ? raw : raw === null ? '' : String(raw));

const decodeUnixTime: Decoder = (raw) => isoTimeOfSeconds(Number(raw ?? 0));

const decodeSqlTime: Decoder = (raw) => {
  if (typeof raw !== 'string' || raw.startsWith('0000')) return null;
  const text = `${raw.slice(0, 10)}T${raw.length > 10 ? raw.slice(11, 19) : '00:00:00'}Z`;
  // Text columns and old databases hold invalid times, such as 30 February.
  const milliseconds = Date.parse(text);
  return !Number.isNaN(milliseconds) && isoTimeOfMs(milliseconds) === text ? text : null;
};

const decodeJson: Decoder = (raw) => {
  if (typeof raw !== 'string' || raw === '') return null;
  // Text that is not JSON is shown as it is stored: the read must not fail.
  const value = parseJson(raw) as JsonValue | undefined;
  return value === undefined ? raw : value;
};

const digits = /^-?\d{1,16}$/;
const decimal = /^-?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/;
const writtenTrue: readonly unknown[] = [true, 1, '1', 'true'];
const writtenFalse: readonly unknown[] = [false, 0, '0', 'false'];
const maxDepth = 64;

/** A datetime becomes Unix seconds or null (docs/writing.md#values). */
export function parseWriteValue(field: FieldDefinition, value: unknown): Checked<JsonValue> {
  if (value === null && field.type !== 'datetime') {
    if (field.nullable) return accept(null);
    return field.nullIsEmpty === true ? accept('') : refuse(`must not be null; it ${acceptedBy(field)}`);
  }
  return written[field.type](field, value);
}

const written: Readonly<Record<FieldType, (field: FieldDefinition, value: unknown) => Checked<JsonValue>>> = {
  boolean: parseFlag,
  integer: parseInteger,
  number: parseNumber,
  string: parseText,
  datetime: parseDate,
  json: checkJson,
};

/** Reads after "it" or the field's name: `must be true or false`. */
export function acceptedBy(field: FieldDefinition): string {
  switch (field.type) {
    case 'boolean':
      return 'must be one of: true, false, 0, 1, "0", "1", "true", "false"';
    case 'integer':
      return field.range ? `must be an integer from ${field.range[0]} to ${field.range[1]}` : 'must be an integer';
    case 'number':
      return 'must be a number';
    case 'string':
      return 'must be a text or a number';
    case 'datetime':
      return field.nullable ? `${timeProblem}, or null` : timeProblem;
    case 'json':
      return `must be a JSON value of at most ${maxDepth} levels`;
  }
}

function parseFlag(field: FieldDefinition, value: unknown): Checked<boolean> {
  if (writtenTrue.includes(value)) return accept(true);
  return writtenFalse.includes(value) ? accept(false) : refuse(acceptedBy(field));
}

function parseInteger(field: FieldDefinition, value: unknown): Checked<number> {
  const number = typeof value === 'string' && digits.test(value) ? Number(value) : value;
  const [smallest, largest] = field.range ?? [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  if (!Number.isSafeInteger(number) || typeof number !== 'number' || number < smallest || number > largest) {
    return refuse(acceptedBy(field));
  }
  return accept(number + 0);
}

function parseNumber(field: FieldDefinition, value: unknown): Checked<number> {
  const number = typeof value === 'string' && decimal.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return refuse(acceptedBy(field));
  return accept(number + 0);
}

function parseText(field: FieldDefinition, value: unknown): Checked<string> {
  // Parsing the JSON has lost some of the digits that were sent.
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    return refuse('must be sent as a text: a number of so many digits is not kept exactly');
  }
  const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : value;
  if (typeof text !== 'string') return refuse(acceptedBy(field));
  return checkedText(field, text);
}

type TextLimits = Pick<FieldDefinition, 'maxLength' | 'maxBytes'>;

export function checkedText(limits: TextLimits, text: string): Checked<string> {
  if (!isStorable(text)) return refuse('must not contain a NUL character or half of a surrogate pair');
  return lengthProblem(limits, text) ?? accept(text);
}

/** Text is refused, never cut (docs/reference/storage.md#text-and-columns). Columns count code points. */
function lengthProblem({ maxLength, maxBytes }: TextLimits, text: string): Refused | undefined {
  if (maxLength !== undefined && text.length > maxLength && [...text].length > maxLength) {
    return refuse(`must be at most ${maxLength} characters`);
  }
  // No character takes more than three bytes per unit of its text.
  if (maxBytes !== undefined && text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes) {
    return refuse(`must be at most ${maxBytes} bytes of UTF-8`);
  }
  return undefined;
}

function parseDate(field: FieldDefinition, value: unknown): Checked<number | null> {
  if (value === null) return field.nullable ? accept(null) : refuse(`must not be null; it ${acceptedBy(field)}`);
  const time = value === '' ? null : parseOptionalTime(value);
  if (time === null || !time.ok) return refuse(acceptedBy(field));
  if (field.storage !== 'unix') return time;
  // 0 means "not set" in a column of Unix seconds, and times before it cannot be stored.
  if (time.value < 0 || time.value > lastStorableSecond) {
    return refuse(`${acceptedBy(field)}, and not before 1970-01-01T00:00:00Z`);
  }
  return time.value === 0 ? accept(null) : time;
}

function checkJson(field: FieldDefinition, value: unknown): Checked<JsonValue> {
  if (!isJson(value, 0)) return refuse(acceptedBy(field));
  return lengthProblem(field, JSON.stringify(value)) ?? accept(value);
}

function isJson(value: unknown, depth: number): value is JsonValue {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || depth >= maxDepth) return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  return Object.entries(value).every(([name, member]) => isStorable(name) && isJson(member, depth + 1));
}

export function storedValue(field: FieldDefinition, value: JsonValue): string | number | null {
  switch (field.type) {
    case 'boolean':
      return value === null ? null : value === true ? 1 : 0;
    case 'datetime': {
      const seconds = typeof value === 'number' ? value : null;
      if (field.storage !== 'datetime') return seconds ?? 0;
      return seconds === null ? null : sqlTime(seconds);
    }
    case 'json':
      return value === null ? null : JSON.stringify(value);
    default:
      return typeof value === 'number' || value === null ? value : String(value);
  }
}

export function writtenValue(field: FieldDefinition, raw: unknown): JsonValue {
  const value = decoderOf(field)(raw);
  if (field.type !== 'datetime' || typeof value !== 'string') return value;
  const seconds = Date.parse(value) / 1000;
  // Text that is not a time is damaged: it counts as not set.
  return isoTimeOfSeconds(seconds) === null && seconds !== 0 ? null : seconds;
}

export const tvValueField: FieldDefinition = Object.freeze({
  type: 'string',
  column: 'value',
  nullable: false,
  maxBytes: 16_777_215,
});
