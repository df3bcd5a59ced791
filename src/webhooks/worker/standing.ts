/** When a receiver that only fails is warned of and disabled (docs/webhooks.md#when-a-delivery-fails). Pure. */
import { dayMs } from '../../values/dates.js';
import type { SubscriptionRow } from '../rows/webhook-subscriptions.js';

export interface StandingQuestion {
  readonly subscription: Pick<SubscriptionRow, 'failures' | 'firstFailureOn' | 'warnings'>;
  readonly now: number;
  /** Days of nothing but failures; 0 = never. */
  readonly disableAfterDays: number;
}

export type Standing =
  | { readonly kind: 'fine' }
  /** The first warning comes after half of the time, the second one a day before its end. */
  | { readonly kind: 'warn'; readonly warnings: number; readonly failingDays: number; readonly daysLeft: number }
  | { readonly kind: 'disable'; readonly failingDays: number };

/** Fewer say little: a site that changes once a week would lose its receiver over two failures. */
const fewestFailures = 10;

export function standingOf({ subscription, now, disableAfterDays }: StandingQuestion): Standing {
  const { failures, firstFailureOn, warnings } = subscription;
  if (disableAfterDays === 0 || firstFailureOn === null) return { kind: 'fine' };
  const failing = (now - firstFailureOn) / dayMs;
  const failingDays = Math.round(failing * 10) / 10;
  if (failing >= disableAfterDays)
    return failures >= fewestFailures ? { kind: 'disable', failingDays } : { kind: 'fine' };
  const due = failing >= disableAfterDays - 1 && disableAfterDays > 1 ? 2 : failing >= disableAfterDays / 2 ? 1 : 0;
  if (due <= warnings) return { kind: 'fine' };
  const daysLeft = Math.round((disableAfterDays - failing) * 10) / 10;
  return { kind: 'warn', warnings: due, failingDays, daysLeft };
}
