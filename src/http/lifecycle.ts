/** What the server knows of all its requests together: those under way, and whether it is about to stop. */
import type { Duplex } from 'node:stream';
import type { Exchange } from './exchange.js';

export interface Lifecycle {
  /** Answers carry `Connection: close` from now on. */
  draining: boolean;
  readonly inFlight: Set<Exchange>;
  /** The request that came last on a connection. */
  readonly latest: WeakMap<Duplex, Exchange>;
}

export function makeLifecycle(): Lifecycle {
  return { draining: false, inFlight: new Set(), latest: new WeakMap() };
}
