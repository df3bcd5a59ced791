/** Repeated chores, except deliveries. Several processes may run each of them, and repeat it. */

import { pruneBannerAudit } from '../../banners/management/audit.js';
import { moveDays } from '../../banners/statistics/move-days.js';
import { pruneEvents, type RetentionSettings } from '../../banners/tracking/record-events.js';
import type { Settings } from '../../config/settings.js';
import { type OnNoticed, sweepNext } from '../../content/indexing/notice.js';
import type { ContentWriter } from '../../content/mutations/run-mutation.js';
import { makeReportRefused, publishScheduled } from '../../content/resources/publish-scheduled.js';
import { pruneAudit } from '../../gateway/audit/manage-audit.js';
import { removeExpiredIdempotencyKeys } from '../../gateway/models/idempotency.js';
import { removeEndedPreviews } from '../../identity/models/previews.js';
import { removeEndedRateCounters } from '../../identity/models/rate-counters.js';
import { removeEndedSessions } from '../../identity/models/sessions.js';
import { removeEndedLoginNetworks } from '../../identity/models/users.js';
import { pruneTokens } from '../../identity/oauth/manage-clients.js';
import type { Log } from '../../log/observation.js';
import { publishPagesOnTime } from '../../pages/authoring/publish-pages-on-time.js';
import { reconcilePages } from '../../pages/delivery/reconcile.js';
import type { Tx } from '../../store/base/database.js';
import { writeInBatches } from '../../store/base/transaction.js';
import type { Store } from '../../store/open/open.js';
import { hourMs, minuteMs } from '../../values/dates.js';
import type { Chore } from '../../webhooks/worker/chores.js';

const second = 1000;

interface UpkeepDeps {
  readonly writer: ContentWriter;
  readonly settings: () => Pick<
    Settings,
    'gateway_audit_retention_days' | 'banners_audit_retention_days' | 'banners_timezone'
  > &
    RetentionSettings;
  readonly log: Log;
  readonly noticed: OnNoticed;
}

export function upkeepOf({ writer, settings, log, noticed }: UpkeepDeps): readonly Chore[] {
  const { store, now } = writer;
  const reportRefused = makeReportRefused(log);
  const tellReaders = async () => void (await reconcilePages(writer));
  return [
    {
      name: 'publishing on time',
      everyMs: second,
      wakesOnChange: true,
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
      run: async () => void (await tellReaders()),
    },
    sweeping(store, noticed),
    removing('ended sessions', minuteMs, inBatches(store, removeEndedSessions)),
    removing('kept answers', minuteMs, inBatches(store, removeExpiredIdempotencyKeys)),
    removing('counters of requests', minuteMs, inBatches(store, removeEndedRateCounters)),
    removing('networks of old log-ins', hourMs, inBatches(store, removeEndedLoginNetworks)),
    removing('previews that ended long ago', hourMs, inBatches(store, removeEndedPreviews)),
    {
      name: 'moving the sums of banners to another time zone',
      everyMs: minuteMs,
      run: async (stop) => void (await moveDays(store.own, { zone: settings().banners_timezone, now: now(), stop })),
    },
    removing('ended tokens', hourMs, () => pruneTokens(store, now())),
    removing('old rows of the audit log', hourMs, (signal) =>
      pruneAudit(store, { days: settings().gateway_audit_retention_days, signal }),
    ),
    removing('old clicks and impressions', hourMs, async (signal) => {
      const { clicks, impressions } = await pruneEvents(store, { settings: settings(), signal });
      return clicks + impressions;
    }),
    removing('old entries of the audit log of banners', hourMs, (signal) =>
      pruneBannerAudit(store, { days: settings().banners_audit_retention_days, signal }),
    ),
  ];
}

const sweptTogether = 20;

/** 2,000 resources at a time, so that a large site costs as little as a small one. */
function sweeping(store: Store, noticed: OnNoticed): Chore {
  let place = 0;
  return {
    name: 'comparing the indexes of content with the resources',
    everyMs: 10 * second,
    async run(stop) {
      for (let batch = 0; batch < sweptTogether && !stop.aborted; batch += 1) {
        place = (await sweepNext(store, place, noticed)) ?? 0;
        if (place === 0) break;
      }
      return undefined;
    },
  };
}

type Removal = (stop: AbortSignal) => Promise<number>;

function removing(rows: string, everyMs: number, remove: Removal): Chore {
  return { name: `removing ${rows}`, everyMs, run: async (stop) => ({ removed: await remove(stop) }) };
}

function inBatches({ own }: Store, rows: (tx: Tx, limit: number) => Promise<number>): Removal {
  return (stop) => writeInBatches(own, rows, { stop });
}
