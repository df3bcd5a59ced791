/** What the server knows of all its requests together: those under way, and whether it is about to stop. */
import type { Duplex } from 'node:stream';
import type { Exchange } from './exchange.js';

export interface Lifecycle {
  /** Answers carry `Connection: close` from now on. */
  draining: boolean;
  /** Where the server listens, such as `http://127.0.0.1:8080`; empty before it does. */
  listeningAddress: string;
  readonly inFlight: Set<Exchange>;
  /** The request that came last on a connection. */
  readonly latest: WeakMap<Duplex, Exchange>;
}

export function makeLifecycle(): Lifecycle {
  return { draining: false, listeningAddress: '', inFlight: new Set(), latest: new WeakMap() };
}
