/** `hcd delivery replay --since TIME`: what a receiver missed is sent again. */
import { timeValue } from '../../src/config/time-values.js';
import { integerValue } from '../../src/config/value-type.js';
import type { Store } from '../../src/store/open/open.js';
import {
  countReplay,
  type ReplayRequest,
  replayDeliveries,
} from '../../src/webhooks/administration/requeue-deliveries.js';
import { defineCommand } from '../command.js';
import { confirmChange } from '../confirm.js';
import type { Deps } from '../deps.js';
import { isoTime } from '../key/key-record.js';
import { optional, required, toggle } from '../parameters.js';
import { openReady } from '../store/open-ready.js';

export const command = defineCommand({
  path: 'delivery replay',
  summary: 'Send again what a receiver missed',
  description:
    'Queues every delivery again that was created at the given time or later and was given up or cancelled, with --with-delivered also those that arrived, for a receiver that lost what it had. They are sent with the address and the secret that their subscription has now, by hcd worker; events keep their ids. Deliveries of inactive and removed subscriptions stay as they are. Asks first on a terminal, unless --yes is given.',
  arguments: {},
  options: {
    since: required(timeValue, { placeholder: 'TIME', description: 'Deliveries created at this time or later' }),
    webhook: optional(integerValue({ min: 1, max: 2 ** 32 - 1 }), {
      placeholder: 'ID',
      description: 'Only deliveries of this subscription',
    }),
    withDelivered: toggle('Also what arrived'),
  },
  examples: [
    { line: 'delivery replay --since 2026-11-21T08:00:00Z --webhook 3', does: 'Make up for an outage of one receiver' },
    {
      line: 'delivery replay --since 2026-11-21 --with-delivered --yes',
      does: 'Send everything of a day again, without a question',
    },
  ],
  async run({ since, webhook, withDelivered }, deps) {
    const store = await openReady(deps);
    const request = { since: since * 1000, subscriptionId: webhook ?? null, withDelivered };
    await confirm(deps, { store, request });
    const queued = await replayDeliveries(store, request);
    const next = queued === 0 ? '' : ' A worker sends them: hcd worker, or hcd worker --once';
    return { kind: 'done', message: `Queued deliveries again: ${queued}.${next}`, data: { queued } };
  },
});

async function confirm(
  deps: Deps,
  { store, request }: { readonly store: Store; readonly request: ReplayRequest },
): Promise<void> {
  if (!deps.prompt.isInteractive) return;
  const count = await countReplay(store, request);
  if (count === 0) return;
  const what = count === 1 ? '1 delivery' : `${count} deliveries`;
  await confirmChange(deps, `Send ${what} since ${isoTime(request.since)} again?`);
}
