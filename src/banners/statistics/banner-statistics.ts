/** Everything that can be asked about the statistics of banners, bound to the database that has them. */
import type { Reader } from '../../store/base/database.js';
import { exportCsv } from './export.js';
import { comparePeriods, readReferrerPage, readStatistics, readSummary, readTopBanners } from './statistics.js';

/** A question to the database, without it. */
type Bound<F> = F extends (own: Reader, ...rest: infer R) => infer T ? (...rest: R) => T : never;

export interface BannerStatistics {
  readonly statistics: Bound<typeof readStatistics>;
  readonly summary: Bound<typeof readSummary>;
  readonly topBanners: Bound<typeof readTopBanners>;
  readonly referrers: Bound<typeof readReferrerPage>;
  readonly compare: Bound<typeof comparePeriods>;
  readonly csv: Bound<typeof exportCsv>;
}

export function makeBannerStatistics(own: Reader): BannerStatistics {
  return {
    statistics: (question) => readStatistics(own, question),
    summary: (question) => readSummary(own, question),
    topBanners: (question) => readTopBanners(own, question),
    referrers: (question) => readReferrerPage(own, question),
    compare: (question) => comparePeriods(own, question),
    csv: (question) => exportCsv(own, question),
  };
}
