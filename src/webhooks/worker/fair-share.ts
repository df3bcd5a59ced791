/** Shares free places among receivers in turn, so that a slow receiver never takes the places of others. */

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

interface PlanQuestion {
  readonly due: readonly DueReceiver[];
  readonly most: number;
  /** Without places that receivers may hold for long. */
  readonly free: number;
  readonly ahead: number;
  readonly room: (subscriptionId: number) => { readonly places: number; readonly ahead: number };
  readonly lastTurn: (subscriptionId: number) => number;
}

/** A delivery claimed ahead only uses places that its receiver already has, one after another. */
export function planClaims({ due, most, free, ahead, room, lastTurn }: PlanQuestion): Share[] {
  const places = shareOut({ due, free: Math.min(most, free), room: (id) => room(id).places, lastTurn });
  const left = most - places.reduce((sum, share) => sum + share.places, 0);
  const beyond = shareOut({ due, free: Math.min(left, ahead), room: (id) => room(id).ahead, lastTurn });
  const shares = new Map(places.map((share) => [share.subscriptionId, share.places]));
  for (const share of beyond) shares.set(share.subscriptionId, (shares.get(share.subscriptionId) ?? 0) + share.places);
  return [...shares].map(([subscriptionId, wanted]) => ({ subscriptionId, places: wanted }));
}
