/** `hcd delivery replay --since TIME`: what a receiver missed is sent again. */
import { timeValue } from '../../src/config/time-values.js';
import { integerValue } from '../../src/config/value-type.js';
import { defineCommand } from '../command.js';
import { optional, required, toggle } from '../parameters.js';

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
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-replay.js')).runReplay(options, deps),
});
