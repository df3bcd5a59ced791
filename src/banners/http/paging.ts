/** The parameters for pages of lists (docs/banners.md#lists): limit, and offset with its alias. */
import { AppError } from '../../errors/app-error.js';
import type { Call, ParameterDoc } from '../../http/interface/endpoint.js';
import { queryDoc, readNumber } from './query.js';

/** Rows of a list whose caller names no limit. */
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
