/** Notes regularly where a server listens, so that workers in other processes send no delivery to it. */
import type { Clock } from '../../clock/clock.js';
import { sha256Hex } from '../../crypto/primitives.js';
import { type Log, reportFailure } from '../../log/observation.js';
import type { Database } from '../../store/base/database.js';
import { type Listener, noteListener, removeOldListeners } from '../models/listeners.js';

const interval = 20_000;
/** Four notes may fail before a server counts as ended. */
export const listenerLifetimeMs = 90_000;

interface ListenerDeps {
  readonly own: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** Resolves after the first note. Never rejects: a server that cannot note itself still serves. */
export async function keepListener({ own, clock, log }: ListenerDeps, listener: Listener): Promise<{ stop(): void }> {
  const { machine, host, port } = listener;
  const key = sha256Hex(JSON.stringify([machine, host, port])).slice(0, 32);
  const onError = (error: unknown): void => reportFailure(log, { during: 'noting where the server listens', error });
  const note = (): Promise<void> => noteListener(own, key, listener);
  await note()
    .then(() => removeOldListeners(own, 10 * listenerLifetimeMs))
    .catch(onError);
  return clock.every({ intervalMs: interval, work: note, onError });
}
