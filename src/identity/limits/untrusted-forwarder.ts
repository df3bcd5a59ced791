/**
 * Notes that a peer which is not a trusted proxy sends X-Forwarded-For, -Host or -Proto: most likely a proxy that `gateway_trusted_proxies`
 * does not name, so that all visitors count as one. Logged once, and kept for `hcd doctor`.
 */
import type { Clock } from '../../clock/clock.js';
import type { Log } from '../../log/observation.js';
import { reportFailure } from '../../log/report-failure.js';
import type { Database, Reader } from '../../store/base/database.js';
import { readState, writeState } from '../../store/state/state.js';

const stateKey = 'untrusted_forwarder';

export interface UntrustedForwarder {
  /** Its address, or its network where the address is a public one. */
  readonly peer: string;
  /** Unix milliseconds. */
  readonly notedOn: number;
}

export interface ForwarderDeps {
  readonly own: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  readonly trusted: () => readonly string[];
  /** A peer as it may be written down. */
  readonly nameOf: (peer: string) => string;
}

/** Gives the function to call for each such request; all but the first under one list of proxies cost nothing. */
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

/**
 * The one that was noted; null for none, and for one that was noted under another list of proxies than this. An empty list
 * trusts no peer, whatever list the server had.
 */
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
