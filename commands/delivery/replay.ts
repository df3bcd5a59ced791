/** `hcd delivery replay`: send missed deliveries again. */
import { timeValue } from '../../src/config/value-type.js';
import { countReplay, replayDeliveries } from '../../src/webhooks/administration/deliveries.js';
import { defineSiteCommand, isoTime } from '../command.js';
import { idValue, optional, required, toggle } from '../parameters.js';
import { countOf } from '../terminal-text.js';

export const command = defineSiteCommand({
  description:
    'Queues failed and cancelled deliveries again that were created at the given time or later. hcd worker sends them with the current URL and secret of their subscription; events keep their ids. Deliveries to inactive and removed subscriptions are not sent. Asks for confirmation on a terminal, unless --yes is given.',
  options: {
    since: required(timeValue, 'Send deliveries created at this time or later'),
    webhook: optional(idValue, { placeholder: 'ID', description: 'Send only deliveries to this subscription' }),
    withDelivered: toggle('Also send deliveries that succeeded, for a receiver that lost its data'),
  },
  examples: {
    'delivery replay --since 2026-11-21T08:00:00Z --webhook 3': 'Send what one subscription missed during an outage',
    'delivery replay --since 2026-11-21 --with-delivered --yes':
      'Send everything since a date again, without confirmation',
  },
  async run({ since, webhook, withDelivered }, deps) {
    const request = { since: since * 1000, subscriptionId: webhook ?? null, withDelivered };
    await deps.confirm(async () => {
      const count = await countReplay(deps.store, request);
      const what = countOf(count, 'delivery', 'deliveries');
      return count === 0 ? null : `Send ${what} again that were created since ${isoTime(request.since)}?`;
    });
    const queued = await replayDeliveries(deps.store, request);
    const next = queued === 0 ? '' : ' Send them now: hcd worker --once';
    return { kind: 'done', message: `Queued deliveries: ${queued}.${next}`, data: { queued } };
  },
});
