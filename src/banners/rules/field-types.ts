/** Types of banner fields: accepted JSON, its description and schema, and the text of a flag. Null means none. */

import { checkedText } from '../../content/objects/values.js';
import { accept, type Checked, type Refused, refuse } from '../../values/checked.js';
import { timeSeconds } from '../../values/dates.js';
import { isJsonObject, parseJson } from '../../values/json.js';
import { largestUnsigned } from '../../values/unsigned.js';
import type { ShowHours } from './banner.js';
import { urlAccepts, urlProblem } from './banner-url.js';

export interface FieldType<T> {
  /** Completes a sentence that begins with the field's name and "must be". */
  readonly accepts: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly parse: (value: unknown) => Checked<T>;
  /** Reads the text of a flag where the value is not the text; `parse` refuses invalid ones. */
  readonly fromText?: (text: string) => unknown;
}

const lastMoment = 253_402_300_799;
export const mostTags = 20;
const longestTag = 64;
const mostPositions = 1000;

const refusal = (accepts: string): Refused => refuse(`must be ${accepts}`);

interface TextRule {
  readonly maxLength?: number;
  readonly maxBytes?: number;
}

export function neededText({ maxLength }: { readonly maxLength: number }): FieldType<string> {
  const accepts = `a text of 1 to ${maxLength} characters`;
  return {
    accepts,
    schema: { type: 'string', minLength: 1, maxLength },
    parse(value) {
      if (typeof value !== 'string' || value.trim() === '') return refusal(accepts);
      return checkedText({ maxLength }, value);
    },
  };
}

export function optionalText(rule: TextRule): FieldType<string> {
  const type = nullableText(rule);
  return {
    ...type,
    parse(value) {
      const parsed = type.parse(value);
      return parsed.ok ? accept(parsed.value ?? '') : parsed;
    },
  };
}

export function nullableText(rule: TextRule): FieldType<string | null> {
  const accepts = `a text of at most ${size(rule)}, or null`;
  return {
    accepts,
    schema: {
      type: ['string', 'null'],
      ...(rule.maxLength === undefined ? {} : { maxLength: rule.maxLength }),
    },
    parse(value) {
      if (value === null) return accept(null);
      return typeof value === 'string' ? checkedText(rule, value) : refusal(accepts);
    },
  };
}

export function addressType(rule: TextRule): FieldType<string> {
  const text = optionalText(rule);
  return {
    ...text,
    accepts: `${urlAccepts}, of at most ${size(rule)}; null or empty = none`,
    parse(value) {
      const parsed = text.parse(value);
      if (!parsed.ok) return parsed;
      const problem = urlProblem(parsed.value);
      return problem === null ? parsed : refuse(problem);
    },
  };
}

/** Accepts every form of a flag (docs/reference/http.md#times-and-flags). */
export const flagType: FieldType<0 | 1> = {
  accepts: '0 or 1',
  schema: { enum: [0, 1, true, false] },
  parse(value) {
    if ([1, true, '1', 'true'].some((one) => one === value)) return accept(1);
    return [0, false, '0', 'false'].some((one) => one === value) ? accept(0) : refusal('0 or 1');
  },
};

export function choiceType<const T extends string>(choices: readonly T[]): FieldType<T> {
  const accepts = choices.join(' or ');
  return {
    accepts,
    schema: { enum: choices },
    parse(value) {
      const found = choices.find((choice) => choice === value);
      return found === undefined ? refusal(accepts) : accept(found);
    },
  };
}

export const countType: FieldType<number> = {
  accepts: `an integer from 0 to ${largestUnsigned}; 0 or null = none`,
  schema: { type: ['integer', 'null'], minimum: 0, maximum: largestUnsigned },
  parse(value) {
    if (value === null) return accept(0);
    const number = wholeNumber(value);
    return number !== null && number >= 0 && number <= largestUnsigned ? accept(number) : refusal(countType.accepts);
  },
};

/** Unix seconds; null, the empty text and 0 are none, as earlier systems wrote it. */
export const momentType: FieldType<number | null> = {
  accepts: 'ISO 8601 with an offset (2026-11-21T09:30:00Z), Unix seconds, or null for none',
  schema: { type: ['string', 'integer', 'null'] },
  parse(value) {
    if (value === null || value === '') return accept(null);
    const seconds = timeSeconds(value);
    if (!Number.isInteger(seconds) || seconds < 0 || seconds > lastMoment) return refusal(momentType.accepts);
    return accept(seconds === 0 ? null : seconds);
  },
};

export const hoursType: FieldType<ShowHours | null> = {
  accepts: '{"days": [1-7, Monday is 1], "hours": [0-23]}, or null for always',
  schema: {
    type: ['object', 'null'],
    properties: {
      days: { type: 'array', items: { type: 'integer', minimum: 1, maximum: 7 } },
      hours: { type: 'array', items: { type: 'integer', minimum: 0, maximum: 23 } },
    },
    additionalProperties: false,
  },
  parse(value) {
    if (value === null || value === '') return accept(null);
    const members = plainObject(value);
    if (members === null) return refusal(hoursType.accepts);
    const unknown = Object.keys(members).filter((name) => name !== 'days' && name !== 'hours');
    const days = numbers(members['days'] ?? [], { from: 1, to: 7 });
    const hours = numbers(members['hours'] ?? [], { from: 0, to: 23 });
    if (unknown.length > 0 || days === null || hours === null) return refusal(hoursType.accepts);
    return accept(days.length + hours.length === 0 ? null : Object.freeze({ days, hours }));
  },
  fromText(text) {
    const value = text.trim() === '' ? null : parseJson(text);
    return value === undefined ? text : value;
  },
};

export const tagsType: FieldType<readonly string[]> = {
  accepts: `a list of at most ${mostTags} tags, each of 1 to ${longestTag} characters of a-z, 0-9, _ and -`,
  schema: {
    type: ['array', 'null'],
    maxItems: mostTags,
    items: { type: 'string', pattern: '^[a-z0-9_-]+$', minLength: 1, maxLength: longestTag },
  },
  parse(value) {
    if (value === null) return accept([]);
    if (!Array.isArray(value)) return refusal(tagsType.accepts);
    const tags = [...new Set(value.filter(isTag))];
    return value.every(isTag) && tags.length <= mostTags ? accept(Object.freeze(tags)) : refusal(tagsType.accepts);
  },
  fromText: commaList,
};

export const idsType: FieldType<readonly number[]> = {
  accepts: `a list of at most ${mostPositions} ids of positions`,
  schema: { type: 'array', maxItems: mostPositions, items: { type: 'integer', minimum: 1, maximum: largestUnsigned } },
  parse(value) {
    if (!Array.isArray(value)) return refusal(idsType.accepts);
    const ids = value.map(wholeNumber);
    const known = ids.filter((id): id is number => id !== null && id >= 1 && id <= largestUnsigned);
    const distinct = [...new Set(known)];
    return known.length === ids.length && distinct.length <= mostPositions
      ? accept(Object.freeze(distinct))
      : refusal(idsType.accepts);
  },
  fromText: commaList,
};

export function isTag(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestTag && /^[a-z0-9_-]+$/.test(value);
}

export function plainObject(value: unknown): Readonly<Record<string, unknown>> | null {
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value)) : null;
}

function size({ maxLength, maxBytes }: TextRule): string {
  return maxLength === undefined ? `${maxBytes ?? 0} bytes` : `${maxLength} characters`;
}

function wholeNumber(value: unknown): number | null {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  // Minus zero is written as 0.
  return typeof number === 'number' && Number.isSafeInteger(number) ? number + 0 : null;
}

function numbers(value: unknown, range: { readonly from: number; readonly to: number }): readonly number[] | null {
  if (value === null) return [];
  if (!Array.isArray(value)) return null;
  const found = value.map(wholeNumber).filter((one): one is number => one !== null);
  if (found.length !== value.length || found.some((one) => one < range.from || one > range.to)) return null;
  return Object.freeze([...new Set(found)].sort((a, b) => a - b));
}

function commaList(text: string): readonly string[] {
  return text.trim() === '' ? [] : text.split(',').map((part) => part.trim());
}
