/** GET /stats/export: events and figures as a CSV file, made while it is sent (docs/banners-statistics.md#csv). */

import { AppError } from '../../errors/app-error.js';
import type { Call, Endpoint } from '../../http/interface/endpoint.js';
import { readScope } from '../http/management-deps.js';
import { readText } from '../http/query.js';
import type { Range } from '../rules/periods.js';
import { type ExportType, exportTypes } from '../statistics/export.js';
import { localNow, type StatisticsDeps } from './statistics.js';
import { rangeParameters, readQuestion, typeParameter } from './statistics-parameters.js';

export function statisticsExportEndpoint(deps: StatisticsDeps): Endpoint {
  return {
    name: 'stats.export',
    method: 'GET',
    path: '/stats/export',
    access: { kind: 'scope', scope: readScope },
    object: null,
    summary: 'Events or figures of a range as CSV',
    tags: ['Statistics'],
    parameters: [typeParameter, ...rangeParameters],
    produces: ['text/csv'],
    response: {
      status: 200,
      description: 'A file with a header row.',
      type: 'text/csv',
      schema: { type: 'string' },
    },
    async handler(call) {
      const type = readType(call);
      const question = readQuestion(call, localNow(deps));
      return {
        status: 200,
        headers: { 'Content-Disposition': `attachment; filename="${fileName(type, question.range)}"` },
        body: {
          kind: 'stream',
          type: 'text/csv; charset=utf-8',
          open: () => deps.statistics(call.asker).csv({ ...question, type }),
        },
        caching: { kind: 'never' },
      };
    },
  };
}

function readType(call: Call): ExportType {
  const text = readText(call, 'type') ?? 'report';
  const type = exportTypes.find((name) => name === text);
  if (type === undefined)
    throw new AppError('bad_request', { message: `type must be one of ${exportTypes.join(', ')}` });
  return type;
}

/** `banner-clicks-2026-11-01-2026-11-21.csv`: digits, letters and hyphens only. */
function fileName(type: ExportType, { period, fromText, toText }: Range): string {
  const days = [fromText, toText].filter((text) => text !== null).map((text) => text.slice(0, 10));
  return `${['banner', type, ...(days.length === 0 ? [period] : days)].join('-')}.csv`;
}
