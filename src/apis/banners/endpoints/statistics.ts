/** GET /stats and what is below it (interfaces.md C, contract 3.3): the figures of banners in JSON. */
import { type LocalNow, parsePeriod } from '../../../banners/periods.js';
import type { Call, Endpoint, ParameterDoc, Reply } from '../../../http/endpoint.js';
import type { BannerStatistics } from '../../../services/banner-statistics/banner-statistics.js';
import { readScope } from '../management-deps.js';
import {
  bannerSchema,
  dataReply,
  dataSchema,
  daySchema,
  deltaSchema,
  listReply,
  listSchema,
  objectSchema,
  pageReply,
  referrerSchema,
  sideSchema,
  summarySchema,
} from '../present/statistics-reply.js';
import {
  limitParameter,
  offsetParameters,
  periodParameter,
  positionParameter,
  rangeParameters,
  readLimit,
  readOffset,
  readPosition,
  readQuestion,
  readText,
} from './statistics-parameters.js';

export interface StatisticsDeps {
  readonly statistics: BannerStatistics;
  readonly settings: () => { readonly banners_timezone: string };
  /** Unix milliseconds. */
  readonly now: () => number;
}

const defaultTop = 10;
const defaultPage = 20;
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
        const { summary, by_day } = await statistics.statistics(question);
        const { rows } = await statistics.topBanners({ ...question, limit });
        return dataReply({ summary, by_day, top_ads: rows });
      },
    }),
    statisticsRoute({
      name: 'stats.summary',
      path: '/stats/summary',
      summary: 'Figures of a range',
      parameters: rangeParameters,
      schema: dataSchema(summarySchema),
      handler: async (call) => dataReply(await statistics.summary(ask(call))),
    }),
    statisticsRoute({
      name: 'stats.by-day',
      path: '/stats/by-day',
      summary: 'Figures of the days of a range',
      parameters: rangeParameters,
      schema: listSchema(daySchema),
      async handler(call) {
        const { by_day } = await statistics.statistics(ask(call));
        return listReply(by_day, by_day.length);
      },
    }),
    statisticsRoute({
      name: 'stats.top-ads',
      path: '/stats/top-ads',
      summary: 'Banners of a range by their figures',
      parameters: [...rangeParameters, limitParameter(defaultTop)],
      schema: listSchema(bannerSchema),
      async handler(call) {
        const { rows, total } = await statistics.topBanners({ ...ask(call), limit: readLimit(call, defaultTop) });
        return listReply(rows, total);
      },
    }),
    statisticsRoute({
      name: 'stats.referrers',
      path: referrersRoute,
      summary: 'Where the clicks of a range came from',
      parameters: [...rangeParameters, limitParameter(defaultPage), ...offsetParameters],
      schema: listSchema(referrerSchema),
      async handler(call) {
        const page = { limit: readLimit(call, defaultPage), offset: readOffset(call) };
        const found = await statistics.referrers({ ...ask(call), ...page });
        return pageReply(call, { route: referrersRoute, ...page, ...found });
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
        return dataReply(await statistics.compare({ base, compare, position, clock: localNow(deps) }));
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
