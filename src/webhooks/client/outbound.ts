/** The only HTTP client of the program: sends a request after the policy has accepted the URL and every address. */

import { lookup } from 'node:dns/promises';
import type { Clock } from '../../clock/clock.js';
import { joined } from '../../values/joined.js';
import { isAddressAllowed, isAddressNamed } from '../addresses/address.js';
import { isOwnListener, type OutboundPolicy } from '../addresses/outbound-policy.js';
import { checkReceiverUrl, isReceiverPort, type ReceiverUrl } from '../addresses/receiver-url.js';
import { type ExchangeEnd, type Exchanger, openExchanger } from './exchange.js';

export interface OutboundRequest {
  readonly url: string;
  /** Everything but Host, Content-Length, Connection and Accept-Encoding, which are set here. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
  readonly policy: OutboundPolicy;
  /** For everything, from the look-up to the answer. Default 15 seconds. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
  /** The trace that it continues where this process is traced. */
  readonly traceparent?: string | null;
}

/** One word that reveals nothing about addresses and ports. */
type FailureReason = 'dns' | 'connect' | 'tls' | 'timeout' | 'reset' | 'protocol';

export type SendOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly retryAfter: string | null;
      /** The first 4 KiB, without control characters. */
      readonly bodyStart: string;
    }
  /** Always the same reason: it must not reveal which address is in use. */
  | { readonly kind: 'refused'; readonly reason: 'not allowed by policy' }
  | { readonly kind: 'failed'; readonly reason: FailureReason }
  /** By the caller's signal; the receiver may have the request. */
  | { readonly kind: 'stopped' };

export interface Outbound {
  /** Never rejects because of what the receiver or the network does. */
  send(request: OutboundRequest): Promise<SendOutcome>;
  close(): void;
}

interface OutboundParts {
  readonly clock: Clock;
  readonly resolve?: ResolveName;
  readonly exchanger?: Exchanger;
}

const defaultDeadlineMs = 15_000;
const lookupMs = 5000;
/** For one address while the name has others. */
const connectMs = 4000;
const maxAddresses = 4;

const refused: SendOutcome = Object.freeze({ kind: 'refused', reason: 'not allowed by policy' });

export function openOutbound({ clock, resolve = systemResolver(), exchanger }: OutboundParts): Outbound {
  const carrier = exchanger ?? openExchanger({ clock });
  return {
    async send(request) {
      const checked = checkReceiverUrl(request.url, request.policy);
      if (!checked.ok) return refused;
      const limit = startLimit({ clock, ms: request.deadlineMs ?? defaultDeadlineMs, stop: request.signal });
      const { signal } = limit;
      try {
        const url = checked.value;
        const addresses = url.literal
          ? [url.hostname]
          : await lookUp({ resolve, hostname: url.hostname, clock, limitMs: lookupMs, signal });
        if (signal.aborted) return limit.outcome();
        if (addresses.length === 0) return { kind: 'failed', reason: 'dns' };
        if (!addresses.every((address) => isTargetAllowed(address, url, request.policy))) return refused;
        const end = await deliver({ request, url, addresses: addresses.slice(0, maxAddresses), carrier, signal });
        if (end.kind === 'aborted') return limit.outcome();
        return end.kind === 'answered' ? end : { kind: 'failed', reason: end.reason };
      } finally {
        limit.end();
      }
    },
    close: () => carrier.close(),
  };
}

/** The same rule for answers of a look-up and for an address in the URL. */
function isTargetAllowed(address: string, { port }: ReceiverUrl, policy: OutboundPolicy): boolean {
  if (isOwnListener({ address, port }, policy) || !isAddressAllowed(address, policy)) return false;
  return isReceiverPort(port) || policy.allowPrivate || isAddressNamed(address, policy);
}

interface Delivery {
  readonly request: OutboundRequest;
  readonly url: ReceiverUrl;
  readonly addresses: readonly string[];
  readonly carrier: Exchanger;
  readonly signal: AbortSignal;
}

/** Nothing is sent before a connection is established, so the next address may be tried. */
async function deliver({ request, url, addresses, carrier, signal }: Delivery): Promise<ExchangeEnd> {
  const body = typeof request.body === 'string' ? Buffer.from(request.body) : request.body;
  let end: ExchangeEnd = { kind: 'failed', reason: 'connect', reused: false };
  for (const [index, address] of addresses.entries()) {
    const question = {
      secure: url.secure,
      address,
      port: url.port,
      servername: url.literal ? '' : url.hostname,
      target: url.target,
      headers: { ...request.headers, Host: url.authority },
      body,
      signal,
      ...(index < addresses.length - 1 ? { connectMs } : {}),
    };
    end = await carrier.exchange({ ...question, fresh: false });
    // The receiver closed a kept connection just then.
    if (end.kind === 'failed' && end.reason === 'reset' && end.reused) {
      end = await carrier.exchange({ ...question, fresh: true });
    }
    if (end.kind !== 'failed' || end.reason !== 'connect') return end;
  }
  return end;
}

interface Limit {
  readonly signal: AbortSignal;
  /** The meaning of an aborted signal. */
  outcome(): SendOutcome;
  end(): void;
}

function startLimit({ clock, ms, stop }: { clock: Clock; ms: number; stop: AbortSignal | undefined }): Limit {
  const controller = new AbortController();
  let outcome: SendOutcome = { kind: 'failed', reason: 'timeout' };
  const onStop = (): void => {
    outcome = { kind: 'stopped' };
    controller.abort();
  };
  const timer = clock.after(ms, () => controller.abort());
  if (stop?.aborted) onStop();
  stop?.addEventListener('abort', onStop, { once: true });
  return {
    signal: controller.signal,
    outcome: () => outcome,
    end() {
      timer.stop();
      stop?.removeEventListener('abort', onStop);
    },
  };
}

/** In the order to try them; rejects or is empty when the name has none. */
export type ResolveName = (hostname: string) => Promise<readonly string[]>;

/** Simultaneous look-ups share one: each takes a thread, and a silent name server must not take all of them. */
function systemResolver(): ResolveName {
  return joined(async (hostname: string) =>
    (await lookup(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address),
  );
}

interface Lookup {
  readonly resolve: ResolveName;
  readonly hostname: string;
  readonly clock: Clock;
  readonly limitMs: number;
  /** Ends the waiting; the look-up itself cannot be ended. */
  readonly signal: AbortSignal;
}

/** Without duplicates; empty without an address or when the time is up. Never rejects. */
function lookUp({ resolve, hostname, clock, limitMs, signal }: Lookup): Promise<readonly string[]> {
  return new Promise((done) => {
    const give = (addresses: readonly string[]): void => {
      timer.stop();
      signal.removeEventListener('abort', giveUp);
      done(addresses);
    };
    const giveUp = (): void => give([]);
    const timer = clock.after(limitMs, giveUp);
    signal.addEventListener('abort', giveUp, { once: true });
    resolve(hostname).then((addresses) => give([...new Set(addresses)]), giveUp);
  });
}
