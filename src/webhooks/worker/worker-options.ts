/** Options and report of a worker. Clock, sending and time are arguments, so that tests replace them. */
import type { Clock } from '../../clock/clock.js';
import type { Settings } from '../../config/settings.js';
import type { Sealer } from '../../crypto/seal.js';
import type { Log } from '../../log/observation.js';
import type { Database } from '../../store/base/database.js';
import type { OutboundPolicy } from '../addresses/outbound-policy.js';
import type { OutboundRequest, SendOutcome } from '../client/outbound.js';
import type { DecidingTime } from '../rules/deciding-time.js';

export type WorkerSettings = Pick<
  Settings,
  | 'gateway_webhook_max_attempts'
  | 'gateway_webhook_worker_limit'
  | 'gateway_webhook_concurrency'
  | 'gateway_webhook_keep_answers'
  | 'gateway_webhook_disable_after_days'
  | 'gateway_webhook_retention_days'
>;

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
  readonly atNews?: true;
  /** Returns what it did, where that is of note. */
  readonly run: (stop: AbortSignal) => Promise<Partial<ChoresDone> | undefined>;
}

export interface WorkerOptions {
  readonly own: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly sealer: Sealer;
  readonly send: (request: OutboundRequest) => Promise<SendOutcome>;
  readonly policy: () => OutboundPolicy;
  readonly settings: () => WorkerSettings;
  /** From 0 up to 1; spreads retries. */
  readonly random?: () => number;
  readonly name: string;
  readonly signals: {
    /** Claim nothing further, and finish what is under way. */
    readonly stop: AbortSignal;
    /** End immediately and return deliveries that are under way. */
    readonly end: AbortSignal;
  };
  readonly once: boolean;
  /** Deliveries of one pass; null = the setting. */
  readonly limit: number | null;
  /** Milliseconds between two looks for work when none is known. */
  readonly intervalMs: number;
  readonly chores?: readonly Chore[];
  readonly onPass?: () => void;
  /** Takes what ends a pause early, because there may be new deliveries or dates that have passed. */
  readonly onNews?: (wake: () => void) => void;
  readonly time?: DecidingTime;
}

/** Includes the results of chores only with `once`; otherwise the log reports them. */
export interface WorkerReport extends ChoresDone {
  readonly claimed: number;
  readonly delivered: number;
  readonly retried: number;
  readonly failed: number;
  /** Ended after another worker had taken them over. */
  readonly lost: number;
  /** Work of its own that failed; the log says why. */
  readonly errors: number;
}
