/** `where` of a partition: which rows it holds, as xPDO writes conditions. */

import { type FileFault, type FileValue, isFileMap } from './folder-file.js';
import type { RawValues } from './members.js';

export interface Condition {
  readonly isOr: boolean;
  readonly holds: (row: RawValues) => boolean;
}

const operators: Readonly<Record<string, (stored: string, wanted: readonly string[]) => boolean>> = {
  '=': (stored, [wanted]) => stored === wanted,
  '!=': (stored, [wanted]) => stored !== wanted,
  '<>': (stored, [wanted]) => stored !== wanted,
  '>': (stored, [wanted = '']) => isMore(stored, wanted),
  '>=': (stored, [wanted = '']) => stored === wanted || isMore(stored, wanted),
  '<': (stored, [wanted = '']) => isMore(wanted, stored),
  '<=': (stored, [wanted = '']) => stored === wanted || isMore(wanted, stored),
  IN: (stored, wanted) => wanted.includes(stored),
  'NOT IN': (stored, wanted) => !wanted.includes(stored),
  LIKE: (stored, [wanted = '']) => isLike(stored, wanted),
  'NOT LIKE': (stored, [wanted = '']) => !isLike(stored, wanted),
};

/** A list of `'field:operator': value`, or a map of them; `OR:` before the field joins it to the one before. */
export function readConditions(where: FileValue, fault: (problem: string) => FileFault): readonly Condition[] {
  if (where === null) return [];
  const maps = Array.isArray(where) ? where : [where];
  return maps.flatMap((map) => {
    if (!isFileMap(map)) throw fault("where must be like [{'name:NOT IN': [BaseTemplate]}]");
    return Object.entries(map).map(([text, value]) => condition(text, value, fault));
  });
}

function condition(text: string, value: FileValue, fault: (problem: string) => FileFault): Condition {
  const words = text.split(':');
  const isOr = words[0] === 'OR';
  if (isOr || words[0] === 'AND') words.shift();
  const [field = '', name = Array.isArray(value) ? 'IN' : '='] = words;
  const operator = operators[name.trim().toUpperCase()];
  if (operator === undefined) {
    throw fault(`where has the operator ${name}; known are ${Object.keys(operators).join(', ')}`);
  }
  const wanted = (Array.isArray(value) ? value : [value]).map((one) => textOf(one));
  return { isOr, holds: (row) => operator(textOf(row[field]), wanted) };
}

export function isWithin(conditions: readonly Condition[], row: RawValues): boolean {
  return conditions.reduce((all, { isOr, holds }) => (isOr ? all || holds(row) : all && holds(row)), true);
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : value === true ? '1' : value === false ? '0' : String(value);
}

function isMore(one: string, other: string): boolean {
  const numbers = [Number(one), Number(other)];
  return numbers.some(Number.isNaN) ? one > other : Number(one) > Number(other);
}

/** `%` stands for any characters; the CMS compares without case. */
function isLike(stored: string, pattern: string): boolean {
  const parts = pattern.toLowerCase().split('%');
  const text = stored.toLowerCase();
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (index === 0 ? !text.startsWith(part) : text.indexOf(part, at) < 0) return false;
    at = index === 0 ? part.length : text.indexOf(part, at) + part.length;
  }
  const last = parts.at(-1) ?? '';
  return parts.length === 1 ? text === last : text.endsWith(last);
}
