/**
 * Checks a user name with its password: one answer and the same work for unknown, inactive and blocked users and for
 * wrong passwords; guesses are counted before they are tried, and where there are many at one user the answer is
 * delayed.
 */
import { col, literal, Op } from 'sequelize';
import type { Clock } from '../../clock/clock.js';
import { isHashable, verifyPassword } from '../../crypto/password.js';
import { decoysLike } from '../../crypto/slow-hash.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import { reportFailure } from '../../log/report-failure.js';
import type { Tx } from '../../store/base/database.js';
import { fromNow } from '../../store/models/database-time.js';
import type { Store } from '../../store/open/open.js';
import { foldedName, type GuessLimit, passwordGuess, type Reservation } from '../limits/guess-limit.js';
import { isLoginNetwork, loginNetworks } from '../models/login-networks.js';
import { findUserByName, findUsers, profiles, readSlowHashHeads } from '../models/users.js';
import type { Delay, DelayedAnswers } from './delayed-answers.js';
import { passwordMark, standingProblem } from './user-standing.js';
import type { VerifyQueue } from './verify-queue.js';

/** Keyed digest of a text for one purpose. */
type Sign = (purpose: string, text: string) => string;

export interface LogInRequest {
  /** Of the client, after the trusted-proxy rule: `clientNetwork` of src/http/interface/client-ip. */
  readonly network: string;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
  /** Lets the request take so many milliseconds longer than others. */
  allowMore(ms: number): void;
}

export interface LogInAttempt {
  readonly username: string;
  readonly password: string;
  readonly request: LogInRequest;
}

export interface LoggedIn {
  readonly userId: number;
  readonly username: string;
  /** Of the password that was right; a session or token keeps it and calls `findActingUser` later. */
  readonly mark: string;
}

/**
 * Throws invalid_credentials (the same for unknown, inactive and blocked users and for wrong passwords), rate_limited
 * with details.retryAfter, and unavailable when guesses cannot be counted or too many wait to be tried.
 */
export type LogIn = (attempt: LogInAttempt) => Promise<LoggedIn>;

export interface LogInDeps {
  readonly store: Pick<Store, 'content' | 'own' | 'prefix' | 'tables'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly guesses: GuessLimit;
  readonly queue: VerifyQueue;
  readonly delays: DelayedAnswers;
  readonly sign: Sign;
  /** Replaces the real verification; for tests. */
  readonly verify?: typeof verifyPassword;
}

interface Origin {
  readonly username: string;
  readonly network: string;
}

const networkKeptMs = 30 * 86_400_000;
/** Longest name that the table can hold, in characters. */
const longestName = 100;
/** Milliseconds for which the costs of the users' hashes are taken as they were read. */
const decoysFor = 60_000;

export function makeLogIn(deps: LogInDeps): LogIn {
  const { guesses, queue } = deps;
  const decoys = rememberDecoys(deps);
  return async function logIn({ username, password, request }) {
    if (username === '' || [...username].length > longestName || !isHashable(password)) throw wrong();
    const origin = { username, network: request.network };
    const guess = passwordGuess(origin);
    // A caller who is locked out gets the refusal without waiting for a place in the queue.
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
        // Nothing was learned: a database that is away must not lock people out.
        await guesses.giveBack(reservation).catch(() => undefined);
        throw error;
      }
    });
    if (delay !== null) {
      request.allowMore(reservation.delaySeconds * 1000);
      await delay.wait(request.signal);
      // Nothing visible reveals before the delay is over that the password was right. A caller who left learns nothing.
      if (request.signal.aborted) throw wrong();
      if (found !== null) await succeed(reservation);
    }
    if (found === null) throw wrong();
    await note(deps, found.userId);
    return found;
  };
}

/**
 * A place among the delayed answers; null for an answer that is not delayed. Throws rate_limited when there is none.
 */
async function takeDelay(
  { store, delays, sign }: LogInDeps,
  { origin, reservation }: { readonly origin: Origin; readonly reservation: Reservation },
): Promise<Delay | null> {
  const { guess, delaySeconds: seconds } = reservation;
  if (seconds === 0 || (await isLoginNetwork(store.own.primary, pairHash(origin, sign)))) return null;
  return delays.take({ subject: guess.everywhere ?? guess.subject, seconds });
}

/**
 * A network from which the user logged in within the last 30 days: guesses from elsewhere never slow down a log-in from
 * there. The same for names that there are and are not.
 */
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

/** The user, or null. Every refusal comes after the same reads and the same hashing. */
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
  // A block whose time has passed: the CMS refuses this attempt too and lets the next one in.
  if (user.blocked && user.blockedUntil > 0 && user.blockedUntil < now) {
    const isPassed = { [Op.gt]: 0, [Op.lt]: Math.floor(now) };
    const where = { userId: user.id, blocked: true, blockedUntil: isPassed };
    await content.write((tx) => profiles.on(tx, prefix).update({ blocked: false, blockedUntil: 0 }, { where }));
  }
  return null;
}

/** The profile shows the time of the last log-in; a log-in does not depend on it. */
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

/**
 * Hashes of no password of every cost that the site's users have. Read again now and then next to a log-in, which waits
 * for it the first time only: users change their passwords in the content system too.
 */
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
