/** Two threads per database run statements that may scan; one that runs too long costs its thread. */
import { systemClock } from '../../clock/clock.js';
import type { RawRow, Statement } from '../base/database.js';
import { toAppError } from '../base/errors.js';
import { type BegunRead, HeavyQueue, tooSlow } from '../base/heavy-queue.js';
import type { StoreLimits } from '../base/limits.js';
import { StatementThread, type ThreadFile } from './thread.js';

/** One caller never has both. */
const threads = 2;
const mostEnding = 2;

interface HeavyReaderOptions extends ThreadFile {
  readonly limits: Pick<StoreLimits, 'heavy' | 'search' | 'wait'>;
}

export class HeavyReader {
  readonly #options: HeavyReaderOptions;
  readonly #queue: HeavyQueue;
  readonly #idle: StatementThread[] = [];
  readonly #busy = new Set<StatementThread>();
  readonly #ending = new Set<Promise<void>>();

  constructor(options: HeavyReaderOptions) {
    this.#options = options;
    this.#queue = new HeavyQueue({ places: threads, limits: options.limits });
  }

  /** Throws `unavailable` when too much waits or a limit of time is over. */
  select(statement: Statement): Promise<readonly RawRow[]> {
    return this.#queue.run(statement, (limit) => this.#begin(statement, limit));
  }

  async close(): Promise<void> {
    this.#queue.close();
    for (const thread of [...this.#idle.splice(0), ...this.#busy]) this.#end(thread);
    await Promise.all(this.#ending);
  }

  #begin(statement: Statement, limit: number): BegunRead {
    const thread = this.#takeThread();
    const answered = thread.select(statement).catch((error: unknown) => {
      throw toAppError(error);
    });
    const rows = new Promise<readonly RawRow[]>((resolve, reject) => {
      answered.then(resolve, reject);
      if (limit === 0) return;
      const timer = systemClock.after(limit, () => {
        reject(tooSlow());
        this.#end(thread);
      });
      answered.then(timer.stop, timer.stop);
    });
    return { rows, freed: rows.catch(() => undefined).then(() => this.#giveBack(thread)) };
  }

  #takeThread(): StatementThread {
    let thread = this.#idle.pop();
    while (thread?.isLost === true) thread = this.#idle.pop();
    thread ??= new StatementThread({ ...this.#options, writes: false });
    this.#busy.add(thread);
    return thread;
  }

  /** Resolves when another thread may begin in its place. */
  async #giveBack(thread: StatementThread): Promise<void> {
    if (this.#busy.delete(thread) && !thread.isLost) this.#idle.push(thread);
    while (this.#ending.size > mostEnding) await Promise.race(this.#ending);
  }

  #end(thread: StatementThread): void {
    this.#busy.delete(thread);
    const end = thread.kill().finally(() => this.#ending.delete(end));
    this.#ending.add(end);
  }
}
