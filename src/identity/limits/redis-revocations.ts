/**
 * Tells servers on other machines through Redis that a credential was changed, so that they read it again at its next
 * use. Redis may be down: a server that hears nothing finds the change within a second.
 */
import type { Clock } from '../../clock/clock.js';
import { parseRedisUrl, type RedisAddress } from '../../config/address-values.js';
import type { Config } from '../../config/definitions.js';
import type { Log } from '../../log/observation.js';
import { forgetSeen, onRevocation } from '../../memory/seen-memory.js';
import type { Database } from '../../store/base/database.js';
import { RedisConnection } from './redis-connection.js';
import { publishToRedis, RedisFailure, subscribeToRedis } from './redis-link.js';

export interface RevocationPlace {
  readonly address: RedisAddress;
  /** Begins the name of the channel. */
  readonly prefix: string;
  readonly clock: Clock;
}

/** Where the configuration names a Redis server; null where it names none. */
export function revocationPlace({
  redis,
  redis_prefix: prefix,
}: Pick<Config, 'redis' | 'redis_prefix'>): Omit<RevocationPlace, 'clock'> | null {
  const address = redis === null ? undefined : parseRedisUrl(redis);
  return address === undefined ? null : { address, prefix };
}

function channelOf({ prefix }: Pick<RevocationPlace, 'prefix'>): string {
  return `${prefix}revocations`;
}

/** Publishes each change of a credential that this process makes; gives the end of that. Failures are not reported. */
export function publishRevocations(own: Database, place: RevocationPlace): () => void {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const publish = async (): Promise<void> => {
    try {
      await publishToRedis(place, channelOf(place));
    } catch (error) {
      // The other servers hear nothing and look for themselves.
      if (!(error instanceof RedisFailure)) throw error;
    }
  };
  const begin = (): Promise<void> => {
    const work = publish().finally(() => {
      running = null;
    });
    running = work;
    return work;
  };
  // One connection at a time: the next message is for every change since the one before was on its way.
  const tell = (): Promise<void> => {
    if (running === null) return begin();
    next ??= running.then(() => {
      next = null;
      return begin();
    });
    return next;
  };
  return onRevocation(own, tell);
}

/** Forgets what this process has seen whenever another one publishes a change, until it is closed. */
export async function followRevocations(
  own: Database,
  { log, ...place }: RevocationPlace & { readonly log: Log },
): Promise<{ close(): void }> {
  // Also after a loss: what was published meanwhile was not heard.
  const forget = () => forgetSeen(own);
  const connection = new RedisConnection({
    ...{ log, clock: place.clock, during: 'listening to Redis', onOpened: forget },
    open: () => subscribeToRedis(place, { channel: channelOf(place), listener: forget }),
    onLost: ({ code }) => log({ kind: 'revocations_unheard', code }),
  });
  await connection.start();
  return connection;
}
