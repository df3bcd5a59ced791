/** Notes a host that requests name while no setting has the address of the site: `hcd doctor` proposes it. */
import type { Clock } from '../../clock/clock.js';
import { reportFailure } from '../../log/failures.js';
import type { Log } from '../../log/observation.js';
import type { Database, Reader } from '../../store/base/database.js';
import { readState, writeState } from '../../store/state/state.js';

const stateKey = 'recent_host';
/** Milliseconds: callers choose the header, and must not choose how much is written. */
const pause = 60_000;
const form = /^(?!localhost(?::|$))(?=[^:]*[a-z])[a-z0-9.-]{1,253}(?::\d{1,5})?$/i;

interface HostDeps {
  readonly own: Database;
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly log: Log;
  readonly isMissing: () => boolean;
}

export function noteHosts({ own, clock, log, isMissing }: HostDeps): (host: string) => void {
  let [noted, from] = ['', Number.NEGATIVE_INFINITY];
  return function noteHost(host) {
    if (host === noted || clock.elapsed() < from || !form.test(host)) return;
    from = clock.elapsed() + pause;
    if (!isMissing()) return;
    noted = host;
    const done = own.write((tx) => writeState(tx, stateKey, host), { outcome: async () => undefined });
    done.catch((error: unknown) => reportFailure(log, { during: 'noting the host of requests', error }));
  };
}

export async function readRecentHost(reader: Reader): Promise<string> {
  const host = (await readState(reader, stateKey)) ?? '';
  return form.test(host) ? host : '';
}
