/** `hcd delivery replay --since TIME`: queues missed deliveries again. */
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
import { optional, required, toggle } from '../parameters.js';
import { isoTime } from '../result.js';

export const command = defineCommand({
  path: 'delivery replay',
  summary: 'Send missed deliveries again',
  description:
    'Queues failed and cancelled deliveries again that were created at the given time or later. hcd worker sends them with the current URL and secret of their subscription; events keep their ids. Deliveries to inactive and removed subscriptions are not sent. Asks for confirmation on a terminal, unless --yes is given.',
  arguments: {},
  options: {
    since: required(timeValue, { placeholder: 'TIME', description: 'Send deliveries created at this time or later' }),
    webhook: optional(integerValue({ min: 1, max: 2 ** 32 - 1 }), {
      placeholder: 'ID',
      description: 'Send only deliveries to this subscription',
    }),
    withDelivered: toggle('Also send deliveries that succeeded, for a receiver that lost its data'),
  },
  examples: [
    {
      line: 'delivery replay --since 2026-11-21T08:00:00Z --webhook 3',
      does: 'Send what one subscription missed during an outage',
    },
    {
      line: 'delivery replay --since 2026-11-21 --with-delivered --yes',
      does: 'Send everything since a date again, without confirmation',
    },
  ],
  async run({ since, webhook, withDelivered }, deps) {
    const store = await deps.openReady();
    const request = { since: since * 1000, subscriptionId: webhook ?? null, withDelivered };
    await confirm(deps, { store, request });
    const queued = await replayDeliveries(store, request);
    const next = queued === 0 ? '' : ' Send them now: hcd worker --once';
    return { kind: 'done', message: `Queued deliveries: ${queued}.${next}`, data: { queued } };
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
  await confirmChange(deps, `Send ${what} again that were created since ${isoTime(request.since)}?`);
}
