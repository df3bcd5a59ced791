/**
 * Limits guesses of passwords and of client secrets: failures are counted in the database, by its clock and for all
 * processes together. When they cannot be counted, no guess is allowed. Guesses at one user from all networks together
 * are counted too; they never lock the user out and only delay answers.
 */
import type { Clock, Timer } from '../../clock/clock.js';
import { sha256Hex } from '../../crypto/hash.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import { reportFailure } from '../../log/report-failure.js';
import type { Database, Tx } from '../../store/base/database.js';
import {
  addRateHits,
  clearRateCounter,
  purgeRateCounters,
  type RateCounterRow,
  readRateCounters,
  takeBackRateHit,
} from '../models/rate-counters.js';
import { within } from './within.js';

/** Failures of one user from one network, or of one client at one address. */
const perSubject = 5;
const perAddress = 50;
/** Failures of one user from all networks, after which each answer takes a second longer than the one before. */
const beforeDelays = 50;
const longestDelay = 30;
const windowMs = 15 * 60_000;

/** Milliseconds that a guess waits for its count at most. */
const waitFor = 2000;
const retryAfter = 5;
const purgeEvery = 60_000;

export interface Guess {
  readonly subject: string;
  readonly address: string;
  /** Counts guesses at the same user wherever they come from; absent where they are too hopeless to be delayed. */
  readonly everywhere?: string;
}

/** Guesses at the password of a user from a network. */
export function passwordGuess({ username, network }: { readonly username: string; readonly network: string }): Guess {
  const everywhere = passwordSubject(username);
  return { subject: `${everywhere}|${sha256Hex(network)}`, address: bucket('log-in', network), everywhere };
}

/** Where those at one user are counted; the counts of its networks begin with the same text and `|`. */
export function passwordSubject(username: string): string {
  return bucket('user', foldedName(username));
}

/** A user name however it is written: CMS databases know a name in any case. */
export function foldedName(username: string): string {
  return username.normalize('NFKC').toLowerCase().trim();
}

/** Guesses at the secret of a client: 256 random bits, which cannot be guessed from any number of addresses. */
export function secretGuess({ clientId, address }: { readonly clientId: string; readonly address: string }): Guess {
  return { subject: bucket('client', JSON.stringify([clientId, address])), address: bucket('client-address', address) };
}

/** Digests, because callers send texts of any length with any characters. */
function bucket(kind: string, text: string): string {
  return `guess|${kind}|${sha256Hex(text)}`;
}

/** A guess that was counted before it is tried. */
export interface Reservation {
  readonly guess: Guess;
  readonly counted: readonly RateCounterRow[];
  /** Seconds by which the answer is to be delayed, right or wrong, unless the network is a known one of the user. */
  readonly delaySeconds: number;
}

interface GuessLimitDeps {
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
    const rows = await this.#answer(readRateCounters(this.#deps.own.primary, [guess.subject, guess.address]));
    const over = rows.filter((row) => row.hits >= mostOf(row, guess));
    if (over.length > 0) throw refusal(over);
  }

  /** Counts a failure after the fact: for secrets that cannot be guessed, so that a success writes nothing. */
  async fail(guess: Guess): Promise<void> {
    await this.#write((tx) => addRateHits(tx, hitsOf(guess)));
  }

  /**
   * Counts a guess before it is tried, so that many at once are not more than one after the other. Throws rate_limited,
   * and then nothing is counted, when it would be one too many. A guess that is not returned counts as a failure.
   */
  async reserve(guess: Guess): Promise<Reservation> {
    const outcome = await this.#write(async (tx) => {
      const counted = await addRateHits(tx, hitsOf(guess));
      const over = counted.filter((row) => row.hits > mostOf(row, guess));
      if (over.length > 0) await takeBack(tx, counted);
      return { counted, over };
    });
    if (outcome.over.length > 0) throw refusal(outcome.over);
    const { counted } = outcome;
    const failures = counted.find((row) => row.bucket === guess.everywhere)?.hits ?? 0;
    return { guess, counted, delaySeconds: Math.min(longestDelay, Math.max(0, failures - beforeDelays)) };
  }

  /**
   * The guess was right: it does not count, and neither do earlier failures at the same subject. `also` is done in the
   * same transaction.
   */
  async succeed(
    { guess, counted }: Reservation,
    also: (tx: Tx) => Promise<void> = async () => undefined,
  ): Promise<void> {
    await this.#write(async (tx) => {
      await takeBack(
        tx,
        counted.filter((row) => row.bucket !== guess.subject),
      );
      await clearRateCounter(tx, guess.subject);
      await also(tx);
    });
  }

  /** The guess was not tried. */
  async giveBack({ counted }: Reservation): Promise<void> {
    await this.#write((tx) => takeBack(tx, counted));
  }

  purge(): Promise<void> {
    return purgeRateCounters(this.#deps.own);
  }

  close(): void {
    this.#purge.stop();
  }

  /** Doing it twice after a commit of unknown outcome is on the safe side, or harmless. */
  #write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#answer(this.#deps.own.write(work, { outcome: async () => undefined }));
  }

  /** Every failure of the count, a broken table included, is unavailable: never unlimited. */
  async #answer<T>(work: Promise<T>): Promise<T> {
    const tooLate = () => new Error('The database did not count in time');
    try {
      return await within(this.#deps.clock, { work, limit: waitFor, tooLate });
    } catch (cause) {
      throw new AppError('unavailable', { details: { retryAfter }, cause });
    }
  }
}

function hitsOf({ subject, address, everywhere }: Guess) {
  const buckets = everywhere === undefined ? [subject, address] : [subject, address, everywhere];
  return buckets.map((one) => ({ bucket: one, windowMs, hits: 1 }));
}

function mostOf(row: RateCounterRow, { subject, everywhere }: Guess): number {
  if (row.bucket === everywhere) return Number.POSITIVE_INFINITY;
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
