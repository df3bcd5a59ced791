/** Notes a peer with X-Forwarded headers that is not in `gateway_trusted_proxies`: all visitors would count as one. */
import type { Clock } from '../../clock/clock.js';
import { reportFailure } from '../../log/failures.js';
import type { Log } from '../../log/observation.js';
import type { Database, Reader } from '../../store/base/database.js';
import { readState, writeState } from '../../store/state/state.js';

const stateKey = 'untrusted_forwarder';

interface UntrustedForwarder {
  /** A public address is shown as its network. */
  readonly peer: string;
  readonly notedOn: number;
}

interface ForwarderDeps {
  readonly own: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  readonly trusted: () => readonly string[];
  readonly nameOf: (peer: string) => string;
}

/** After the first request under a list of proxies, the others cost nothing. */
export function noteForwarders({ own, clock, log, trusted, nameOf }: ForwarderDeps): (address: string) => void {
  let told: readonly string[] | null = null;
  return function noteForwarder(address) {
    const list = trusted();
    if (told === list) return;
    const isKnown = told !== null && listText(told) === listText(list);
    told = list;
    if (isKnown) return;
    const peer = nameOf(address);
    log({ kind: 'forwarder_untrusted', peer });
    const value = JSON.stringify({ peer, notedOn: clock.now(), trusted: listText(list) });
    const done = own.write((tx) => writeState(tx, stateKey, value), { outcome: async () => undefined });
    done.catch((error: unknown) => reportFailure(log, { during: 'noting a proxy that is not trusted', error }));
  };
}

/** Null if it was noted under another list of proxies. An empty list trusts no peer, so it always applies. */
export async function readUntrustedForwarder(
  reader: Reader,
  trusted: readonly string[],
): Promise<UntrustedForwarder | null> {
  const value: unknown = JSON.parse((await readState(reader, stateKey)) ?? 'null');
  if (typeof value !== 'object' || value === null) return null;
  const { peer, notedOn, trusted: list }: { peer?: unknown; notedOn?: unknown; trusted?: unknown } = value;
  return typeof peer === 'string' && typeof notedOn === 'number' && (trusted.length === 0 || list === listText(trusted))
    ? { peer, notedOn }
    : null;
}

function listText(list: readonly string[]): string {
  return list.join(', ');
}
