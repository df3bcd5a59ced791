/** Receives deliveries for `hcd webhook listen` until it is stopped, or has had enough of them. */

import { escapeControls } from '../../src/log/escape.js';
import { openSecrets } from '../../src/webhooks/open-secrets.js';
import { openWebhookSealer } from '../../src/webhooks/webhook-sealer.js';
import type { Deps } from '../deps.js';
import { paintFor } from '../paint.js';
import type { NothingResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { usageError } from '../usage-error.js';
import { checkForwardUrl, type Forwarded, type Forwarder, openForwarder } from './forward-delivery.js';
import { type ListenServer, type ReceivedRequest, startListenServer } from './listen-server.js';
import { type ReceivedDelivery, readDelivery, receivedRecord, receivedText } from './received-delivery.js';

export interface ListenFlags {
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

export async function runListen(flags: ListenFlags, deps: Deps): Promise<NothingResult> {
  const { port = defaultPort, forward, status, count = Number.POSITIVE_INFINITY } = flags;
  if (forward !== undefined) checkForwardUrl(forward);
  if (forward !== undefined && status !== undefined) {
    throw usageError({ '--status': 'cannot be given together with --forward, which answers as the application does' });
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
}

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

interface Shown {
  readonly delivery: ReceivedDelivery;
  readonly forwarded: Forwarded | null;
  readonly answered: number;
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
