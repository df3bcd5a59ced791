/**
 * Networks from which a user logged in within the last 30 days: guesses from elsewhere never slow down a log-in from
 * there. Kept under a keyed digest of the name and the network, and the same for names that there are and are not.
 */
import type { Reader, Tx } from '../../store/base/database.js';
import { fromNow } from '../../store/models/database-time.js';
import { foldedName } from '../limits/guess-limit.js';
import { isLoginNetwork, loginNetworks } from '../models/login-networks.js';

const keptMs = 30 * 86_400_000;

/** Who logs in, and from which network. */
export interface Origin {
  readonly username: string;
  readonly network: string;
}

/** Keyed digest of a text for one purpose. */
export type Sign = (purpose: string, text: string) => string;

export function isKnownNetwork(reader: Reader, origin: Origin, sign: Sign): Promise<boolean> {
  return isLoginNetwork(reader, pairHash(origin, sign));
}

export function keepNetwork(tx: Tx, origin: Origin, sign: Sign): Promise<void> {
  const pair = { pairHash: pairHash(origin, sign), endsOn: fromNow(tx, keptMs) };
  return loginNetworks.on(tx).bulkCreate([pair], { updateOnDuplicate: ['endsOn'] });
}

function pairHash({ username, network }: Origin, sign: Sign): string {
  return sign('login network', JSON.stringify([foldedName(username), network]));
}
