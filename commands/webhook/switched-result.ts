/** The result of turning a subscription on or off. */
import type { Store } from '../../src/store/open/open.js';
import type { Switched } from '../../src/webhooks/administration/write-subscriptions.js';
import type { Deps } from '../deps.js';
import type { DoneResult } from '../result.js';
import { describeSubscription } from './show-subscription.js';

export async function switchedResult(
  message: string,
  { subscription, cancelled }: Switched,
  parts: { readonly store: Store; readonly deps: Deps },
): Promise<DoneResult> {
  return { kind: 'done', message, data: { ...(await describeSubscription(subscription, parts)), cancelled } };
}
