/**
 * Which receivers the free places of a worker go to: in turn, and to each no more than it may have at once, so that one
 * that is slow or gone never takes the places of the others. Pure.
 */

export interface DueReceiver {
  readonly subscriptionId: number;
  /** When its first delivery is due, Unix milliseconds. */
  readonly dueOn: number;
}

export interface Share {
  readonly subscriptionId: number;
  readonly places: number;
}

export interface ShareQuestion {
  readonly due: readonly DueReceiver[];
  /** Places of the worker that are free. */
  readonly free: number;
  /** How many more the receiver may have now. */
  readonly room: (subscriptionId: number) => number;
  /** When the receiver had its last turn, as a growing number; those who wait longest come first. */
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
