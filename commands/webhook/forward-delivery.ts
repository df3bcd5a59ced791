/** Forwards a received request to an application, with its headers and exact bytes. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../../src/clock/clock.js';
import { makeOutboundPolicy } from '../../src/webhooks/addresses/outbound-policy.js';
import { checkReceiverUrl } from '../../src/webhooks/addresses/receiver-url.js';
import { openOutbound } from '../../src/webhooks/client/outbound.js';
import { classify } from '../../src/webhooks/rules/retry.js';
import { usageError } from '../parameters.js';
import type { ReceivedRequest } from './listen-server.js';

export interface Forwarded {
  readonly status: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
}

export interface Forwarder {
  /** Never rejects. */
  forward(request: ReceivedRequest): Promise<Forwarded>;
  close(): void;
}

interface ForwarderParts {
  readonly url: string;
  readonly clock: Clock;
  readonly stop: AbortSignal;
}

/** Headers of the incoming connection, and headers that the client sets itself. */
const ofConnection: ReadonlySet<string> = new Set([
  ...['host', 'content-length', 'connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect'],
  ...['accept-encoding', 'proxy-authorization', 'proxy-connection'],
]);

/** Developers name their own application, so private addresses are allowed. */
const policy = makeOutboundPolicy({ allowPrivate: true });

/** Throws usage for a URL that cannot receive requests. */
export function checkForwardUrl(url: string): void {
  const checked = checkReceiverUrl(url, policy);
  if (!checked.ok) throw usageError({ '--forward': checked.problem });
}

/** A request must not be forwarded to the receiver itself, on `ownPort`. */
export function openForwarder({ url, clock, stop }: ForwarderParts, ownPort: number): Forwarder {
  const outbound = openOutbound({ clock });
  const guarded = { ...policy, ownListeners: [{ address: '127.0.0.1', port: ownPort }] };
  return {
    async forward({ headers, body }) {
      const started = clock.elapsed();
      const outcome = await outbound.send({ url, headers: passedOn(headers), body, policy: guarded, signal: stop });
      const { status, error } = classify(outcome);
      return { status, error: status === null ? error : null, duration_ms: Math.round(clock.elapsed() - started) };
    },
    close: () => outbound.close(),
  };
}

function passedOn(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      ofConnection.has(name) || value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
