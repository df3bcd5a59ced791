/** Time and size limits of database work, in milliseconds unless said otherwise. */

export interface StoreLimits {
  readonly connect: number;
  /** Waiting for a free connection of the pool. */
  readonly acquire: number;
  /** Running time that the server grants one statement; 0 = unlimited. */
  readonly statement: number;
  /** A connection that gave no answer for this long is cut; 0 = unlimited. */
  readonly answer: number;
  /** A heavy statement, waiting included; 0 = unlimited. */
  readonly heavy: number;
  /** The searches of one request, without waiting; 0 = unlimited. */
  readonly search: number;
  /** A heavy statement that waits for its turn; 0 = unlimited, for how many of them wait either. */
  readonly wait: number;
  /** Waiting for a lock that another process holds, and starting further attempts of a transaction. */
  readonly busy: number;
  readonly connections: number;
}

/** Under requests: every answer or refusal comes within 6 s. */
export const servingLimits: StoreLimits = Object.freeze({
  connect: 2000,
  acquire: 3000,
  statement: 3000,
  answer: 4000,
  heavy: 5000,
  search: 2000,
  wait: 4000,
  busy: 5000,
  connections: 10,
});

/** For migrations, copies and backups, whose statements may take as long as they need. */
export const maintenanceLimits: StoreLimits = Object.freeze({
  ...servingLimits,
  statement: 0,
  answer: 0,
  heavy: 0,
  search: 0,
  wait: 0,
  busy: 60_000,
  connections: 2,
});
