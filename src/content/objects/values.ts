/** Values of fields at the three borders: text of a query to a database parameter, raw column to JSON value. */

import { isoTime, parseTime, sqlTime, timeProblem } from '../../values/dates.js';
import { parseJson } from '../../values/json.js';
import type { FieldDefinition } from './definition.js';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** Why a text is not a value of the field: names the accepted values. */
export class ValueProblem {
  constructor(readonly problem: string) {}
}

const truthy = new Set(['1', 'true', 'yes', 'on']);
const falsy = new Set(['', '0', 'false', 'no', 'off']);
const integerText = /^-?(0|[1-9]\d{0,15})$/;
const numberText = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?$/;

/** Reads a filter value (docs/reference/gateway.md#values-in-filters). */
export function parseFilterValue(field: FieldDefinition, text: string): string | number | ValueProblem {
  switch (field.type) {
    case 'boolean': {
      const word = text.trim().toLowerCase();
      if (truthy.has(word)) return 1;
      if (falsy.has(word)) return 0;
      return new ValueProblem('must be one of: 1, 0, true, false, yes, no, on, off');
    }
    case 'integer': {
      const number = Number(text);
      return integerText.test(text) && Number.isSafeInteger(number) ? number : new ValueProblem('must be an integer');
    }
    case 'number': {
      const number = Number(text);
      return numberText.test(text) && Number.isFinite(number) ? number : new ValueProblem('must be a number');
    }
    case 'datetime': {
      const time = parseTime(text);
      if (!time.ok) return new ValueProblem(timeProblem);
      return field.storage === 'datetime' ? sqlTime(time.value) : time.value;
    }
    case 'string':
      return text;
    case 'json':
      return new ValueProblem('cannot be filtered');
  }
}

export type Decoder = (raw: unknown) => JsonValue;

/**
 * The function that turns a raw column value of the field into its JSON value (docs/reference/http.md#times-and-flags).
 */
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

const decodeUnixTime: Decoder = (raw) => {
  return isoTime(Number(raw ?? 0));
};

const decodeSqlTime: Decoder = (raw) => {
  // Old databases hold '0000-00-00 00:00:00' for unset.
  if (typeof raw !== 'string' || raw.startsWith('0000')) return null;
  return `${raw.slice(0, 10)}T${raw.length > 10 ? raw.slice(11, 19) : '00:00:00'}Z`;
};

const decodeJson: Decoder = (raw) => {
  if (typeof raw !== 'string' || raw === '') return null;
  // Text that is not JSON is shown as it is stored: the read must not fail.
  const value = parseJson(raw) as JsonValue | undefined;
  return value === undefined ? raw : value;
};
