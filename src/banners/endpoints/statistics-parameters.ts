/** Query parameters of the statistics routes alone: ranges, periods, position and type, with their documents. */

import type { Call, ParameterDoc } from '../../http/interface/endpoint.js';
import { largestId, readNumber, readText } from '../http/query.js';
import { type LocalNow, parseRange, periodTexts } from '../rules/periods.js';
import { exportTypes } from '../statistics/export.js';
import type { StatisticsQuestion } from '../statistics/statistics.js';

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

export const typeParameter = queryParameter(
  'type',
  'What the file holds; report and summary are the same.',
  { type: 'string', enum: exportTypes, default: 'report' },
  'clicks',
);

export function readQuestion(call: Call, clock: LocalNow): StatisticsQuestion {
  const texts = { period: readText(call, 'period') ?? 'all', from: readText(call, 'from'), to: readText(call, 'to') };
  return { range: parseRange(texts, clock), position: readPosition(call), clock };
}

/** 0 = all. */
export function readPosition(call: Call): number {
  return readNumber(call, 'position', { min: 0, max: largestId }) ?? 0;
}
