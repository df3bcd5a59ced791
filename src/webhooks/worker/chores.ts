/** Runs chores next to deliveries: a planned publication must not wait for a receiver that hangs. */
import type { Clock } from '../../clock/clock.js';
import type { Database } from '../../store/base/database.js';
import { minuteMs } from '../../values/dates.js';
import { cancelStray } from '../queue/cancel-open.js';
import { removeFinished } from '../queue/remove-finished.js';
import type { DecidingTime } from '../rules/deciding-time.js';
import { setBackChore } from './clock-set-back.js';
import type { Chore, ChoresDone, WorkerSettings } from './worker-options.js';

interface ChoresDeps {
  readonly clock: Clock;
  readonly chores: readonly Chore[];
  readonly onError: (during: string, error: unknown) => void;
}

const tellAgainMs = 3_600_000;

export class Chores {
  readonly #deps: ChoresDeps;
  /** By the clock that never goes back; a success removes the entry. */
  readonly #toldAt = new Map<Chore, number>();

  constructor(deps: ChoresDeps) {
    this.#deps = deps;
  }

  /** Repeats each chore an interval after it has ended, until the signal. Never rejects. */
  async repeat(stop: AbortSignal): Promise<void> {
    const { chores, clock } = this.#deps;
    await Promise.all(
      chores.map(async (chore) => {
        while (!stop.aborted) {
          await this.#run(chore, stop);
          await clock.sleep(chore.everyMs, stop);
        }
      }),
    );
  }

  /** Runs each once, in their order. Never rejects. */
  async runAll(stop: AbortSignal): Promise<ChoresDone> {
    const all = { published: 0, withdrawn: 0, removed: 0 };
    for (const chore of this.#deps.chores) {
      const done = stop.aborted ? undefined : await this.#run(chore, stop);
      all.published += done?.published ?? 0;
      all.withdrawn += done?.withdrawn ?? 0;
      all.removed += done?.removed ?? 0;
    }
    return all;
  }

  /** Never rejects: one that fails does not keep the others from running. */
  async #run(chore: Chore, stop: AbortSignal): Promise<Partial<ChoresDone> | undefined> {
    try {
      const done = await chore.run(stop);
      this.#toldAt.delete(chore);
      return done;
    } catch (error) {
      this.#tell(chore, error);
      return undefined;
    }
  }

  /** A chore that runs every second must not fill the log while it fails. */
  #tell(chore: Chore, error: unknown): void {
    const now = this.#deps.clock.elapsed();
    if (now - (this.#toldAt.get(chore) ?? Number.NEGATIVE_INFINITY) < tellAgainMs) return;
    this.#toldAt.set(chore, now);
    this.#deps.onError(chore.name, error);
  }
}

interface WorkerChoresDeps extends Pick<ChoresDeps, 'onError'> {
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
