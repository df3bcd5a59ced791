/** Connections to Redis. The library is loaded with the first one, so that other processes do not pay for it. */

import { type Clock, within } from '../../clock/clock.js';
import type { RedisAddress } from '../../config/address-values.js';
import { codeOf } from '../../errors/disk-error.js';
import { loadOptional } from '../../errors/optional-package.js';
import type { Count, CountQuestion } from './counter.js';

/** Never carries the server's own text, which may quote a password. */
export class RedisFailure extends Error {
  /** Redis's code of a refusal (WRONGPASS), a code of the network (ECONNREFUSED), `timeout` or `closed`. */
  readonly code: string;
  readonly isRefusal: boolean;

  constructor({ code, isRefusal }: { readonly code: string; readonly isRefusal: boolean }) {
    super(`Redis: ${code}`);
    this.name = 'RedisFailure';
    this.code = code;
    this.isRefusal = isRefusal;
  }
}

const lasting: ReadonlyMap<string, string> = new Map([
  ['WRONGPASS', 'Redis refuses the user name or password'],
  ['NOAUTH', 'Redis requires a password'],
  [
    'NOPERM',
    'Redis does not let this user count (NOPERM): it needs the commands EVAL, EVALSHA, HGET, HSET, HINCRBY, PEXPIREAT and TIME, SELECT for another database than 0, and the keys of rate limits',
  ],
  ['MOVED', 'it is a node of a Redis Cluster, which is not supported: name a server that holds all keys'],
  ['DENIED', 'Redis refuses connections from other machines (protected mode)'],
  ['WRONGTYPE', 'another program uses the same keys: choose another HCD_REDIS_PREFIX'],
  [
    'ERR',
    'Redis refuses the command (ERR): check the user name, the password and the number of the database, and whether scripts are allowed',
  ],
]);

export function isLasting({ isRefusal, code }: RedisFailure): boolean {
  return isRefusal && lasting.has(code);
}

/** A sentence without full stop. */
export function describeFailure({ isRefusal, code }: RedisFailure): string {
  if (!isRefusal) return `Redis does not answer (${code})`;
  return lasting.get(code) ?? `Redis cannot count at the moment (${code})`;
}

type Library = typeof import('@redis/client');

const connectLimit = 2000;
const answerLimit = 500;

/** A window that ends later than a new one would begins again: it was made shorter, or the clock was set back. */
const script = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window = tonumber(ARGV[1])
local ends = tonumber(redis.call('HGET', KEYS[1], 'ends'))
if not ends or ends <= now or ends > now + window then
  ends = now + window
  redis.call('HSET', KEYS[1], 'hits', 0, 'ends', ends)
  redis.call('PEXPIREAT', KEYS[1], ends)
end
return { redis.call('HINCRBY', KEYS[1], 'hits', ARGV[2]), ends, now }
`;

export interface RedisLink {
  /** Resolves when the connection has ended by itself. */
  readonly lost: Promise<RedisFailure>;
  close(): void;
}

export interface RedisCounting extends RedisLink {
  /** By the server's clock. Rejects with a RedisFailure, also without an answer in time. */
  addHit(hit: Omit<CountQuestion, 'whenLost'>): Promise<Count>;
}

interface RedisPlace {
  readonly address: RedisAddress;
  readonly clock: Clock;
}

/** Rejects with a RedisFailure. `prefix` begins every key. */
export async function openRedisLink({
  prefix,
  ...place
}: RedisPlace & { readonly prefix: string }): Promise<RedisCounting> {
  const { client, ask, lost, open, close } = await tend(place);
  const addHit: RedisCounting['addHit'] = ({ bucket, windowMs, hits = 1 }) =>
    ask(client.addHit(`${prefix}rate:${bucket}`, windowMs, hits), answerLimit);
  // A server that accepts the log-in may still be read-only, full, or forbid counting.
  await open(() => addHit({ bucket: 'probe', windowMs: 1000 }));
  return { lost, addHit, close };
}

/** A sentence without full stop; null when Redis counts. */
export async function whyRedisIsLost(place: RedisPlace & { readonly prefix: string }): Promise<string | null> {
  try {
    (await openRedisLink(place)).close();
    return null;
  } catch (error) {
    return error instanceof RedisFailure ? describeFailure(error) : 'Redis cannot be asked';
  }
}

export interface RedisPublishing extends RedisLink {
  /** Rejects with a RedisFailure, also without an answer in time. */
  publish(channel: string, message: string): Promise<void>;
}

/** Rejects with a RedisFailure. */
export async function openRedisPublisher(place: RedisPlace): Promise<RedisPublishing> {
  const { client, ask, lost, open, close } = await tend(place);
  await open(async () => undefined);
  const publish: RedisPublishing['publish'] = async (channel, message) => {
    await ask(client.publish(channel, message), answerLimit);
  };
  return { lost, publish, close };
}

/** Rejects with a RedisFailure. */
export async function subscribeToRedis(
  place: RedisPlace,
  { channel, listener }: { readonly channel: string; readonly listener: (message: string) => void },
): Promise<RedisLink> {
  const { client, ask, lost, open, close } = await tend(place);
  await open(() => ask(client.subscribe(channel, listener), answerLimit));
  return { lost, close };
}

async function tend({ address, clock }: RedisPlace) {
  const library = await loadOptional({ user: 'Redis', spec: '@redis/client@6' }, () => import('@redis/client'));
  const client = makeClient(library, address);
  let closed = false;
  const close = (): void => {
    if (!closed) client.destroy();
    closed = true;
  };
  // Every error also rejects a promise that has a handler, or ends the connection.
  client.on('error', () => undefined);
  const lost = new Promise<RedisFailure>((resolve) => {
    client.once('terminated', (cause: unknown) => resolve(toFailure(library, cause)));
  });
  // The library continues to connect after it was asked to end.
  client.on('connect', () => {
    if (closed) client.destroy();
  });
  const ask = async <T>(work: Promise<T>, limit: number): Promise<T> => {
    const tooLate = () => new RedisFailure({ code: 'timeout', isRefusal: false });
    try {
      return await within(clock, { work, limit, tooLate });
    } catch (error) {
      throw toFailure(library, error);
    }
  };
  const open = async (first: () => Promise<unknown>): Promise<void> => {
    try {
      await ask(client.connect(), connectLimit + answerLimit);
      await first();
    } catch (error) {
      close();
      throw error;
    }
    // The server keeps the process running, not this socket.
    client.unref();
  };
  return { client, ask, lost, open, close };
}

function makeClient({ createClient, defineScript }: Library, { at, username, password, database }: RedisAddress) {
  const limits = { connectTimeout: connectLimit, reconnectStrategy: false } as const;
  return createClient({
    socket: { ...limits, ...socketOf(at) },
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    database,
    // Version 3 sends the password in a command that old servers quote in their refusal.
    RESP: 2,
    disableClientInfo: true,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    // The library's own limit per command costs more than the command.
    commandOptions: { timeout: 0 },
    scripts: {
      addHit: defineScript({
        SCRIPT: script,
        NUMBER_OF_KEYS: 1,
        parseCommand(parser, key: string, windowMs: number, hits: number) {
          parser.pushKey(key);
          parser.push(String(windowMs), String(hits));
        },
        transformReply: decodeHits,
      }),
    },
  });
}

function socketOf(at: RedisAddress['at']) {
  if ('socketPath' in at) return { path: at.socketPath, tls: false } as const;
  const { host, port } = at;
  return at.tls ? ({ host, port, tls: true } as const) : { host, port };
}

function decodeHits(reply: unknown): Count {
  const [hits, endsOn, now]: unknown[] = Array.isArray(reply) ? reply : [];
  return { hits: Number(hits), endsOn: Number(endsOn), leftMs: Number(endsOn) - Number(now) };
}

function toFailure(library: Library, error: unknown): RedisFailure {
  if (error instanceof RedisFailure) return error;
  // By the protocol, the first word of a refusal is its code.
  if (error instanceof library.ErrorReply) {
    return new RedisFailure({ code: /^[A-Z]+/.exec(error.message)?.[0] ?? 'ERR', isRefusal: true });
  }
  if (error instanceof library.ConnectionTimeoutError) return new RedisFailure({ code: 'timeout', isRefusal: false });
  const code = codeOf(error) || 'closed';
  return new RedisFailure({ code, isRefusal: false });
}
