/** Query parameters of the statistics routes: their documents, and reading them (400 names the one that is wrong). */
import { type LocalNow, parseRange, periodTexts } from '../../../banners/periods.js';
import { AppError } from '../../../errors/app-error.js';
import type { Call, ParameterDoc } from '../../../http/endpoint.js';
import { exportTypes } from '../../../services/banner-statistics/export.js';
import type { StatisticsQuestion } from '../../../services/banner-statistics/statistics.js';

const largestId = 4_294_967_295;
const largestLimit = 500;

const dateSchema = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}([T ]\\d{2}:\\d{2}(:\\d{2})?)?$' };

function queryParameter(
  name: string,
  description: string,
  schema: ParameterDoc['schema'],
  example: string,
): ParameterDoc {
  return { name, in: 'query', description, schema, example };
}

export const positionParameter = queryParameter(
  'position',
  'Only this position; 0 = all.',
  { type: 'integer', minimum: 0, maximum: largestId, default: 0 },
  '3',
);

/** Of every route that is about one range. */
export const rangeParameters: readonly ParameterDoc[] = [
  periodParameter('period', 'all', 'Days of the zone of banners_timezone; weeks begin on Monday.'),
  queryParameter('from', 'Beginning of the range, a day or a local time; wins over period.', dateSchema, '2026-11-01'),
  queryParameter(
    'to',
    'End of the range, included: the whole day, or the second of a local time; wins over period.',
    dateSchema,
    '2026-11-21 18:00',
  ),
  positionParameter,
];

export function periodParameter(name: string, standard: string, description: string): ParameterDoc {
  return queryParameter(name, description, { type: 'string', enum: periodTexts, default: standard }, 'this_month');
}

export function limitParameter(standard: number): ParameterDoc {
  return queryParameter(
    'limit',
    `Rows of the answer, ${standard} when left out; more than ${largestLimit} counts as ${largestLimit}.`,
    { type: 'integer', minimum: 1, default: standard },
    '20',
  );
}

export const offsetParameters: readonly ParameterDoc[] = ['offset', 'start'].map((name) =>
  queryParameter(name, 'Rows to leave out; start is another name of offset.', { type: 'integer', minimum: 0 }, '20'),
);

export const typeParameter = queryParameter(
  'type',
  'What the file holds; report and summary are the same.',
  { type: 'string', enum: exportTypes, default: 'report' },
  'clicks',
);

/** The value of a parameter; undefined when it is not given, or empty. */
export function readText(call: Call, name: string): string | undefined {
  const [value, ...others] = call.query.filter(([key]) => key === name).map(([, text]) => text);
  if (others.length > 0)
    throw new AppError('bad_request', { message: `${name} is given more than once; give it once` });
  return value === '' ? undefined : value;
}

export function readQuestion(call: Call, clock: LocalNow): StatisticsQuestion {
  const texts = { period: readText(call, 'period') ?? 'all', from: readText(call, 'from'), to: readText(call, 'to') };
  return { range: parseRange(texts, clock), position: readPosition(call), clock };
}

/** 0 = all. */
export function readPosition(call: Call): number {
  return readNumber(call, 'position', { min: 0, max: largestId }) ?? 0;
}

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

function readNumber(
  call: Call,
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  const text = readText(call, name);
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  const upTo = max > largestId ? `${min} or more` : `${min} to ${max}`;
  throw new AppError('bad_request', { message: `${name} must be a whole number, ${upTo}` });
}
