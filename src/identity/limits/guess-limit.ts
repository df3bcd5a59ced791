/** Limits guesses of passwords and client secrets, for all processes together. Without a count no guess is allowed. */
import { type Clock, type Timer, within } from '../../clock/clock.js';
import { sha256Hex } from '../../crypto/primitives.js';
import { AppError, retrySeconds } from '../../errors/app-error.js';
import { type Log, reportFailure } from '../../log/observation.js';
import { type Database, repeatable, type Tx } from '../../store/base/database.js';
import {
  addRateHits,
  clearRateCounter,
  purgeRateCounters,
  type RateCounterRow,
  readRateCounters,
  takeBackRateHit,
} from '../models/rate-counters.js';

/** Failures of one user from one network, or of one client at one address. */
const perSubject = 5;
const perAddress = 50;
/** Failures of one user from all networks. They never lock the user out: each further answer takes a second longer. */
const beforeDelays = 50;
const longestDelay = 30;
const windowMs = 15 * 60_000;

const countLimitMs = 2000;
const purgeEvery = 60_000;

interface Guess {
  readonly subject: string;
  readonly address: string;
  /** Counts guesses at the same user from all networks; absent for secrets, which cannot be guessed. */
  readonly everywhere?: string;
}

export function passwordGuess({ username, network }: { readonly username: string; readonly network: string }): Guess {
  const everywhere = passwordSubject(username);
  return { subject: `${everywhere}|${sha256Hex(network)}`, address: bucket('log-in', network), everywhere };
}

/** The subjects of a user's networks begin with this text and `|`. */
export function passwordSubject(username: string): string {
  return bucket('user', foldedName(username));
}

/** CMS databases find a name in any case. */
export function foldedName(username: string): string {
  return username.normalize('NFKC').toLowerCase().trim();
}

/** A secret has 256 random bits, so guesses at it are never delayed. */
export function secretGuess({ clientId, address }: { readonly clientId: string; readonly address: string }): Guess {
  return { subject: bucket('client', JSON.stringify([clientId, address])), address: bucket('client-address', address) };
}

/** Digests, because callers send texts of any length with any characters. */
function bucket(kind: string, text: string): string {
  return `guess|${kind}|${sha256Hex(text)}`;
}

export interface Reservation {
  readonly guess: Guess;
  readonly counted: readonly RateCounterRow[];
  /** Delays right and wrong answers, unless the network is a known one of the user. */
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

  /** Counts nothing. Throws rate_limited when no guess is left. */
  async check(guess: Guess): Promise<void> {
    const rows = await this.#orUnavailable(readRateCounters(this.#deps.own.primary, [guess.subject, guess.address]));
    const over = rows.filter((row) => row.hits >= mostOf(row, guess));
    if (over.length > 0) throw refusal(over);
  }

  /** Counts afterwards, for secrets that cannot be guessed, so that a success writes nothing. */
  async fail(guess: Guess): Promise<void> {
    await this.#write((tx) => addRateHits(tx, hitsOf(guess)));
  }

  /** Counts before the try, so that parallel guesses gain nothing. Throws rate_limited, and then counts nothing. */
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

  /** Also forgets earlier failures at the same subject. `also` runs in the same transaction. */
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

  /** For a guess that was not tried. */
  async giveBack({ counted }: Reservation): Promise<void> {
    await this.#write((tx) => takeBack(tx, counted));
  }

  purge(): Promise<void> {
    return purgeRateCounters(this.#deps.own);
  }

  close(): void {
    this.#purge.stop();
  }

  /** A transaction that runs twice, after a lost answer to COMMIT, counts a guess twice at most. */
  #write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#orUnavailable(this.#deps.own.write(work, repeatable));
  }

  /** Every failure of the count, also a broken table, is unavailable: never unlimited. */
  async #orUnavailable<T>(work: Promise<T>): Promise<T> {
    const tooLate = () => new Error('The database did not count in time');
    try {
      return await within(this.#deps.clock, { work, limit: countLimitMs, tooLate });
    } catch (cause) {
      throw new AppError('unavailable', { details: { retryAfter: retrySeconds }, cause });
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

/** The longest wait: another count may be full as well. */
function refusal(over: readonly RateCounterRow[]): AppError {
  const leftMs = Math.max(...over.map((row) => row.leftMs));
  return new AppError('rate_limited', {
    message: 'Too many failed attempts; wait for the seconds in Retry-After',
    details: { retryAfter: Math.max(1, Math.ceil(leftMs / 1000)) },
  });
}
