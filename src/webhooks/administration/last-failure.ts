/** The last failure of a receiver, for people who look at its subscription. */

import type { Store } from '../../store/open/open.js';
import { readLastFailure } from '../rows/webhook-attempts.js';

export interface LastFailure {
  /** Unix milliseconds. */
  readonly on: number;
  readonly error: string;
}

/** Null when none is kept. */
export async function findLastFailure({ own }: Store, subscriptionId: number): Promise<LastFailure | null> {
  const row = await readLastFailure(own.primary, subscriptionId);
  return row === null ? null : { on: row.endedOn, error: row.error ?? row.outcome };
}
