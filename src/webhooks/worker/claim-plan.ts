/**
 * How many deliveries a worker claims for which receivers: first for places that are free or soon will be, then ahead
 * for fast receivers. Pure.
 */
import { type DueReceiver, type Share, shareOut } from './fair-share.js';

export interface PlanQuestion {
  readonly due: readonly DueReceiver[];
  /** The most that is claimed now. */
  readonly most: number;
  /** Places of the worker that are not held by receivers that may keep them for long. */
  readonly free: number;
  /** Deliveries that may be claimed beyond the places. */
  readonly ahead: number;
  /** What the receiver may have beside what it has, of places and ahead. */
  readonly room: (subscriptionId: number) => { readonly places: number; readonly ahead: number };
  readonly lastTurn: (subscriptionId: number) => number;
}

/** What is claimed ahead takes no place of the others: it only uses the ones that its receiver has, one after another. */
export function planClaims({ due, most, free, ahead, room, lastTurn }: PlanQuestion): Share[] {
  const places = shareOut({ due, free: Math.min(most, free), room: (id) => room(id).places, lastTurn });
  const left = most - places.reduce((sum, share) => sum + share.places, 0);
  const beyond = shareOut({ due, free: Math.min(left, ahead), room: (id) => room(id).ahead, lastTurn });
  const shares = new Map(places.map((share) => [share.subscriptionId, share.places]));
  for (const share of beyond) shares.set(share.subscriptionId, (shares.get(share.subscriptionId) ?? 0) + share.places);
  return [...shares].map(([subscriptionId, wanted]) => ({ subscriptionId, places: wanted }));
}
