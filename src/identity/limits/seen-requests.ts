/** What `hcd doctor` says of the network in front: a proxy that is not trusted, and the host that requests name. */
import type { Clock } from '../../clock/clock.js';
import { type Log, reportFailure } from '../../log/observation.js';
import { type Database, type Reader, repeatable } from '../../store/base/database.js';
import { readState, writeState } from '../../store/state/state.js';

const hostKey = 'recent_host';
const forwarderKey = 'untrusted_forwarder';
/** Milliseconds: callers choose the header, and must not choose how much is written. */
const pause = 60_000;
const hostForm = /^(?!localhost(?::|$))(?=[^:]*[a-z])[a-z0-9.-]{1,253}(?::\d{1,5})?$/i;

interface NoteDeps {
  readonly own: Database;
  readonly clock: Pick<Clock, 'elapsed' | 'now'>;
  readonly log: Log;
}

function note({ own, log }: NoteDeps, key: string, value: string): void {
  const done = own.write((tx) => writeState(tx, key, value), repeatable);
  done.catch((error: unknown) => reportFailure(log, { during: `noting ${key}`, error }));
}

/** Notes a host while no setting has the address of the site: `hcd doctor` proposes it. */
export function noteHosts(deps: NoteDeps, isMissing: () => boolean): (host: string) => void {
  let [noted, from] = ['', Number.NEGATIVE_INFINITY];
  return function noteHost(host) {
    if (host === noted || deps.clock.elapsed() < from || !hostForm.test(host)) return;
    from = deps.clock.elapsed() + pause;
    if (!isMissing()) return;
    noted = host;
    note(deps, hostKey, host);
  };
}

export async function readRecentHost(reader: Reader): Promise<string> {
  const host = (await readState(reader, hostKey)) ?? '';
  return hostForm.test(host) ? host : '';
}

interface UntrustedForwarder {
  /** A public address is shown as its network. */
  readonly peer: string;
  readonly notedOn: number;
}

interface ForwarderDeps extends NoteDeps {
  readonly trusted: () => readonly string[];
  readonly nameOf: (peer: string) => string;
}

/** Notes a peer that forwards without being trusted, once for each list: all its visitors would count as one. */
export function noteForwarders({ trusted, nameOf, ...deps }: ForwarderDeps): (address: string) => void {
  let told: readonly string[] | null = null;
  return function noteForwarder(address) {
    const list = trusted();
    if (told === list) return;
    const isKnown = told !== null && listText(told) === listText(list);
    told = list;
    if (isKnown) return;
    const peer = nameOf(address);
    deps.log({ kind: 'forwarder_untrusted', peer });
    note(deps, forwarderKey, JSON.stringify({ peer, notedOn: deps.clock.now(), trusted: listText(list) }));
  };
}

/** Null if it was noted under another list of proxies. An empty list trusts no peer, so it always applies. */
export async function readUntrustedForwarder(
  reader: Reader,
  trusted: readonly string[],
): Promise<UntrustedForwarder | null> {
  const value: unknown = JSON.parse((await readState(reader, forwarderKey)) ?? 'null');
  if (typeof value !== 'object' || value === null) return null;
  const { peer, notedOn, trusted: list }: { peer?: unknown; notedOn?: unknown; trusted?: unknown } = value;
  return typeof peer === 'string' && typeof notedOn === 'number' && (trusted.length === 0 || list === listText(trusted))
    ? { peer, notedOn }
    : null;
}

function listText(list: readonly string[]): string {
  return list.join(', ');
}
