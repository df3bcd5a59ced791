/** Whether the content system would let a user in at all (docs/users.md#log-ins); rights are another matter. */

export interface UserStanding {
  readonly active: boolean;
  readonly blocked: boolean;
  /** Unix seconds; 0 = not set. */
  readonly blockedUntil: number;
  /** Unix seconds; 0 = not set. */
  readonly blockedAfter: number;
}

/** What is in the way of the user, or null. */
export function standingProblem(user: UserStanding, nowSeconds: number): 'inactive' | 'blocked' | null {
  if (!user.active) return 'inactive';
  const isOver = user.blockedAfter > 0 && user.blockedAfter <= nowSeconds;
  return user.blocked || user.blockedUntil > nowSeconds || isOver ? 'blocked' : null;
}
