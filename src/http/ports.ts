/**
 * What the HTTP mechanism needs from outside and does not make itself: clock, log, digest, identifiers, the trusted
 * proxies and the generation of the cached content. The serve command joins them with the real ones.
 */
import type { Clock } from '../clock/clock.js';
import type { Log } from '../log/observation.js';
import type { TrustedRange } from './client-ip.js';

export interface HttpPorts {
  readonly clock: Clock;
  readonly log: Log;
  /** SHA-256 in lower-case hex. */
  readonly sha256: (body: string | Uint8Array) => string;
  /** A fresh request id: 32 lower-case hex characters. */
  readonly newRequestId: () => string;
  /** Another number after every change of content; answers kept under an earlier one are not used. */
  readonly cacheGeneration: () => number | Promise<number>;
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: () => readonly TrustedRange[];
}
