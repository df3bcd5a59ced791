/** `hcd webhook listen`: a local receiver that verifies and prints deliveries. */
import { integerValue, textValue } from '../../src/config/value-type.js';
import { escapeControls } from '../../src/log/escape.js';
import { openSecrets, openWebhookSealer } from '../../src/webhooks/administration/secrets.js';
import { defineCommand } from '../command.js';
import type { Deps } from '../deps.js';
import { aborted } from '../host.js';
import { paintFor } from '../paint.js';
import { idValue, optional, repeated, usageError } from '../parameters.js';
import { checkForwardUrl, type Forwarded, type Forwarder, openForwarder } from './forward-delivery.js';
import { type ReceivedRequest, startListenServer } from './listen-server.js';
import { deliveryText, readDelivery } from './received-delivery.js';

const noContent = 204;
const badGateway = 502;

export const command = defineCommand({
  description:
    'Listens on 127.0.0.1 for deliveries at any path and prints each of them: event, ids, result of the signature check, and payload. Prints "listening on http://127.0.0.1:PORT" on standard error when it is ready. With --secret or --webhook it checks webhook-signature and X-Gateway-Signature as a receiver does, including the age of at most 5 minutes, and prints "verified", or "NOT verified" with the reason. Deliveries to this machine require gateway_webhook_allow_private_urls, or 127.0.0.1 in gateway_webhook_allowed_networks.\n\nThe answer is 204, or --status, or with --forward the answer of the application (502 when there is none). Ctrl-C stops it. With --json each delivery is printed as one line with one JSON object {"data": …}.',
  options: {
    port: optional(integerValue({ min: 0, max: 65_535 }), {
      placeholder: 'PORT',
      description: 'Port to listen on; 0 picks a free port (default: 9400)',
    }),
    secret: repeated(textValue(), 'Secret to verify signatures with'),
    webhook: optional(idValue, {
      placeholder: 'ID',
      description: 'Subscription to read the secrets of from the database',
    }),
    forward: optional(textValue({ accepts: 'the URL of an application' }), {
      placeholder: 'URL',
      description: 'URL to forward each delivery to, with its headers and exact bytes',
    }),
    status: optional(integerValue({ min: 200, max: 599 }), {
      placeholder: 'STATUS',
      description: 'Status to answer with (default: 204)',
    }),
    count: optional(
      integerValue({ min: 1, max: 1_000_000 }),
      'Number of deliveries to stop after; exits with 1 when one was not verified',
    ),
  },
  examples: {
    'webhook listen --webhook 3': 'Verify and print deliveries to subscription 3',
    'webhook listen --port 9401 --forward http://127.0.0.1:3000/api/revalidate':
      'Show the deliveries to an application and its answers',
    'webhook listen --count 1 --json': 'Wait for one delivery and print it as JSON',
  },
  endsItself: true,
  async run({ port = 9400, secret, webhook, forward, status, count = Number.POSITIVE_INFINITY }, deps) {
    if (forward !== undefined) checkForwardUrl(forward);
    if (forward !== undefined && status !== undefined) {
      throw usageError({ '--status': 'cannot be combined with --forward' });
    }
    const secrets = [...secret, ...(webhook === undefined ? [] : await secretsOf(webhook, deps))];
    const enough = new AbortController();
    const faults: unknown[] = [];
    let forwarder: Forwarder | null = null;
    let received = 0;
    let allVerified = true;

    const onRequest = async (request: ReceivedRequest): Promise<number> => {
      const delivery = readDelivery(request, { secrets, now: deps.clock.now() });
      const forwarded = forwarder === null ? null : await forwarder.forward(request);
      const answered = forwarded === null ? (status ?? noContent) : (forwarded.status ?? badGateway);
      const { stdout } = deps.io;
      if (deps.flags.json) {
        stdout.write(`${JSON.stringify({ data: { ...delivery.record, forwarded, answered } })}\n`);
      } else {
        const how = forwarded === null ? '' : ` (${forwardedText(forwarded)})`;
        stdout.write(`${deliveryText(delivery, paintFor(stdout))}  answered ${answered}${how}\n`);
      }
      received += 1;
      allVerified &&= delivery.record.signature !== 'failed';
      // The answer is sent first, so that the sender does not record a failure when the receiver ends.
      if (received >= count) setImmediate(() => enough.abort());
      return answered;
    };
    const onError = (error: unknown): void => {
      faults.push(error);
      enough.abort();
    };

    const server = await startListenServer({ port, onRequest, onError });
    if (forward !== undefined)
      forwarder = openForwarder({ url: forward, clock: deps.clock, stop: deps.stop }, server.port);
    deps.io.stderr.write(`listening on http://127.0.0.1:${server.port}\n`);
    await aborted(AbortSignal.any([deps.stop, enough.signal]));
    await server.close();
    forwarder?.close();
    if (faults.length > 0) throw faults[0];
    return { kind: 'nothing', hasWritten: true, exitCode: allVerified ? 0 : 1 };
  },
});

async function secretsOf(id: number, deps: Deps): Promise<readonly string[]> {
  const { store } = await deps.openSite();
  return openSecrets(store, { id, sealer: await openWebhookSealer(store, deps.loadConfig().config.secret) });
}

function forwardedText({ status, error, duration_ms }: Forwarded): string {
  const came =
    status === null ? `the application did not answer: ${escapeControls(error ?? '')}` : 'by the application';
  return `${came}, ${duration_ms} ms`;
}
