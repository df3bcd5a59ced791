/** Notifies other servers through Redis. Without it they find a change within a second. */
import { type Clock, within } from '../../clock/clock.js';
import { parseRedisUrl, type RedisAddress } from '../../config/address-values.js';
import type { Config } from '../../config/definitions.js';
import { randomId } from '../../crypto/primitives.js';
import type { Log } from '../../log/observation.js';
import { onRevocation } from '../../memory/seen-memory.js';
import type { Database } from '../../store/base/database.js';
import { onCommit, type Topic } from '../../store/base/transaction.js';
import type { Store } from '../../store/open/open.js';
import { perObject } from '../../values/kept-values.js';
import {
  openRedisPublisher,
  RedisConnection,
  RedisFailure,
  type RedisPublishing,
  subscribeToRedis,
} from './redis-link.js';

export interface NewsPlace {
  readonly address: RedisAddress;
  readonly prefix: string;
  readonly clock: Clock;
}

export type News = 'credentials' | Topic;

type NewsListeners = Readonly<Record<News, () => Promise<void>>>;

/** How long a change waits for Redis, and the pause after a failure, during which it does not wait. */
const longestWait = 250;
const pause = 1000;

/** A process ignores its own messages by this name. */
const senderOf = perObject<Database, string>(() => randomId());

/** Null where the configuration names no Redis server. */
export function newsPlace({
  redis,
  redis_prefix: prefix,
}: Pick<Config, 'redis' | 'redis_prefix'>): Omit<NewsPlace, 'clock'> | null {
  const address = redis === null ? undefined : parseRedisUrl(redis);
  return address === undefined ? null : { address, prefix };
}

function channelOf({ prefix }: Pick<NewsPlace, 'prefix'>): string {
  return `${prefix}revocations`;
}

/** Callers continue after the message is sent. Returns a function that stops publishing. */
export function publishNews({ own, content }: Pick<Store, 'own' | 'content'>, place: NewsPlace): () => void {
  const publisher = new NewsPublisher(place, senderOf(own));
  const topics: readonly Topic[] = ['live', 'content', 'banners'];
  const ends = [
    onRevocation(own, () => publisher.tell('credentials')),
    ...[...new Set([own, content])].flatMap((one) =>
      topics.map((topic) => onCommit(one, topic, () => publisher.tell(topic))),
    ),
  ];
  return () => {
    for (const end of ends) end();
    publisher.close();
  };
}

/** Failures are not reported: servers without a message find the change in the database. */
class NewsPublisher {
  readonly #place: NewsPlace;
  readonly #sender: string;
  readonly #waiting = new Set<News>();
  #link: RedisPublishing | null = null;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | null = null;
  #lostAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(place: NewsPlace, sender: string) {
    this.#place = place;
    this.#sender = sender;
  }

  /** Resolves when it is published or has taken too long. One message covers all waiting changes. */
  async tell(news: News): Promise<void> {
    const { clock } = this.#place;
    this.#waiting.add(news);
    this.#next ??= this.#running.then(() => {
      this.#next = null;
      this.#running = this.#publish();
      return this.#running;
    });
    if (clock.elapsed() - this.#lostAt < pause) return;
    const tooLate = () => new RedisFailure({ code: 'timeout', isRefusal: false });
    await within(clock, { work: this.#next, limit: longestWait, tooLate }).catch(() => undefined);
  }

  close(): void {
    this.#closed = true;
    this.#link?.close();
    this.#link = null;
  }

  async #publish(): Promise<void> {
    const batch = [...this.#waiting];
    this.#waiting.clear();
    try {
      this.#link ??= await openRedisPublisher(this.#place);
      for (const news of batch) await this.#link.publish(channelOf(this.#place), `${news} ${this.#sender}`);
      if (this.#closed) this.close();
    } catch {
      this.#link?.close();
      this.#link = null;
      this.#lostAt = this.#place.clock.elapsed();
    }
  }
}

export async function followNews(
  own: Database,
  listeners: NewsListeners,
  { log, ...place }: NewsPlace & { readonly log: Log },
): Promise<{ close(): void }> {
  /** One read at a time: messages that arrive during it cause one more. */
  const looking = new Map<News, 'once' | 'again'>();
  const look = async (news: News): Promise<void> => {
    if (looking.has(news)) return void looking.set(news, 'again');
    do {
      looking.set(news, 'once');
      // Code that reads the database regularly reports that it does not answer.
      await Promise.allSettled([listeners[news]()]);
    } while (looking.get(news) === 'again');
    looking.delete(news);
  };
  const hear = (message: string): void => {
    const [news = '', by] = message.split(' ');
    if (by === senderOf(own)) return;
    // Releases that published credentials only sent an empty message.
    if (news === '') void look('credentials');
    else if (isNews(news)) void look(news);
  };
  const connection = new RedisConnection({
    // Messages sent during a loss were missed, and nothing else reads all credentials.
    ...{ log, clock: place.clock, during: 'listening to Redis', onOpened: () => look('credentials') },
    open: () => subscribeToRedis(place, { channel: channelOf(place), listener: hear }),
    onLost: ({ code }) => log({ kind: 'revocations_unheard', code }),
  });
  await connection.start();
  return connection;

  function isNews(word: string): word is News {
    return word in listeners;
  }
}
