/** Strict readers of query parameters; an empty one is absent (docs/banners.md#lists). */
import { AppError, badParameter } from '../../errors/app-error.js';
import type { Call, ParameterDoc } from '../../http/interface/endpoint.js';
import { onlyValue } from '../../http/interface/query-pairs.js';
import { largestUnsigned } from '../../values/unsigned.js';
import { plainObject } from '../rules/field-types.js';

export function queryDoc(doc: Omit<ParameterDoc, 'in'>): ParameterDoc {
  return { in: 'query', ...doc };
}

export function readText(call: Call, name: string): string | undefined {
  const values = call.query.filter(([key]) => key === name).map(([, text]) => text);
  return onlyValue(name, values) || undefined;
}

export function readNumber(
  call: Call,
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  const text = readText(call, name);
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw badParameter(name, `must be a whole number, ${max > largestUnsigned ? `${min} or more` : `${min} to ${max}`}`);
}

export function readChoice<const T extends string>(call: Call, name: string, choices: readonly T[]): T | null {
  const text = readText(call, name);
  if (text === undefined) return null;
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw badParameter(name, `must be one of: ${choices.join(', ')}`);
  return found;
}

export function readFlag(call: Call, name: string): boolean | null {
  const word = readChoice(call, name, ['0', '1']);
  return word === null ? null : word === '1';
}

export function readId(call: Call, name: string): number | null {
  const text = readText(call, name);
  if (text === undefined) return null;
  if (isId(text)) return Number(text);
  throw badParameter(name, `must be an integer from 0 to ${largestUnsigned}`);
}

/** A comma list of ids in which 0 is ignored; null when the parameter is absent, [] when it is empty. */
export function readIds(call: Call, name: string): readonly number[] | null {
  if (!call.query.some(([key]) => key === name)) return null;
  const text = readText(call, name);
  if (text === undefined) return [];
  const parts = text.split(',').map((part) => part.trim());
  if (!parts.every(isId)) throw badParameter(name, `must be a comma list of integers from 0 to ${largestUnsigned}`);
  if (parts.length > mostIds) throw badParameter(name, `must have at most ${mostIds} ids`);
  return [...new Set(parts.map(Number))].filter((id) => id > 0);
}

const mostIds = 500;

export function readDescending(call: Call, standard: 'asc' | 'desc'): boolean {
  const text = readText(call, 'dir');
  const word = (text ?? standard).toLowerCase();
  if (word !== 'asc' && word !== 'desc') throw badParameter('dir', 'must be one of: asc, desc');
  return word === 'desc';
}

export function directionDoc(standard: 'asc' | 'desc'): ParameterDoc {
  return queryDoc({
    name: 'dir',
    description: 'Order, in upper or lower case.',
    schema: { type: 'string', enum: ['asc', 'desc'], default: standard },
  });
}

export function readFields<const T extends string>(call: Call, known: readonly T[]): readonly T[] | null {
  const text = readText(call, 'fields');
  if (text === undefined) return null;
  const names = text.split(',').map((part) => part.trim());
  const found = known.filter((name) => names.includes(name));
  if (names.every((name) => found.some((one) => one === name))) return found;
  throw badParameter('fields', `must be a comma list of: ${known.join(', ')}`);
}

export function fieldsDoc(known: readonly string[]): ParameterDoc {
  return queryDoc({
    name: 'fields',
    list: true,
    description: `Comma list of the members that rows are to have, out of: ${known.join(', ')}.`,
    schema: { type: 'string' },
    example: known.slice(0, 2).join(','),
  });
}

export function project(record: object, fields: readonly string[] | null): object {
  if (fields === null) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => fields.includes(name)));
}

function isId(text: string): boolean {
  return /^\d{1,10}$/.test(text) && Number(text) <= largestUnsigned;
}

export const defaultLimit = 20;
const largestLimit = 500;

export function limitParameter(standard: number): ParameterDoc {
  return queryDoc({
    name: 'limit',
    description: `Rows of the answer, ${standard} when left out; more than ${largestLimit} counts as ${largestLimit}.`,
    schema: { type: 'integer', minimum: 1, default: standard },
    example: '20',
  });
}

export const offsetParameters: readonly ParameterDoc[] = ['offset', 'start'].map((name) =>
  queryDoc({
    name,
    description: 'Rows to leave out; start is another name of offset.',
    schema: { type: 'integer', minimum: 0 },
    example: '20',
  }),
);

export function readLimit(call: Call, standard: number): number {
  const limit = readNumber(call, 'limit', { min: 1, max: Number.POSITIVE_INFINITY });
  return Math.min(limit ?? standard, largestLimit);
}

export function readOffset(call: Call): number {
  const bounds = { min: 0, max: Number.MAX_SAFE_INTEGER };
  const offset = readNumber(call, 'offset', bounds);
  const start = readNumber(call, 'start', bounds);
  if (offset !== undefined && start !== undefined && offset !== start)
    throw new AppError('bad_request', { message: 'offset and start are the same; give one of them' });
  return offset ?? start ?? 0;
}

/** Throws bad_request `invalid json` unless the body is a JSON object. */
export function bodyMembers({ body }: Call): Readonly<Record<string, unknown>> {
  const found = body?.kind === 'json' ? plainObject(body.value) : null;
  if (found === null) throw new AppError('bad_request', { message: 'invalid json' });
  return found;
}
