/**
 * What the HTTP mechanism needs from outside and does not make itself: clock, log, digest, identifiers, the trusted
 * proxies and the generation of the cached content. The serve command joins them with the real ones.
 */
import type { Clock } from '../../clock/clock.js';
import type { Log } from '../../log/observation.js';
import type { TrustedRange } from './client-ip.js';
import type { ContentChange } from './endpoint.js';

export interface HttpPorts {
  readonly clock: Clock;
  readonly log: Log;
  /** SHA-256 in lower-case hex. */
  readonly sha256: (body: string | Uint8Array) => string;
  /** A fresh request id: 32 lower-case hex characters. */
  readonly newRequestId: () => string;
  /** Another number after every change that may concern any answer; those kept under an earlier one are not used. */
  readonly cacheGeneration: () => number | Promise<number>;
  /** Calls the listener with every change of rows, before anybody learns of it; absent = the number above tells all. */
  readonly onContentChange?: (listener: (change: ContentChange) => void) => void;
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: () => readonly TrustedRange[];
  /** Hears, whenever a client's address is asked for, of a peer that sends X-Forwarded-For and is not one of them. */
  readonly onUntrustedForwarder?: (peer: string) => void;
}
