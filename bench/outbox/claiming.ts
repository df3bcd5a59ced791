/** What looking ahead and claiming cost on a table full of finished deliveries, against a table without any. */

import { databaseClock } from '../../src/webhooks/rules/deciding-time.js';
import { type ClaimDeps, claim, lookAhead } from '../../src/webhooks/worker/claim.js';
import { type Spread, spreadOf } from '../figures.js';
import {
  addFinished,
  type OutboxSite,
  type OutboxSiteRequest,
  openOutboxSite,
  raise,
  subscribe,
} from './outbox-site.js';

export interface ClaimingRequest extends OutboxSiteRequest {
  readonly finished: number;
  readonly rounds: number;
}

export interface ClaimingFigures {
  /** Milliseconds of one look and one claim: medians of the rounds, and the slowest in a hundred of all. */
  readonly full: Spread;
  readonly empty: Spread;
  readonly ratio: number;
  readonly p99: { readonly full: number; readonly empty: number };
}

const receivers = 10;
const claims = 50;
const together = 20;

export async function measureClaiming(request: ClaimingRequest): Promise<ClaimingFigures> {
  const { name, finished, rounds } = request;
  const full = await openOutboxSite({ ...request, name: `${name}_full` });
  const empty = await openOutboxSite({ ...request, name: `${name}_empty` });
  const times = { full: [] as number[], empty: [] as number[] };
  const medians = { full: [] as number[], empty: [] as number[] };
  const measure = async (kind: 'full' | 'empty', site: OutboxSite): Promise<void> => {
    const taken = await claimAll(site);
    times[kind].push(...taken);
    medians[kind].push(spreadOf(taken).median);
  };
  try {
    for (const site of [full, empty]) await subscribe(site, { count: receivers, origin: 'http://127.0.0.1:9' });
    await addFinished(full, finished);
    for (const site of [full, empty]) await raise(site, (claims * together) / receivers);
    for (let round = 0; round < rounds; round += 1) {
      if (round % 2 === 0) await measure('full', full);
      await measure('empty', empty);
      if (round % 2 === 1) await measure('full', full);
    }
  } finally {
    await full.store.close();
    await empty.store.close();
  }
  const [ofFull, ofEmpty] = [spreadOf(medians.full), spreadOf(medians.empty)];
  return {
    full: ofFull,
    empty: ofEmpty,
    ratio: ofFull.median / ofEmpty.median,
    p99: { full: slowest(times.full), empty: slowest(times.empty) },
  };
}

/** Claims all that is due, then makes it due again; gives the milliseconds of each claim. */
async function claimAll({ store }: OutboxSite): Promise<number[]> {
  const deps: ClaimDeps = { own: store.own, time: databaseClock, claimedBy: 'bench', random: Math.random };
  const taken: number[] = [];
  for (let at = 0; at < claims; at += 1) {
    const started = performance.now();
    const { due, ended } = await lookAhead(deps);
    const shares = due.map(({ subscriptionId }) => ({ subscriptionId, places: together / receivers }));
    const { won } = await claim(deps, { shares, isCrowded: false, ended });
    taken.push(performance.now() - started);
    if (won.length !== together) throw new Error(`${won.length} of ${together} were claimed`);
  }
  const sql =
    "UPDATE hcd_webhook_deliveries SET status = 'pending', claim = '', visible_at = created_on WHERE status = 'delivering'";
  await store.own.write((tx) => tx.run({ sql, params: [] }));
  return taken;
}

function slowest(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
}
