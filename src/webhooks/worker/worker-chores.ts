/** The chores that every worker has, joined with those that it is given. */

import type { Clock } from '../../clock/clock.js';
import type { Database } from '../../store/base/database.js';
import { minuteMs } from '../../values/dates.js';
import { cancelStray } from '../queue/cancel-open.js';
import type { DecidingTime } from '../rules/deciding-time.js';
import { removeFinished } from '../rules/retention.js';
import { Chores, type ChoresDeps } from './chores.js';
import { setBackChore } from './clock-set-back.js';
import type { Chore, WorkerSettings } from './worker-options.js';

export interface WorkerChoresDeps extends Pick<ChoresDeps, 'onError'> {
  readonly own: Database;
  readonly time: DecidingTime;
  readonly clock: Clock;
  readonly settings: () => WorkerSettings;
  readonly compareClocks: () => Promise<unknown>;
  readonly others: readonly Chore[];
}

const hourMs = 3_600_000;

export function workerChores(deps: WorkerChoresDeps): Chores {
  const { own, time, clock, settings, compareClocks, others, onError } = deps;
  const chores: readonly Chore[] = [
    { name: 'comparing clocks', everyMs: minuteMs, run: async () => void (await compareClocks()) },
    setBackChore({ own, time, clock }),
    { name: 'cancelling stray deliveries', everyMs: 10 * minuteMs, run: async () => void (await cancelStray(own)) },
    {
      name: 'removing old deliveries',
      everyMs: hourMs,
      async run(stop) {
        return { removed: await removeFinished({ own, time, days: settings().gateway_webhook_retention_days, stop }) };
      },
    },
    ...others,
  ];
  return new Chores({ clock, onError, chores });
}
