/** `hcd delivery show ID`: one delivery with its attempts and payload. */
import { defineCommand } from '../command.js';
import { deliveryParameter } from './parameters.js';

export const command = defineCommand({
  path: 'delivery show',
  summary: 'Show a delivery with its attempts and payload',
  description:
    'Shows everything that is known of a delivery: status, address, when the next attempt is due, every attempt with its status and, where gateway_webhook_keep_answers is on, the first characters of the answer, and the exact body that is sent. A delivery that was queued again counts its attempts from 1 again. JSON has the attempts as a list and the body as text.',
  arguments: { id: deliveryParameter },
  options: {},
  examples: [
    { line: 'delivery show 17', does: 'See why a delivery fails' },
    { line: 'delivery show 17 --json', does: 'Read it with its attempts, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-show.js')).runShow(options, deps),
});
