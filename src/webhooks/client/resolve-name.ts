/** Looks names up once, all families together. What the answers are worth is decided by whoever asked. */
import { lookup } from 'node:dns/promises';
import type { Clock } from '../../clock/clock.js';

/** All addresses of a name in the order to try them; rejects or is empty when there is none. */
export type ResolveName = (hostname: string) => Promise<readonly string[]>;

/**
 * Asks the system. Sends that ask for a name at the same time share one look-up: each takes a thread of the process,
 * and a name server that does not answer must not take all of them.
 */
export function systemResolver(): ResolveName {
  const pending = new Map<string, Promise<readonly string[]>>();
  return function resolveName(hostname) {
    const running = pending.get(hostname);
    if (running !== undefined) return running;
    const started = lookup(hostname, { all: true, order: 'verbatim' })
      .then((answers) => answers.map(({ address }) => address))
      .finally(() => pending.delete(hostname));
    pending.set(hostname, started);
    return started;
  };
}

export interface Lookup {
  readonly resolve: ResolveName;
  readonly hostname: string;
  readonly clock: Clock;
  readonly limitMs: number;
  /** Ends the waiting; the look-up itself cannot be ended. */
  readonly signal: AbortSignal;
}

/** The addresses of a name, each once; empty when there are none or the time is up. Never rejects. */
export function lookUp({ resolve, hostname, clock, limitMs, signal }: Lookup): Promise<readonly string[]> {
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
