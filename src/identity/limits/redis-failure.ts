/** Why Redis did not count: a code for the log, and words for people. Never the server's own text, which may quote a password. */

export class RedisFailure extends Error {
  /** Redis's own code of a refusal (WRONGPASS), the code of the network (ECONNREFUSED), `timeout` or `closed`. */
  readonly code: string;
  /** Redis answered, and refused. */
  readonly isRefusal: boolean;

  constructor({ code, isRefusal }: { readonly code: string; readonly isRefusal: boolean }) {
    super(`Redis: ${code}`);
    this.name = 'RedisFailure';
    this.code = code;
    this.isRefusal = isRefusal;
  }
}

/** Refusals that stay until somebody changes the configuration, and what to look at. */
const lasting: ReadonlyMap<string, string> = new Map([
  ['WRONGPASS', 'Redis refuses the user name or password'],
  ['NOAUTH', 'Redis wants a password'],
  [
    'NOPERM',
    'Redis does not let this user count (NOPERM): it needs the commands EVAL, EVALSHA, HGET, HSET, HINCRBY, PEXPIREAT and TIME, SELECT for another database than 0, and the keys of rate limits',
  ],
  ['MOVED', 'it is a node of a Redis Cluster, which is not supported: name a server that holds all keys'],
  ['DENIED', 'Redis lets in nobody from other machines (protected mode)'],
  ['WRONGTYPE', 'another program uses the same keys: choose another HCD_REDIS_PREFIX'],
  [
    'ERR',
    'Redis refuses what it is asked (ERR): look at the user name, the password and the number of the database, and whether scripts are allowed',
  ],
]);

/** Whether waiting will not help. */
export function isLasting({ isRefusal, code }: RedisFailure): boolean {
  return isRefusal && lasting.has(code);
}

/** The failure as a sentence without full stop. */
export function describeFailure({ isRefusal, code }: RedisFailure): string {
  if (!isRefusal) return `Redis does not answer (${code})`;
  return lasting.get(code) ?? `Redis cannot count at the moment (${code})`;
}
