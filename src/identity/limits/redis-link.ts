/** Connections to Redis. The library is loaded with the first one, so that other processes do not pay for it. */
import { type Clock, type Timer, within } from '../../clock/clock.js';
import type { RedisAddress } from '../../config/address-values.js';
import { codeOf } from '../../errors/disk-error.js';
import { loadOptional } from '../../errors/optional-package.js';
import type { Log } from '../../log/observation.js';
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

interface RedisPlace {
  readonly address: RedisAddress;
  readonly clock: Clock;
}

export type RedisCounting = Awaited<ReturnType<typeof openRedisLink>>;

/** Rejects with a RedisFailure. `prefix` begins every key. */
export function openRedisLink({ prefix, ...place }: RedisPlace & { readonly prefix: string }) {
  return open(place, async (client, answer) => {
    /** By the server's clock. Rejects with a RedisFailure, also without an answer in time. */
    const addHit = ({ bucket, windowMs, hits = 1 }: Omit<CountQuestion, 'whenLost'>): Promise<Count> =>
      answer(client.addHit(`${prefix}rate:${bucket}`, windowMs, hits));
    // A server that accepts the log-in may still be read-only, full, or forbid counting.
    await addHit({ bucket: 'probe', windowMs: 1000 });
    return { addHit };
  });
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

export type RedisPublishing = Awaited<ReturnType<typeof openRedisPublisher>>;

/** Rejects with a RedisFailure. */
export function openRedisPublisher(place: RedisPlace) {
  return open(place, async (client, answer) => ({
    /** Rejects with a RedisFailure, also without an answer in time. */
    publish: (channel: string, message: string) => answer(client.publish(channel, message)),
  }));
}

/** Rejects with a RedisFailure. */
export function subscribeToRedis(
  place: RedisPlace,
  { channel, listener }: { readonly channel: string; readonly listener: (message: string) => void },
): Promise<RedisLink> {
  return open(place, async (client, answer) => {
    await answer(client.subscribe(channel, listener));
    return {};
  });
}

type Answer = <T>(work: Promise<T>, limit?: number) => Promise<T>;

async function open<T extends object>(
  { address, clock }: RedisPlace,
  begin: (client: ReturnType<typeof makeClient>, answer: Answer) => Promise<T>,
): Promise<T & RedisLink> {
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
  const tooLate = () => new RedisFailure({ code: 'timeout', isRefusal: false });
  const answer: Answer = (work, limit = answerLimit) =>
    within(clock, { work, limit, tooLate }).catch((error: unknown) => {
      throw toFailure(library, error);
    });
  try {
    await answer(client.connect(), connectLimit + answerLimit);
    const begun = await begin(client, answer);
    // The server keeps the process running, not this socket.
    client.unref();
    return { ...begun, lost, close };
  } catch (error) {
    close();
    throw error;
  }
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

const tryEvery = 1000;

interface RedisConnectionDeps<T extends RedisLink> {
  /** Rejects with a RedisFailure. */
  readonly open: () => Promise<T>;
  readonly clock: Clock;
  readonly log: Log;
  /** Names the work in reports of faults of the program. */
  readonly during: string;
  /** Called with the first of several failures in a row. */
  readonly onLost: (failure: RedisFailure) => void;
  readonly onOpened: (wasLost: boolean) => void;
}

/** Keeps a connection, and opens a lost one again once a second. */
export class RedisConnection<T extends RedisLink> {
  readonly #deps: RedisConnectionDeps<T>;
  #link: T | null = null;
  #isLost = false;
  #closed = false;
  #retry: Timer | null = null;

  constructor(deps: RedisConnectionDeps<T>) {
    this.#deps = deps;
  }

  get link(): T | null {
    return this.#link;
  }

  /** Returns a failure for which `isFatal` holds; tries again after every other one. */
  async start(isFatal: (failure: RedisFailure) => boolean = () => false): Promise<RedisFailure | null> {
    const failure = await this.#open();
    if (failure !== null && isFatal(failure)) return failure;
    this.#note(failure);
    this.#retry = this.#deps.clock.every({
      intervalMs: tryEvery,
      work: async () => this.#note(await this.#open()),
      onError: (error) => this.#deps.log({ kind: 'unexpected_error', during: this.#deps.during, error }),
    });
    return null;
  }

  /** The first of many callers of a lost connection ends it. */
  lose(link: T, failure: RedisFailure): void {
    if (this.#link !== link) return;
    this.#link = null;
    link.close();
    this.#note(failure);
  }

  close(): void {
    this.#closed = true;
    this.#retry?.stop();
    this.#link?.close();
    this.#link = null;
  }

  async #open(): Promise<RedisFailure | null> {
    if (this.#link !== null || this.#closed) return null;
    try {
      const link = await this.#deps.open();
      if (this.#closed) {
        link.close();
        return null;
      }
      this.#link = link;
      void link.lost.then((failure) => this.lose(link, failure));
    } catch (error) {
      if (error instanceof RedisFailure) return error;
      throw error;
    }
    this.#deps.onOpened(this.#isLost);
    this.#isLost = false;
    return null;
  }

  /** A lost connection affects many requests, so it is reported once. */
  #note(failure: RedisFailure | null): void {
    if (failure === null) return;
    if (!this.#isLost && !this.#closed) this.#deps.onLost(failure);
    this.#isLost = true;
  }
}
