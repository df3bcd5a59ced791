/** `hcd webhook listen`: a receiver on this machine that verifies and prints what comes. */
import { integerValue, textValue } from '../../src/config/value-type.js';
import { defineCommand } from '../command.js';
import { optional, repeated } from '../parameters.js';
import { subscriptionIdValue } from './parameters.js';

export const command = defineCommand({
  path: 'webhook listen',
  summary: 'Receive deliveries on this machine, verify and print them',
  description:
    'Listens on 127.0.0.1 for deliveries at any path and prints each: event, ids, whether the signature holds, and the payload. Prints "listening on http://127.0.0.1:PORT" on standard error when it is ready. With --secret, once or more, or with --webhook, which takes the secrets of a subscription from the database, it checks webhook-signature and X-Gateway-Signature as a receiver does, the age of at most 5 minutes included, and says "verified" or "NOT verified" and why. A delivery to this machine needs gateway_webhook_allow_private_urls, or 127.0.0.1 in gateway_webhook_allowed_networks.\n\nIt answers 204, or the status of --status, or with --forward what the application behind answers (502 when it does not). Ctrl-C ends it. With --json each delivery is one line with one JSON object {"data": …}, printed as it comes.',
  arguments: {},
  options: {
    port: optional(integerValue({ min: 0, max: 65_535 }), {
      placeholder: 'PORT',
      description: 'Port to listen on; 9400 when left out, 0 picks a free one',
    }),
    secret: repeated(textValue(), {
      placeholder: 'SECRET',
      description: 'The secret of the subscription; may be given again for a rotation',
    }),
    webhook: optional(subscriptionIdValue, {
      placeholder: 'ID',
      description: 'Subscription whose secrets are taken from the database',
    }),
    forward: optional(textValue({ accepts: 'the URL of an application' }), {
      placeholder: 'URL',
      description: 'Where each delivery is sent on, with its headers and exact bytes',
    }),
    status: optional(integerValue({ min: 200, max: 599 }), {
      placeholder: 'STATUS',
      description: 'Answer with this status, to see how failures are repeated',
    }),
    count: optional(integerValue({ min: 1, max: 1_000_000 }), {
      placeholder: 'N',
      description: 'End after so many deliveries, with 1 when one of them was not verified',
    }),
  },
  examples: [
    { line: 'webhook listen --webhook 3', does: 'Print what is delivered to subscription 3, and verify it' },
    {
      line: 'webhook listen --port 9401 --forward http://127.0.0.1:3000/api/revalidate',
      does: 'Watch what an application gets and answers',
    },
    { line: 'webhook listen --count 1 --json', does: 'Wait for one delivery, in a script' },
  ],
  endsItself: true,
  run: async (options, deps) => (await import('./run-listen.js')).runListen(options, deps),
});
