/** Limits of database work, in milliseconds unless said otherwise. */

export interface StoreLimits {
  readonly connect: number;
  /** Waiting for a connection of the pool. */
  readonly acquire: number;
  /** Running time on the server; 0 = unlimited. */
  readonly statement: number;
  /** A silent connection is cut after this time; 0 = unlimited. */
  readonly answer: number;
  /** A heavy statement, waiting included; 0 = unlimited. */
  readonly heavy: number;
  /** The searches of one request, without waiting; 0 = unlimited. */
  readonly search: number;
  /** Waiting of a heavy statement; 0 = unlimited, in number too. */
  readonly wait: number;
  /** Waiting for a lock of another process, and starting attempts of a transaction. */
  readonly busy: number;
  readonly connections: number;
}

/** Every answer or refusal is sent within 6 s. */
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

/** For migrations, copies and backups. */
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
