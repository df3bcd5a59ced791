/** GET /stats and the routes below it (docs/banners-statistics.md): figures in JSON, events and figures as CSV. */
import { AppError } from '../../errors/app-error.js';
import { type Call, type Endpoint, objectSchema, type ParameterDoc } from '../../http/interface/endpoint.js';
import type { Reader } from '../../store/base/database.js';
import { largestUnsigned } from '../../values/unsigned.js';
import { dataReply, listReply } from '../http/envelope.js';
import {
  fieldsDoc,
  limitParameter,
  project,
  queryDoc,
  readFields,
  readFlag,
  readLimit,
  readNumber,
  readText,
} from '../http/query.js';
import { listRoute, readRoute } from '../http/routes.js';
import { dataSchema, listSchema, type Schema } from '../http/schema.js';
import { parsePeriod, parseRange, periodNames, type Range, rangeOf } from '../rules/periods.js';
import { type ExportType, exportCsv, exportTypes } from '../statistics/export.js';
import {
  comparePeriods,
  readReferrerPage,
  readStatistics,
  readSummary,
  readTop,
  type StatisticsQuestion,
} from '../statistics/statistics.js';

export interface StatisticsDeps {
  readonly readerFor: (asker: Call['asker']) => Reader;
  readonly settings: () => { readonly banners_timezone: string };
  readonly now: () => number;
}

const defaultTop = 10;
const tags = ['Statistics'];

const subjectParameters = [
  { name: 'position', example: '3' },
  { name: 'banner', example: '7' },
].map(({ name, example }) =>
  queryDoc({
    name,
    description: `Only this ${name}; 0 = all.`,
    schema: { type: 'integer', minimum: 0, maximum: largestUnsigned, default: 0 },
    example,
  }),
);

const dateSchema = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}([T ]\\d{2}:\\d{2}(:\\d{2})?)?$' };

const rangeParameters: readonly ParameterDoc[] = [
  periodParameter('period', 'all', 'Days of the zone of banners_timezone; weeks begin on Monday.'),
  queryDoc({
    name: 'from',
    description: 'Beginning of the range, a day or a local time; wins over period.',
    schema: dateSchema,
    example: '2026-11-01',
  }),
  queryDoc({
    name: 'to',
    description: 'End of the range, included: the whole day, or the second of a local time; wins over period.',
    schema: dateSchema,
    example: '2026-11-21 18:00',
  }),
  ...subjectParameters,
];

function periodParameter(name: string, standard: string, description: string): ParameterDoc {
  return queryDoc({
    name,
    description: `${description} Other spellings of the names are accepted too.`,
    schema: { type: 'string', enum: periodNames, default: standard },
    example: 'this_month',
  });
}

const figures: Readonly<Record<string, Schema>> = {
  clicks: { type: 'integer' },
  impressions: { type: 'integer' },
  conversions: { type: 'integer' },
  ctr: { type: ['number', 'null'] },
  cvr: { type: ['number', 'null'] },
};
const summarySchema = objectSchema({
  period: { type: 'string' },
  from: { type: ['string', 'null'] },
  to: { type: ['string', 'null'] },
  ...figures,
});
const dayRow = { date: { type: 'string', format: 'date' }, ...figures };
const bannerRow = { id: { type: 'integer' }, name: { type: ['string', 'null'] }, ...figures };
const referrerRow = { referrer: { type: 'string' }, clicks: { type: 'integer' } };
const daysSchema = { type: 'array', items: objectSchema(dayRow) };
const sideSchema = objectSchema({ summary: summarySchema, by_day: daysSchema });
export const dashboardSchema = objectSchema({
  ...{ summary: summarySchema, by_day: daysSchema },
  top_ads: { type: 'array', items: objectSchema(bannerRow) },
});
const deltaSchema = objectSchema(
  Object.fromEntries(Object.keys(figures).map((name) => [name, { type: ['number', 'null'] }])),
);

export function statisticsEndpoints(deps: StatisticsDeps): readonly Endpoint[] {
  const reader = (call: Call): Reader => deps.readerFor(call.asker);
  const clock = () => ({ now: deps.now(), zone: deps.settings().banners_timezone });
  const ask = (call: Call): StatisticsQuestion => {
    const texts = { period: readText(call, 'period') ?? 'all', from: readText(call, 'from'), to: readText(call, 'to') };
    return { range: parseRange(texts, clock()), subject: readSubject(call), clock: clock() };
  };
  return [
    statisticsRoute({
      name: 'getStats',
      path: '/stats',
      summary: 'Figures of a range, of its days and of its banners',
      parameters: [...rangeParameters, limitParameter(defaultTop)],
      schema: dataSchema(dashboardSchema),
      async handler(call) {
        const question = ask(call);
        const limit = readLimit(call, defaultTop);
        const { summary, by_day } = await readStatistics(reader(call), question);
        const { rows } = await readTop(reader(call), { ...question, by: 'ad', limit });
        return dataReply({ summary, by_day, top_ads: rows });
      },
    }),
    statisticsRoute({
      name: 'getStatsSummary',
      path: '/stats/summary',
      summary: 'Figures of a range',
      parameters: rangeParameters,
      schema: dataSchema(summarySchema),
      handler: async (call) => dataReply(await readSummary(reader(call), ask(call))),
    }),
    statisticsRoute({
      name: 'listStatsByDay',
      path: '/stats/by-day',
      summary: 'Figures of the days of a range',
      parameters: [...rangeParameters, fieldsDoc(Object.keys(dayRow))],
      schema: listSchema(objectSchema(dayRow)),
      async handler(call) {
        const fields = readFields(call, Object.keys(dayRow));
        const { by_day } = await readStatistics(reader(call), ask(call));
        return listReply(
          by_day.map((day) => project(day, fields)),
          by_day.length,
        );
      },
    }),
    listRoute({
      name: 'listStatsTopAds',
      path: '/stats/top-ads',
      summary: 'Banners of a range by their figures',
      tags,
      description: 'Banners of a range by their figures',
      parameters: rangeParameters,
      row: bannerRow,
      limit: defaultTop,
      read: (call, page) => readTop(reader(call), { ...ask(call), by: 'ad', ...page }),
    }),
    listRoute({
      name: 'listStatsReferrers',
      path: '/stats/referrers',
      summary: 'Where the clicks of a range came from',
      tags,
      description: 'Where the clicks of a range came from',
      parameters: rangeParameters,
      row: referrerRow,
      read: (call, page) => readReferrerPage(reader(call), { ...ask(call), ...page }),
    }),
    statisticsRoute({
      name: 'getStatsComparison',
      path: '/stats/compare',
      summary: 'Two periods side by side',
      parameters: [
        periodParameter('base', 'this_week', 'The period that is looked at.'),
        periodParameter('compare', 'last_week', 'The period that it is compared with.'),
        ...subjectParameters,
      ],
      schema: dataSchema(objectSchema({ base: sideSchema, compare: sideSchema, delta: deltaSchema })),
      async handler(call) {
        const base = parsePeriod(readText(call, 'base') ?? 'this_week', 'base');
        const compare = parsePeriod(readText(call, 'compare') ?? 'last_week', 'compare');
        const now = clock();
        const ranges = { base: rangeOf(base, now), compare: rangeOf(compare, now) };
        return dataReply(await comparePeriods(reader(call), { ...ranges, subject: readSubject(call), clock: now }));
      },
    }),
    readRoute({
      name: 'getStatsExport',
      path: '/stats/export',
      summary: 'Events or figures of a range as CSV',
      tags,
      description: 'A file with a header row.',
      parameters: [
        queryDoc({
          name: 'type',
          description: 'What the file holds; report and summary are the same.',
          schema: { type: 'string', enum: exportTypes, default: 'report' },
          example: 'clicks',
        }),
        ...rangeParameters,
        queryDoc({
          name: 'bom',
          description: '1 = the file begins with a byte order mark, by which spreadsheets recognise UTF-8.',
          schema: { type: 'integer', enum: [0, 1], default: 0 },
          example: '1',
        }),
      ],
      type: 'text/csv',
      schema: { type: 'string' },
      async handler(call) {
        const type = readType(call);
        const question = { ...ask(call), type, bom: readFlag(call, 'bom') === true };
        return {
          status: 200,
          headers: { 'Content-Disposition': `attachment; filename="${fileName(type, question.range)}"` },
          body: {
            kind: 'stream',
            type: 'text/csv; charset=utf-8',
            open: () => exportCsv(reader(call), question),
          },
          caching: { kind: 'never' },
        };
      },
    }),
  ];
}

function statisticsRoute(route: Omit<Parameters<typeof readRoute>[0], 'description' | 'tags'>): Endpoint {
  return readRoute({ ...route, tags, description: route.summary });
}

function readSubject(call: Call): StatisticsQuestion['subject'] {
  const read = (name: string): number => readNumber(call, name, { min: 0, max: largestUnsigned }) ?? 0;
  return { banner: read('banner'), position: read('position') };
}

function readType(call: Call): ExportType {
  const text = readText(call, 'type') ?? 'report';
  const type = exportTypes.find((name) => name === text);
  if (type === undefined)
    throw new AppError('bad_request', { message: `type must be one of ${exportTypes.join(', ')}` });
  return type;
}

function fileName(type: ExportType, { period, fromText, toText }: Range): string {
  const days = [fromText, toText].filter((text) => text !== null).map((text) => text.slice(0, 10));
  return `${['banner', type, ...(days.length === 0 ? [period] : days)].join('-')}.csv`;
}
