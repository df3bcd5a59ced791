/**
 * Connections to Redis: one that counts, one that publishes a word, one that listens. A connection that is lost stays
 * lost: its opener opens the next one. The library is loaded with the first connection, so that no other process pays for it.
 */
import type { Clock, Timer } from '../../clock/clock.js';
import type { RedisAddress } from '../../config/redis-url.js';

/** Why Redis did not count: a code for the log. Never the server's own text, which may quote a password. */
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

/** Refusals that last until the configuration changes, and what to look at. */
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

/** Whether waiting will not help. */
export function isLasting({ isRefusal, code }: RedisFailure): boolean {
  return isRefusal && lasting.has(code);
}

/** The failure as a sentence without full stop. */
export function describeFailure({ isRefusal, code }: RedisFailure): string {
  if (!isRefusal) return `Redis does not answer (${code})`;
  return lasting.get(code) ?? `Redis cannot count at the moment (${code})`;
}

type Library = typeof import('@redis/client');

/** Milliseconds for reaching the server, and for an answer of it. */
const connectLimit = 2000;
const answerLimit = 500;

/**
 * Counts one hit. The hash ends by itself when its window has ended. A window that has ended begins again, and so does
 * one that ends later than a window that begins now: it was made shorter, or the clock was set back.
 */
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
return { redis.call('HINCRBY', KEYS[1], 'hits', 1), ends, now }
`;

export interface RedisHit {
  readonly bucket: string;
  readonly windowMs: number;
}

/** Times are Unix milliseconds by the clock of the Redis server. */
export interface RedisHits {
  /** Hits of the window, this one included. */
  readonly hits: number;
  readonly endsOn: number;
  readonly now: number;
}

export interface RedisLink {
  /** Resolves when the connection has ended by itself. */
  readonly lost: Promise<RedisFailure>;
  /** Counts in one round trip; rejects with a RedisFailure, also when no answer comes in time. */
  addHit(hit: RedisHit): Promise<RedisHits>;
  close(): void;
}

export interface RedisLinkOptions {
  readonly address: RedisAddress;
  /** Begins every key. */
  readonly prefix: string;
  readonly clock: Clock;
}

/** Opens a connection on which Redis counts; rejects with a RedisFailure. */
export async function openRedisLink({ address, prefix, clock }: RedisLinkOptions): Promise<RedisLink> {
  const library = await import('@redis/client');
  const client = makeClient(library, address);
  const { ask, lost, open, close } = tend(client, { library, clock });
  const addHit = ({ bucket, windowMs }: RedisHit): Promise<RedisHits> =>
    ask(client.addHit(`${prefix}rate:${bucket}`, windowMs), answerLimit);
  // A server that lets in need not count: it may be read-only, full, or forbid it to this user.
  await open(() => addHit({ bucket: 'probe', windowMs: 1000 }));
  return { lost, addHit, close };
}

/** Publishes an empty message on its own connection; rejects with a RedisFailure, also when it takes long. */
export async function openRedisPublisher(
  { address, clock }: Pick<RedisLinkOptions, 'address' | 'clock'>,
  channel: string,
): Promise<void> {
  const library = await import('@redis/client');
  const client = makeClient(library, address);
  const { ask, close } = tend(client, { library, clock });
  try {
    await ask(
      client.connect().then(() => client.publish(channel, '')),
      answerLimit,
    );
  } finally {
    close();
  }
}

export interface RedisSubscription {
  /** Resolves when the connection has ended by itself. */
  readonly lost: Promise<RedisFailure>;
  close(): void;
}

/** Calls the listener at each message of the channel; rejects with a RedisFailure. */
export async function openRedisSubscription(
  { address, clock }: Pick<RedisLinkOptions, 'address' | 'clock'>,
  { channel, listener }: { readonly channel: string; readonly listener: () => void },
): Promise<RedisSubscription> {
  const library = await import('@redis/client');
  const client = makeClient(library, address);
  const { ask, lost, open, close } = tend(client, { library, clock });
  await open(() => ask(client.subscribe(channel, listener), answerLimit));
  return { lost, close };
}

interface Tended {
  /** Awaits an answer; rejects with a RedisFailure, also when none comes in time. */
  readonly ask: <T>(work: Promise<T>, limit: number) => Promise<T>;
  readonly lost: Promise<RedisFailure>;
  /** Connects and asks the first question; closes the connection when either fails. */
  readonly open: (first: () => Promise<unknown>) => Promise<void>;
  readonly close: () => void;
}

function tend(client: ReturnType<typeof makeClient>, { library, clock }: { library: Library; clock: Clock }): Tended {
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
  // The library goes on connecting after it was told to end.
  client.on('connect', () => {
    if (closed) client.destroy();
  });
  const ask = async <T>(work: Promise<T>, limit: number): Promise<T> => {
    try {
      return await within(clock, { work, limit });
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
    // From here on it is the server that keeps the process running, not this socket.
    client.unref();
  };
  return { ask, lost, open, close };
}

function makeClient({ createClient, defineScript }: Library, { at, username, password, database }: RedisAddress) {
  const limits = { connectTimeout: connectLimit, reconnectStrategy: false } as const;
  return createClient({
    socket: { ...limits, ...socketOf(at) },
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    database,
    // Version 3 of the protocol sends the password in a command that old servers quote in their refusal.
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
        parseCommand(parser, key: string, windowMs: number) {
          parser.pushKey(key);
          parser.push(String(windowMs));
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

function decodeHits(reply: unknown): RedisHits {
  const [hits, endsOn, now]: unknown[] = Array.isArray(reply) ? reply : [];
  return { hits: Number(hits), endsOn: Number(endsOn), now: Number(now) };
}

/** Timers, one after the other, by which one limit is waited for. */
const parts = 10;

/**
 * Rejects when the work takes longer. The limit is waited for in parts: whatever holds up this process costs one part
 * each time, however long it lasts, and an answer that has come meanwhile is read before the next one ends. A flood of
 * requests on a slow machine holds it up several times in a row.
 */
function within<T>(clock: Clock, { work, limit }: { readonly work: Promise<T>; readonly limit: number }): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new RedisFailure({ code: 'timeout', isRefusal: false }));
    let left = parts;
    const waitOn = (): Timer => {
      left -= 1;
      return clock.after(limit / parts, () => {
        if (left === 0) giveUp();
        else timer = waitOn();
      });
    };
    let timer = waitOn();
    work.then(resolve, reject).finally(() => timer.stop());
  });
}

function toFailure(library: Library, error: unknown): RedisFailure {
  if (error instanceof RedisFailure) return error;
  // The first word of a refusal is its code, by the protocol; the rest is for people.
  if (error instanceof library.ErrorReply) {
    return new RedisFailure({ code: /^[A-Z]+/.exec(error.message)?.[0] ?? 'ERR', isRefusal: true });
  }
  if (error instanceof library.ConnectionTimeoutError) return new RedisFailure({ code: 'timeout', isRefusal: false });
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'closed';
  return new RedisFailure({ code, isRefusal: false });
}
