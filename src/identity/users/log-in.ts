/** Checks a user name and password. Every refusal is one answer after the same work. */

import { col, literal, Op } from 'sequelize';
import type { Clock } from '../../clock/clock.js';
import { WaitingLine } from '../../clock/waiting-line.js';
import { decoysLike, isHashable, verifyPassword } from '../../crypto/password.js';
import { AppError } from '../../errors/app-error.js';
import { type Log, reportFailure } from '../../log/observation.js';
import type { Tx } from '../../store/base/database.js';
import { fromNow } from '../../store/models/columns.js';
import type { Store } from '../../store/open/open.js';
import { dayMs } from '../../values/dates.js';
import { foldedName, type GuessLimit, passwordGuess, type Reservation } from '../limits/guess-limit.js';
import {
  findUserByName,
  findUsers,
  isLoginNetwork,
  loginNetworks,
  profiles,
  readSlowHashHeads,
} from '../models/users.js';
import { passwordMark, standingProblem } from './user-standing.js';

type Sign = (purpose: string, text: string) => string;

export interface LogInRequest {
  /** Of the client after the trusted-proxy rule: `clientNetwork` of src/http/interface/request-headers. */
  readonly network: string;
  readonly signal: AbortSignal;
  extendDeadline(ms: number): void;
}

export interface LogInAttempt {
  readonly username: string;
  readonly password: string;
  readonly request: LogInRequest;
}

export interface LoggedIn {
  readonly userId: number;
  readonly username: string;
  /** The mark of the right password, for `findActingUser` later. */
  readonly mark: string;
}

/** Throws invalid_credentials, rate_limited, and unavailable when guesses cannot be counted or too many wait. */
export type LogIn = (attempt: LogInAttempt) => Promise<LoggedIn>;

export interface LogInDeps {
  readonly store: Pick<Store, 'content' | 'own' | 'prefix' | 'tables'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly guesses: GuessLimit;
  readonly delays: DelayedAnswers;
  readonly sign: Sign;
  /** For tests. */
  readonly hashing?: Partial<typeof hashing>;
  readonly verify?: typeof verifyPassword;
}

interface Origin {
  readonly username: string;
  readonly network: string;
}

/** Half of Node's threads for such work, which also look up files and names; a flood must not fill the process. */
const hashing = { places: 2, mostWaiting: 64 };
const networkKeptMs = 30 * dayMs;
const longestUserName = 100;
const decoysFor = 60_000;

export function makeLogIn(deps: LogInDeps): LogIn {
  const { guesses } = deps;
  const queue = new WaitingLine({
    ...{ ...hashing, ...deps.hashing },
    refusal: () => new AppError('unavailable', { message: 'Too many log-ins at once', details: { retryAfter: 2 } }),
  });
  const decoys = rememberDecoys(deps);
  return async function logIn({ username, password, request }) {
    if (username === '' || [...username].length > longestUserName || !isHashable(password)) throw wrong();
    const origin = { username, network: request.network };
    const guess = passwordGuess(origin);
    // A caller who is locked out does not wait for a place in the queue.
    await guesses.check(guess);
    const succeed = (reservation: Reservation) =>
      guesses.succeed(reservation, (tx) => keepNetwork(tx, pairHash(origin, deps.sign)));
    const { found, reservation, delay } = await queue.run(async () => {
      const reservation = await guesses.reserve(guess);
      let delay: Delay | null = null;
      try {
        delay = await takeDelay(deps, { origin, reservation });
        const found = await tryPassword(deps, { username, password, decoys: await decoys() });
        if (found !== null && delay === null) await succeed(reservation);
        return { found, reservation, delay };
      } catch (error) {
        delay?.cancel();
        // A database that is away must not lock people out.
        await guesses.giveBack(reservation).catch(() => undefined);
        throw error;
      }
    });
    if (delay !== null) {
      request.extendDeadline(reservation.delaySeconds * 1000);
      await delay.wait(request.signal);
      // Before the delay is over, nothing may reveal that the password was right.
      if (request.signal.aborted) throw wrong();
      if (found !== null) await succeed(reservation);
    }
    if (found === null) throw wrong();
    await note(deps, found.userId);
    return found;
  };
}

/** Null for an answer that is not delayed. Throws rate_limited without a free place. */
async function takeDelay(
  { store, delays, sign }: LogInDeps,
  { origin, reservation }: { readonly origin: Origin; readonly reservation: Reservation },
): Promise<Delay | null> {
  const { guess, delaySeconds: seconds } = reservation;
  if (seconds === 0 || (await isLoginNetwork(store.own.primary, pairHash(origin, sign)))) return null;
  return delays.take({ subject: guess.everywhere ?? guess.subject, seconds });
}

/** Guesses from elsewhere never delay a log-in from a known network. Kept for unknown names too. */
function pairHash({ username, network }: Origin, sign: Sign): string {
  return sign('login network', JSON.stringify([foldedName(username), network]));
}

function keepNetwork(tx: Tx, hash: string): Promise<void> {
  const pair = { pairHash: hash, endsOn: fromNow(tx, networkKeptMs) };
  return loginNetworks.on(tx).bulkCreate([pair], { updateOnDuplicate: ['endsOn'] });
}

function wrong(): AppError {
  return new AppError('invalid_credentials');
}

/** Every refusal comes after the same reads and the same hashing. */
async function tryPassword(
  deps: LogInDeps,
  { username, password, decoys }: Omit<LogInAttempt, 'request'> & { readonly decoys: readonly string[] },
): Promise<LoggedIn | null> {
  const { store, clock, verify = verifyPassword } = deps;
  const { content, prefix } = store;
  const stored = await findUserByName(content.primary, store, username);
  const [user] = await findUsers(content.primary, prefix, [stored?.id ?? 0]);
  const isRight = await verify(password, { stored, decoys });
  if (!isRight || stored === null || user === undefined) return null;
  const now = clock.now() / 1000;
  if (standingProblem(user, now) === null) {
    return { userId: user.id, username: user.username, mark: passwordMark(stored.hash) };
  }
  // Like the CMS, refuses this attempt after a block has passed, and lets the next one in.
  if (user.blocked && user.blockedUntil > 0 && user.blockedUntil < now) {
    const isPassed = { [Op.gt]: 0, [Op.lt]: Math.floor(now) };
    const where = { userId: user.id, blocked: true, blockedUntil: isPassed };
    await content.write((tx) => profiles.on(tx, prefix).update({ blocked: false, blockedUntil: 0 }, { where }));
  }
  return null;
}

/** A log-in does not depend on the time in the profile. */
async function note({ store, clock, log }: LogInDeps, userId: number): Promise<void> {
  try {
    const earlierLogIn = col(profiles.columnOf('lastLogIn'));
    const logInCount = literal(`\`${profiles.columnOf('logInCount')}\` + 1`);
    // MariaDB uses values that were assigned further left.
    const values = { logInCount, earlierLogIn, lastLogIn: Math.floor(clock.now() / 1000), failedLogIns: 0 };
    await store.content.write((tx) => profiles.on(tx, store.prefix).update(values, { where: { userId } }));
  } catch (error) {
    reportFailure(log, { during: 'noting a log-in in the profile of the user', error });
  }
}

/** Hashes of no password, one for each cost in use. Only the first log-in waits for them. */
function rememberDecoys({ store, clock, log }: LogInDeps): () => Promise<readonly string[]> {
  let known: Promise<readonly string[]> | null = null;
  let readAt = 0;
  const read = async () => decoysLike(await readSlowHashHeads(store.content.primary, store.prefix));
  return () => {
    if (known !== null && clock.elapsed() - readAt < decoysFor) return known;
    readAt = clock.elapsed();
    const [before, fresh] = [known, read()];
    known ??= fresh;
    fresh.then(
      () => {
        known = fresh;
      },
      (error: unknown) => {
        known = before;
        if (before !== null) reportFailure(log, { during: 'looking up what passwords of users cost', error });
      },
    );
    return known;
  };
}

/** In one process, and to one user. */
const most = 200;
const mostOfOne = 40;

interface Delay {
  /** Resolves after the delay, or at once when the signal aborts or the server ends; the place is free then. */
  wait(signal: AbortSignal): Promise<void>;
  cancel(): void;
}

/** Delays answers to log-ins. Few may wait, because each holds its connection and a flood must not fill the process. */
export class DelayedAnswers {
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #limits: { readonly most: number; readonly mostOfOne: number };
  readonly #bySubject = new Map<string, number>();
  readonly #end = new AbortController();
  #all = 0;

  constructor(clock: Pick<Clock, 'sleep'>, limits: { readonly most?: number; readonly mostOfOne?: number } = {}) {
    this.#clock = clock;
    this.#limits = { most, mostOfOne, ...limits };
  }

  get size(): number {
    return this.#all;
  }

  /** Throws rate_limited when too many answers wait. */
  take({ subject, seconds }: { readonly subject: string; readonly seconds: number }): Delay {
    const waiting = this.#bySubject.get(subject) ?? 0;
    if (this.#all >= this.#limits.most || waiting >= this.#limits.mostOfOne) {
      const message = 'Too many failed attempts; wait for the seconds in Retry-After';
      throw new AppError('rate_limited', { message, details: { retryAfter: seconds } });
    }
    this.#all += 1;
    this.#bySubject.set(subject, waiting + 1);
    let isHeld = true;
    const cancel = (): void => {
      if (!isHeld) return;
      isHeld = false;
      this.#free(subject);
    };
    return {
      cancel,
      wait: async (signal) => {
        await this.#clock.sleep(seconds * 1000, AbortSignal.any([signal, this.#end.signal]));
        cancel();
      },
    };
  }

  close(): void {
    this.#end.abort();
  }

  #free(subject: string): void {
    this.#all -= 1;
    const left = (this.#bySubject.get(subject) ?? 1) - 1;
    if (left === 0) this.#bySubject.delete(subject);
    else this.#bySubject.set(subject, left);
  }
}
