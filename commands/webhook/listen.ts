/** `hcd webhook listen`: a receiver on this machine that verifies and prints what comes. */
import { integerValue, textValue } from '../../src/config/value-type.js';
import { escapeControls } from '../../src/log/escape.js';
import { openSecrets } from '../../src/webhooks/administration/open-secrets.js';
import { openWebhookSealer } from '../../src/webhooks/administration/webhook-sealer.js';
import { defineCommand } from '../command.js';
import type { Deps } from '../deps.js';
import { paintFor } from '../paint.js';
import { optional, repeated } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { usageError } from '../usage-error.js';
import { checkForwardUrl, type Forwarded, type Forwarder, openForwarder } from './forward-delivery.js';
import { type ListenServer, type ReceivedRequest, startListenServer } from './listen-server.js';
import { subscriptionIdValue } from './parameters.js';
import { type ReceivedDelivery, readDelivery, receivedRecord, receivedText } from './received-delivery.js';

interface ListenFlags {
  readonly port: number | undefined;
  readonly secret: readonly string[];
  readonly webhook: number | undefined;
  readonly forward: string | undefined;
  readonly status: number | undefined;
  readonly count: number | undefined;
}

const defaultPort = 9400;

const noContent = 204;

const badGateway = 502;

interface Shown {
  readonly delivery: ReceivedDelivery;
  readonly forwarded: Forwarded | null;
  readonly answered: number;
}

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
  async run(flags, deps) {
    const { port = defaultPort, forward, status, count = Number.POSITIVE_INFINITY } = flags;
    if (forward !== undefined) checkForwardUrl(forward);
    if (forward !== undefined && status !== undefined) {
      throw usageError({
        '--status': 'cannot be given together with --forward, which answers as the application does',
      });
    }
    const secrets = await secretsOf(flags, deps);
    const enough = new AbortController();
    const stop = AbortSignal.any([deps.stop, enough.signal]);
    const faults: unknown[] = [];
    let forwarder: Forwarder | null = null;
    let received = 0;
    let allVerified = true;

    const onRequest = async (request: ReceivedRequest): Promise<number> => {
      const delivery = readDelivery(request, { secrets, now: deps.clock.now() });
      const forwarded = forwarder === null ? null : await forwarder.forward(request);
      const answered = forwarded === null ? (status ?? noContent) : (forwarded.status ?? badGateway);
      print(deps, { delivery, forwarded, answered });
      received += 1;
      allVerified &&= delivery.signature !== 'failed';
      // The answer leaves first: the sender must not take the end of the receiver for a failure.
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
    await end(server, { stop, forwarder });
    if (faults.length > 0) throw faults[0];
    return { kind: 'nothing', hasWritten: true, exitCode: allVerified ? 0 : 1 };
  },
});

async function secretsOf({ secret, webhook }: ListenFlags, deps: Deps): Promise<readonly string[]> {
  if (webhook === undefined) return secret;
  const store = await openReady(deps);
  const sealer = await openWebhookSealer(store, deps.loadConfig().config.secret);
  return [...secret, ...(await openSecrets(store, { id: webhook, sealer }))];
}

async function end(
  server: ListenServer,
  { stop, forwarder }: { readonly stop: AbortSignal; readonly forwarder: Forwarder | null },
): Promise<void> {
  await new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.close();
  forwarder?.close();
}

function print({ io, flags }: Deps, { delivery, forwarded, answered }: Shown): void {
  if (flags.json) {
    const passedOn =
      forwarded === null
        ? null
        : { status: forwarded.status, error: forwarded.error, duration_ms: forwarded.durationMs };
    const data = { ...receivedRecord(delivery), forwarded: passedOn, answered };
    io.stdout.write(`${JSON.stringify({ data })}\n`);
    return;
  }
  const how = forwarded === null ? '' : ` (${forwardedText(forwarded)})`;
  io.stdout.write(`${receivedText(delivery, paintFor(io.stdout))}  answered ${answered}${how}\n`);
}

function forwardedText({ status, error, durationMs }: Forwarded): string {
  const came =
    status === null ? `the application did not answer: ${escapeControls(error ?? '')}` : 'by the application';
  return `${came}, ${durationMs} ms`;
}
