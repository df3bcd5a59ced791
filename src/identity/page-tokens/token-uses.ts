/**
 * Writes when page tokens were last used: at most once a minute per token, gathered for a second, outside every request
 * and through the same turns as every other change. A use that cannot be written is lost, and reported unless the
 * database is away.
 */
import type { Clock, Timer } from '../../clock/clock.js';
import type { PageToken } from '../../config/page-token-list.js';
import type { Log } from '../../log/observation.js';
import { reportFailure } from '../../log/report-failure.js';
import { changeTokens } from './change-tokens.js';
import type { ContentStore } from './token-settings.js';

/** Seconds between two writes of one token. */
const interval = 60;
/** Milliseconds for which uses are gathered into one write. */
const gatherFor = 1000;

export interface TokenUsesDeps {
  readonly store: ContentStore;
  readonly clock: Clock;
  readonly log: Log;
}

export class TokenUses {
  readonly #deps: TokenUsesDeps;
  /** Prefix -> when this process last put it down for writing, by the clock that never goes back. As many as tokens. */
  readonly #noted = new Map<string, number>();
  /** Prefix -> time of the use, Unix seconds. */
  #waiting = new Map<string, number>();
  #timer: Timer | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: TokenUsesDeps) {
    this.#deps = deps;
  }

  /** Only for prefixes of tokens that were verified. */
  note(prefix: string): void {
    const { clock } = this.#deps;
    const elapsed = clock.elapsed();
    const before = this.#noted.get(prefix);
    if (before !== undefined && elapsed - before < interval * 1000) return;
    this.#noted.set(prefix, elapsed);
    this.#waiting.set(prefix, Math.floor(clock.now() / 1000));
    this.#timer ??= clock.after(gatherFor, () => void this.flush());
  }

  /** Writes what waits; resolves when it is written or given up. Never rejects. */
  flush(): Promise<void> {
    this.#timer?.stop();
    this.#timer = null;
    const uses = this.#waiting;
    this.#waiting = new Map();
    if (uses.size > 0) this.#writing = this.#writing.then(() => this.#write(uses));
    return this.#writing;
  }

  async #write(uses: ReadonlyMap<string, number>): Promise<void> {
    const { store, log } = this.#deps;
    try {
      await changeTokens(store, (tokens) => ({
        tokens: tokens.map((token) => withUse(token, uses.get(token.prefix))),
        result: null,
      }));
    } catch (error) {
      // Must not throw: nobody listens, and no request depends on it.
      reportFailure(log, { during: 'writing when page tokens were last used', error });
    }
  }
}

/** The same token when another process has written a use of the last minute. */
function withUse(token: PageToken, at: number | undefined): PageToken {
  const isDue = at !== undefined && (token.lastUsed === null || at - token.lastUsed >= interval);
  return isDue ? { ...token, lastUsed: at } : token;
}
