/** Runs chores next to deliveries: a planned publication must not wait for a receiver that hangs. */

import { Op } from 'sequelize';
import type { Clock } from '../../clock/clock.js';
import type { Database, Reader, Tx } from '../../store/base/database.js';
import { hourMs, minuteMs } from '../../values/dates.js';
import { deliveries, lockDeliveries, openStatuses } from '../models/deliveries.js';
import { subscriptions } from '../models/subscriptions.js';
import { cancelStray, removeFinished } from '../queue/outbox.js';
import { type DecidingTime, readTime, worrySkewMs } from '../rules/deciding-time.js';
import { leaseMs } from './claim.js';
import { WakeUp, type WorkerSettings } from './delivery-loop.js';

export interface ChoresDone {
  readonly published: number;
  readonly withdrawn: number;
  readonly removed: number;
}

/** Runs when the worker starts and again, its interval after it has ended. */
export interface Chore {
  /** A few fixed words for the log. */
  readonly name: string;
  readonly everyMs: number;
  /** Also at once when content changes. */
  readonly wakesOnChange?: true;
  /** Returns what it did, where that is of note. */
  readonly run: (stop: AbortSignal) => Promise<Partial<ChoresDone> | undefined>;
}

interface ChoresDeps {
  readonly clock: Clock;
  readonly chores: readonly Chore[];
  readonly onError: (during: string, error: unknown) => void;
}

export class Chores {
  readonly #deps: ChoresDeps;
  /** By the clock that never goes back; a success removes the entry. */
  readonly #reportedAt = new Map<Chore, number>();
  readonly #waking: WakeUp[] = [];

  constructor(deps: ChoresDeps) {
    this.#deps = deps;
  }

  /** Repeats each chore an interval after it has ended, until the signal. Never rejects. */
  async repeat(stop: AbortSignal): Promise<void> {
    const { chores, clock } = this.#deps;
    await Promise.all(
      chores.map(async (chore) => {
        const pause = new WakeUp(clock);
        stop.addEventListener('abort', () => pause.call(), { once: true });
        if (chore.wakesOnChange === true) this.#waking.push(pause);
        while (!stop.aborted) {
          await this.#run(chore, stop);
          await pause.wait(chore.everyMs);
        }
      }),
    );
  }

  wake(): void {
    for (const pause of this.#waking) pause.call();
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
      this.#reportedAt.delete(chore);
      return done;
    } catch (error) {
      this.#tell(chore, error);
      return undefined;
    }
  }

  /** A chore that runs every second must not fill the log while it fails. */
  #tell(chore: Chore, error: unknown): void {
    const now = this.#deps.clock.elapsed();
    if (now - (this.#reportedAt.get(chore) ?? Number.NEGATIVE_INFINITY) < hourMs) return;
    this.#reportedAt.set(chore, now);
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

const batchSize = 500;
/** Shorter than a lease, so that no delivery waits longer than that. */
const everyMs = 10_000;

/** Looks at the first run, because the clock may have been set back while no worker ran, and after each step back. */
function setBackChore(parts: { readonly own: Database; readonly time: DecidingTime; readonly clock: Clock }): Chore {
  const { own, time, clock } = parts;
  /** How far the deciding time is ahead of the clock that never goes back. */
  let lead = Number.POSITIVE_INFINITY;
  const run = async (): Promise<undefined> => {
    const now = await readTime(own.primary, time);
    const leadNow = now - clock.elapsed();
    if (leadNow < lead - worrySkewMs) await bringAllBack(own, now);
    // Only after success; and a clock that is a little slow adds up over days.
    lead = leadNow;
  };
  return { name: 'heeding a clock set back', everyMs, run };
}

async function bringAllBack(own: Database, now: number): Promise<void> {
  for (const status of openStatuses) {
    for (let isFull = true; isFull; ) {
      const ids = await findImpossible(own.primary, status, now);
      // Others work on the same deliveries: changed rows need nothing.
      const changed = ids.length === 0 ? 0 : await own.write((tx) => bringBack(tx, ids, now));
      isFull = changed > 0 && ids.length === batchSize;
    }
  }
}

type OpenStatus = (typeof openStatuses)[number];

/** A first attempt is due from the moment it was queued. A repetition may be a day away, so it keeps its time. */
function latestTime(status: OpenStatus, now: number): number {
  return status === 'pending' ? now : now + leaseMs;
}

/** Reads nothing that is due. */
async function findImpossible(reader: Reader, status: OpenStatus, now: number): Promise<number[]> {
  const active = await subscriptions.on(reader).lookUpAll({ active: true }, { attributes: ['id'] });
  const rows = await deliveries.on(reader).findAll({
    attributes: ['id'],
    where: {
      status,
      subscriptionId: active.map(({ id }) => id),
      visibleAt: { [Op.gt]: latestTime(status, now) },
      ...(status === 'pending' ? { attempts: 0 } : {}),
    },
    limit: batchSize,
  });
  return rows.map(({ id }) => id);
}

/** Makes waiting deliveries due and ends leases after the time of one lease. Returns how many there were. */
async function bringBack(tx: Tx, ids: readonly number[], now: number): Promise<number> {
  const locked = await lockDeliveries(tx, ids);
  let all = 0;
  for (const status of openStatuses) {
    const visibleAt = latestTime(status, now);
    const late = locked.filter((row) => row.status === status && row.visibleAt > visibleAt);
    const own = late.filter(({ attempts }) => status === 'delivering' || attempts === 0).map(({ id }) => id);
    if (own.length > 0) all += await deliveries.on(tx).update({ visibleAt }, { where: { id: own } });
  }
  return all;
}
