/** Sends one waiting delivery immediately, for tests of a subscription: a failure is final. */
import type { Clock } from '../../clock/clock.js';
import type { Database } from '../../store/base/database.js';
import type { DecidingTime } from '../rules/deciding-time.js';
import { claimOne } from './claim.js';
import { type Attempt, type DeliverDeps, deliver } from './deliver.js';
import { settle } from './settle.js';

export interface SendOneDeps extends Pick<DeliverDeps, 'send' | 'sealer' | 'policy' | 'keepsAnswers' | 'stop'> {
  readonly own: Database;
  readonly clock: Clock;
  readonly time: DecidingTime;
  readonly name: string;
  /** Days of nothing but failures after which a receiver is disabled; 0 = never. */
  readonly disableAfterDays: number;
}

const maxAttempts = 1;

/** Null when a worker was faster and has the delivery. */
export async function sendOne(deps: SendOneDeps, id: number): Promise<Attempt | null> {
  const { own, clock, time, name, disableAfterDays } = deps;
  const claimedAt = clock.elapsed();
  const delivery = await claimOne({ own, time, claimedBy: name }, id);
  if (delivery === null) return null;
  const attempt = await deliver(deps, { delivery, maxAttempts, claimedAt });
  const fixed = { random: () => 0, maxAttempts: () => maxAttempts, disableAfterDays: () => disableAfterDays };
  await settle({ own, time, ...fixed }, [{ delivery, attempt }]);
  return attempt;
}
