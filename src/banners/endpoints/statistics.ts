/** GET /stats and what is below it (docs/banners-statistics.md): the figures of banners in JSON. */

import type { Call, Endpoint, ParameterDoc, Reply } from '../../http/interface/endpoint.js';
import { readScope } from '../http/management-deps.js';
import { defaultLimit, limitParameter, offsetParameters, readLimit, readOffset } from '../http/paging.js';
import { fieldsDoc, project, readFields, readText } from '../http/query.js';
import { dataReply, listReply, pageReply } from '../http/reply.js';
import { dataSchema, listSchema, objectSchema } from '../http/schema.js';
import {
  bannerSchema,
  dayMembers,
  daySchema,
  deltaSchema,
  referrerMembers,
  referrerSchema,
  sideSchema,
  summarySchema,
  topBannerMembers,
} from '../http/statistics-schema.js';
import { type LocalNow, parsePeriod } from '../rules/periods.js';
import type { BannerStatistics } from '../statistics/banner-statistics.js';
import {
  periodParameter,
  positionParameter,
  rangeParameters,
  readPosition,
  readQuestion,
} from './statistics-parameters.js';

export interface StatisticsDeps {
  /** On behalf of a caller. */
  readonly statistics: (asker: Call['asker']) => BannerStatistics;
  readonly settings: () => { readonly banners_timezone: string };
  /** Unix milliseconds. */
  readonly now: () => number;
}

const defaultTop = 10;
const topRoute = '/stats/top-ads';
const referrersRoute = '/stats/referrers';

/** The moment and the zone of an answer. */
export function localNow({ settings, now }: StatisticsDeps): LocalNow {
  return { now: now(), zone: settings().banners_timezone };
}

/** The rows of the table; the export has its own file. */
export function statisticsEndpoints(deps: StatisticsDeps): readonly Endpoint[] {
  const { statistics } = deps;
  const ask = (call: Call) => readQuestion(call, localNow(deps));
  return [
    statisticsRoute({
      name: 'stats',
      path: '/stats',
      summary: 'Figures of a range, of its days and of its banners',
      parameters: [...rangeParameters, limitParameter(defaultTop)],
      schema: dataSchema(
        objectSchema({
          summary: summarySchema,
          by_day: { type: 'array', items: daySchema },
          top_ads: { type: 'array', items: bannerSchema },
        }),
      ),
      async handler(call) {
        const question = ask(call);
        const limit = readLimit(call, defaultTop);
        const { summary, by_day } = await statistics(call.asker).statistics(question);
        const { rows } = await statistics(call.asker).topBanners({ ...question, limit });
        return dataReply({ summary, by_day, top_ads: rows });
      },
    }),
    statisticsRoute({
      name: 'stats.summary',
      path: '/stats/summary',
      summary: 'Figures of a range',
      parameters: rangeParameters,
      schema: dataSchema(summarySchema),
      handler: async (call) => dataReply(await statistics(call.asker).summary(ask(call))),
    }),
    statisticsRoute({
      name: 'stats.by-day',
      path: '/stats/by-day',
      summary: 'Figures of the days of a range',
      parameters: [...rangeParameters, fieldsDoc(dayMembers)],
      schema: listSchema(daySchema),
      async handler(call) {
        const fields = readFields(call, dayMembers);
        const { by_day } = await statistics(call.asker).statistics(ask(call));
        return listReply(
          by_day.map((day) => project(day, fields)),
          by_day.length,
        );
      },
    }),
    statisticsRoute({
      name: 'stats.top-ads',
      path: topRoute,
      summary: 'Banners of a range by their figures',
      parameters: [...rangeParameters, limitParameter(defaultTop), ...offsetParameters, fieldsDoc(topBannerMembers)],
      schema: listSchema(bannerSchema),
      async handler(call) {
        const fields = readFields(call, topBannerMembers);
        const page = { limit: readLimit(call, defaultTop), offset: readOffset(call) };
        const { rows, total } = await statistics(call.asker).topBanners({ ...ask(call), ...page });
        return pageReply(call, { route: topRoute, ...page, rows: rows.map((row) => project(row, fields)), total });
      },
    }),
    statisticsRoute({
      name: 'stats.referrers',
      path: referrersRoute,
      summary: 'Where the clicks of a range came from',
      parameters: [...rangeParameters, limitParameter(defaultLimit), ...offsetParameters, fieldsDoc(referrerMembers)],
      schema: listSchema(referrerSchema),
      async handler(call) {
        const fields = readFields(call, referrerMembers);
        const page = { limit: readLimit(call, defaultLimit), offset: readOffset(call) };
        const { rows, total } = await statistics(call.asker).referrers({ ...ask(call), ...page });
        return pageReply(call, {
          route: referrersRoute,
          ...page,
          rows: rows.map((row) => project(row, fields)),
          total,
        });
      },
    }),
    statisticsRoute({
      name: 'stats.compare',
      path: '/stats/compare',
      summary: 'Two periods side by side',
      parameters: [
        periodParameter('base', 'this_week', 'The period that is looked at.'),
        periodParameter('compare', 'last_week', 'The period that it is compared with.'),
        positionParameter,
      ],
      schema: dataSchema(objectSchema({ base: sideSchema, compare: sideSchema, delta: deltaSchema })),
      async handler(call) {
        const base = parsePeriod(readText(call, 'base') ?? 'this_week', 'base');
        const compare = parsePeriod(readText(call, 'compare') ?? 'last_week', 'compare');
        const position = readPosition(call);
        return dataReply(await statistics(call.asker).compare({ base, compare, position, clock: localNow(deps) }));
      },
    }),
  ];
}

interface StatisticsRoute {
  readonly name: string;
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly ParameterDoc[];
  readonly schema: Readonly<Record<string, unknown>>;
  readonly handler: (call: Call) => Promise<Reply>;
}

function statisticsRoute({ schema, ...route }: StatisticsRoute): Endpoint {
  return {
    ...route,
    method: 'GET',
    access: { kind: 'scope', scope: readScope },
    object: null,
    tags: ['Statistics'],
    response: { status: 200, description: route.summary, schema },
  };
}
