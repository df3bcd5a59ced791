/** `hcd banner recount`: sums of the statistics that do not fit their events. */

import { usualDays } from '../../src/banners/statistics/usual-days.js';
import { integerValue } from '../../src/config/value-type.js';
import { defineCommand } from '../command.js';
import { optional, toggle } from '../parameters.js';

export const command = defineCommand({
  path: 'banner recount',
  summary: 'Put sums of the statistics right',
  description: `Compares the sums that statistics are made of with the clicks and impressions themselves, of the last ${usualDays} days unless --days or --all says otherwise, lists those that differ, and puts them right. Visitors may go on clicking meanwhile.\n\nA sum that is lower than its events is raised. One that is higher is listed and left: events may have been removed on purpose, and their sums are kept then. --lower lowers those as well, but only of days whose events are all still there by banners_clicks_retention_days and banners_impressions_retention_days. hcd doctor looks at the same days and changes nothing.`,
  arguments: {},
  options: {
    days: optional(integerValue({ min: 1, max: 36_500 }), {
      placeholder: 'N',
      description: `So many days up to today; ${usualDays} by default`,
    }),
    all: toggle('Every day; with tens of millions of events this takes minutes'),
    lower: toggle('Lower sums that are higher than their events, too'),
    dryRun: toggle('List what differs; change nothing'),
  },
  examples: [
    { line: 'banner recount --dry-run', does: 'See whether the sums of the last days are right' },
    { line: 'banner recount --all --json', does: 'Put every day right, from a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-recount.js')).runRecount(options, deps),
});
