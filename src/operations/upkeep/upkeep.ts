/**
 * What runs repeatedly, except deliveries: planned publication, and the removal of rows that are past
 * their time. Each is harmless to repeat and to run in several processes at once.
 */

import { pruneBannerAudit } from '../../banners/management/audit.js';
import { moveDays } from '../../banners/statistics/move-days.js';
import { pruneEvents, type RetentionSettings } from '../../banners/tracking/prune-events.js';
import type { Settings } from '../../config/setting-definitions.js';
import { removeOldChanges } from '../../content/models/changes.js';
import type { ContentWriter } from '../../content/mutations/write-request.js';
import { makeReportRefused, publishScheduled } from '../../content/resources/publish-scheduled.js';
import { pruneAudit } from '../../gateway/audit/manage-audit.js';
import { removeExpiredIdempotencyKeys } from '../../gateway/models/idempotency.js';
import { removeEndedLoginNetworks } from '../../identity/models/login-networks.js';
import { removeEndedRateCounters } from '../../identity/models/rate-counters.js';
import { removeEndedSessions } from '../../identity/models/sessions.js';
import { pruneTokens } from '../../identity/oauth/manage-tokens.js';
import type { Log } from '../../log/observation.js';
import { publishPagesOnTime } from '../../pages/authoring/publish-pages-on-time.js';
import { reconcilePages } from '../../pages/delivery/reconcile.js';
import type { Tx } from '../../store/base/database.js';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
/** Rows that one transaction removes, so that other writers do not wait long. */
const together = 1000;

interface UpkeepDeps {
  readonly writer: ContentWriter;
  readonly settings: () => Pick<
    Settings,
    'gateway_audit_retention_days' | 'banners_audit_retention_days' | 'banners_timezone'
  > &
    RetentionSettings;
  readonly log: Log;
}

interface Done {
  readonly published: number;
  readonly withdrawn: number;
  /** Rows that were past their time. */
  readonly removed: number;
}

interface Upkeep {
  /** What it does, in a few fixed words for the log. */
  readonly name: string;
  readonly everyMs: number;
  /** Gives what it did, for the report of the command. */
  readonly run: (stop: AbortSignal) => Promise<Partial<Done> | undefined>;
}

export function upkeepOf({ writer, settings, log }: UpkeepDeps): readonly Upkeep[] {
  const { store, now } = writer;
  const remove = (rows: (tx: Tx, limit: number) => Promise<number>) => async (stop: AbortSignal) => {
    let all = 0;
    for (let removed = together; removed === together && !stop.aborted; all += removed) {
      removed = await store.own.write((tx) => rows(tx, together));
    }
    return { removed: all };
  };
  const reportRefused = makeReportRefused(log);
  const tellReaders = async () => void (await reconcilePages(writer));
  return [
    {
      name: 'publishing on time',
      everyMs: second,
      async run(stop) {
        const { published, withdrawn, refused } = await publishScheduled(writer, stop);
        if (published + withdrawn > 0) log({ kind: 'publications_done', published, withdrawn });
        reportRefused(refused);
        return { published, withdrawn };
      },
    },
    {
      name: 'publishing pages on time',
      everyMs: second,
      async run(stop) {
        const { published, withdrawn, refused } = await publishPagesOnTime({ store, by: 'worker', tellReaders }, stop);
        if (published + withdrawn > 0) log({ kind: 'publications_done', published, withdrawn });
        for (const plan of refused) log({ kind: 'page_plan_refused', ...plan });
        return { published, withdrawn };
      },
    },
    {
      // Servers look for changes themselves; this numbers changes of resources while no reader asks.
      name: 'comparing pages with their resources',
      everyMs: 5 * second,
      async run() {
        await tellReaders();
      },
    },
    { name: 'removing ended sessions', everyMs: minute, run: remove(removeEndedSessions) },
    { name: 'removing kept answers', everyMs: minute, run: remove(removeExpiredIdempotencyKeys) },
    { name: 'removing counters of requests', everyMs: minute, run: remove(removeEndedRateCounters) },
    { name: 'removing networks of old log-ins', everyMs: hour, run: remove(removeEndedLoginNetworks) },
    {
      name: 'removing old changes',
      everyMs: minute,
      async run(stop) {
        while (!stop.aborted && (await removeOldChanges(store.own)));
      },
    },
    {
      name: 'moving the sums of banners to another time zone',
      everyMs: minute,
      async run(stop) {
        await moveDays(store.own, { zone: settings().banners_timezone, now: now(), stop });
      },
    },
    {
      name: 'removing ended tokens',
      everyMs: hour,
      async run() {
        return { removed: await pruneTokens(store, now()) };
      },
    },
    {
      name: 'removing old rows of the audit log',
      everyMs: hour,
      async run(stop) {
        const days = settings().gateway_audit_retention_days;
        return { removed: await pruneAudit(store, { days, signal: stop }) };
      },
    },
    {
      name: 'removing old clicks and impressions',
      everyMs: hour,
      async run(stop) {
        const { clicks, impressions } = await pruneEvents(store, { settings: settings(), signal: stop });
        return { removed: clicks + impressions };
      },
    },
    {
      name: 'removing old entries of the audit log of banners',
      everyMs: hour,
      async run(stop) {
        const days = settings().banners_audit_retention_days;
        return { removed: await pruneBannerAudit(store, { days, signal: stop }) };
      },
    },
  ];
}
