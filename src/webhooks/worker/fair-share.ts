/** Shares free places among receivers in turn, so that a slow receiver never takes the places of others. */
import { basePlaces } from './breaker.js';

export interface DueReceiver {
  readonly subscriptionId: number;
  /** When its first delivery is due, Unix milliseconds. */
  readonly dueOn: number;
}

export interface Share {
  readonly subscriptionId: number;
  readonly places: number;
}

interface ShareQuestion {
  readonly due: readonly DueReceiver[];
  readonly free: number;
  /** How many more the receiver may have now. */
  readonly room: (subscriptionId: number) => number;
  /** A growing number; receivers that have waited longest come first. */
  readonly lastTurn: (subscriptionId: number) => number;
}

/** One place each in order of turn, then a second one, until nothing is free. */
export function shareOut({ due, free, room, lastTurn }: ShareQuestion): Share[] {
  const queue = due
    .map(({ subscriptionId, dueOn }) => ({ subscriptionId, dueOn, room: room(subscriptionId), places: 0 }))
    .filter((one) => one.room > 0)
    .sort((left, right) => lastTurn(left.subscriptionId) - lastTurn(right.subscriptionId) || left.dueOn - right.dueOn);
  let left = free;
  for (let round = 1; left > 0 && queue.some((one) => one.room >= round); round += 1) {
    for (const one of queue) {
      if (left === 0 || one.room < round) continue;
      one.places += 1;
      left -= 1;
    }
  }
  return queue.filter(({ places }) => places > 0).map(({ subscriptionId, places }) => ({ subscriptionId, places }));
}

interface PlanQuestion extends Omit<ShareQuestion, 'room'> {
  /** That the worker may claim; `free` are its places. */
  readonly most: number;
  /** How many places a receiver may have, and how many it has. */
  readonly places: (subscriptionId: number) => number;
  readonly held: (subscriptionId: number) => number;
}

/** Beyond its first places a receiver gets what others leave, except for the first places of a further receiver. */
export function planClaims({ due, most, free, places, held, lastTurn }: PlanQuestion): Share[] {
  const room = (id: number, limit: number) => Math.max(0, Math.min(limit, places(id)) - held(id));
  const first = shareOut({ due, free: Math.min(most, free), room: (id) => room(id, basePlaces), lastTurn });
  const shares = new Map(first.map((share) => [share.subscriptionId, share.places]));
  const used = first.reduce((sum, share) => sum + share.places, 0);
  const rest = Math.max(0, Math.min(most - used, free - used - basePlaces));
  const left = (id: number) => room(id, Number.POSITIVE_INFINITY) - (shares.get(id) ?? 0);
  for (const share of shareOut({ due, free: rest, room: left, lastTurn })) {
    shares.set(share.subscriptionId, (shares.get(share.subscriptionId) ?? 0) + share.places);
  }
  return [...shares].map(([subscriptionId, wanted]) => ({ subscriptionId, places: wanted }));
}
