/**
 * Limits guesses of passwords and of client secrets (contract 4.6): failures are counted in the database, by its clock
 * and for all processes together. When they cannot be counted, nobody may guess.
 */
import type { Clock, Timer } from '../clock/clock.js';
import { sha256Hex } from '../crypto/hash.js';
import { AppError } from '../errors/app-error.js';
import type { Log } from '../log/observation.js';
import type { Database, Tx } from '../store/database.js';
import {
  addRateHits,
  clearRateCounter,
  type RateCounterRow,
  readRateCounters,
  removeEndedRateCounters,
  takeBackRateHit,
} from '../store/rows/rate-counters.js';
import { reportFailure } from './report-failure.js';

/** Failures of one user, or of one client at one address. */
const perSubject = 5;
const perAddress = 50;
const windowMs = 15 * 60_000;

/** Milliseconds that a guess waits for its count at most. */
const waitFor = 2000;
const retryAfter = 5;
const purgeEvery = 60_000;
const purgeTogether = 1000;

/** What is guessed at, and from where: two counts. */
export interface Guess {
  readonly subject: string;
  readonly address: string;
}

/** Guesses at the password of a user. */
export function passwordGuess({ username, address }: { readonly username: string; readonly address: string }): Guess {
  return { subject: passwordSubject(username), address: bucket('log-in', address) };
}

/** Where they are counted, however the name is written: CMS databases know a name in any case. */
export function passwordSubject(username: string): string {
  return bucket('user', username.normalize('NFKC').toLowerCase().trim());
}

/**
 * Guesses at the secret of a client. Counted per client *and* address: a count per client alone would let anybody who
 * knows its id, which is no secret, lock the client out everywhere. A person may be locked out so, because a password
 * can be guessed from many addresses; 256 random bits cannot.
 */
export function secretGuess({ clientId, address }: { readonly clientId: string; readonly address: string }): Guess {
  return { subject: bucket('client', JSON.stringify([clientId, address])), address: bucket('client-address', address) };
}

/** Digests: what callers send has any length and any characters. */
function bucket(kind: string, text: string): string {
  return `guess|${kind}|${sha256Hex(text)}`;
}

/** A guess that was counted before it is tried. */
export interface Reservation {
  readonly guess: Guess;
  readonly counted: readonly RateCounterRow[];
}

export interface GuessLimitDeps {
  readonly own: Database;
  readonly clock: Clock;
  readonly log: Log;
}

export class GuessLimit {
  readonly #deps: GuessLimitDeps;
  readonly #purge: Timer;

  constructor(deps: GuessLimitDeps) {
    this.#deps = deps;
    this.#purge = deps.clock.every({
      intervalMs: purgeEvery,
      work: () => this.purge(),
      onError: (error) => reportFailure(deps.log, { during: 'removing old counts of guesses', error }),
    });
  }

  /** Throws rate_limited when no guess is left. Counts nothing. */
  async check(guess: Guess): Promise<void> {
    const rows = await this.#answer(() => readRateCounters(this.#deps.own.primary, [guess.subject, guess.address]));
    const over = rows.filter((row) => row.hits >= mostOf(row, guess));
    if (over.length > 0) throw refusal(over);
  }

  /** Counts a failure that has happened: for what is not worth guessing, so that success need not be written. */
  async fail(guess: Guess): Promise<void> {
    await this.#write((tx) => addRateHits(tx, hitsOf(guess)));
  }

  /**
   * Counts a guess before it is tried, so that many at once are not more than one after the other. Throws rate_limited,
   * and then nothing is counted, when it would be one too many. What is not given back counts as a failure.
   */
  async reserve(guess: Guess): Promise<Reservation> {
    const outcome = await this.#write(async (tx) => {
      const counted = await addRateHits(tx, hitsOf(guess));
      const over = counted.filter((row) => row.hits > mostOf(row, guess));
      if (over.length > 0) await takeBack(tx, counted);
      return { counted, over };
    });
    if (outcome.over.length > 0) throw refusal(outcome.over);
    return { guess, counted: outcome.counted };
  }

  /** The guess was right: it does not count, and neither do earlier failures at the same subject. */
  async succeed({ guess, counted }: Reservation): Promise<void> {
    await this.#write(async (tx) => {
      await clearRateCounter(tx, guess.subject);
      await takeBack(
        tx,
        counted.filter((row) => row.bucket !== guess.subject),
      );
    });
  }

  /** The guess was not tried. */
  async giveBack({ counted }: Reservation): Promise<void> {
    await this.#write((tx) => takeBack(tx, counted));
  }

  /** Removes counts whose time has ended. */
  async purge(): Promise<void> {
    let removed = purgeTogether;
    while (removed === purgeTogether) {
      removed = await this.#deps.own.write((tx) => removeEndedRateCounters(tx, purgeTogether));
    }
  }

  close(): void {
    this.#purge.stop();
  }

  /** Doing it twice after a commit of unknown outcome is on the safe side, or harmless. */
  #write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#answer(() => this.#deps.own.write(work, { outcome: async () => undefined }));
  }

  /** Whatever is in the way of the count, a broken table included, is unavailable: never unlimited. */
  async #answer<T>(question: () => Promise<T>): Promise<T> {
    const done = new AbortController();
    const tooLong = this.#deps.clock.sleep(waitFor, done.signal).then(() => {
      throw new Error('The database did not count in time');
    });
    const answer = question();
    try {
      return await Promise.race([answer, tooLong]);
    } catch (cause) {
      throw new AppError('unavailable', { details: { retryAfter }, cause });
    } finally {
      // Whichever came second has nobody left who waits for it.
      answer.catch(() => undefined);
      tooLong.catch(() => undefined);
      done.abort();
    }
  }
}

function hitsOf({ subject, address }: Guess) {
  return [subject, address].map((one) => ({ bucket: one, windowMs, hits: 1 }));
}

function mostOf(row: RateCounterRow, { subject }: Guess): number {
  return row.bucket === subject ? perSubject : perAddress;
}

async function takeBack(tx: Tx, counted: readonly RateCounterRow[]): Promise<void> {
  for (const row of counted) await takeBackRateHit(tx, row);
}

/** The longest wait: the other count may be full as well. */
function refusal(over: readonly RateCounterRow[]): AppError {
  const leftMs = Math.max(...over.map((row) => row.leftMs));
  return new AppError('rate_limited', {
    message: 'Too many failed attempts; wait for the seconds in Retry-After',
    details: { retryAfter: Math.max(1, Math.ceil(leftMs / 1000)) },
  });
}
