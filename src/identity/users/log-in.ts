/**
 * Checks a user name with its password: one answer and the same work for unknown, inactive and blocked users and for
 * wrong passwords; guesses are counted before they are tried, and where there are many at one user the answer is delayed.
 */
import type { Clock } from '../../clock/clock.js';
import { isHashable, verifyPassword } from '../../crypto/password.js';
import { decoysLike } from '../../crypto/slow-hash.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import { reportFailure } from '../../log/report-failure.js';
import type { Store } from '../../store/open/open.js';
import { type GuessLimit, passwordGuess, type Reservation } from '../limits/guess-limit.js';
import { endPassedBlock, noteLogIn, readPassword, readSlowHashHeads } from '../rows/user-passwords.js';
import { readUsers, type UserRow } from '../rows/users.js';
import type { Delay, DelayedAnswers } from './delayed-answers.js';
import { isKnownNetwork, keepNetwork, type Origin, type Sign } from './known-networks.js';
import { passwordMark } from './password-mark.js';
import { standingProblem } from './user-standing.js';
import { usernameColumn } from './username-column.js';
import type { VerifyQueue } from './verify-queue.js';

/** The request of a log-in. */
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
  /** Of the password that was right; whoever opens something for the user asks `hasPassword` afterwards. */
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
  /** In the place of the real verification; for tests. */
  readonly verify?: typeof verifyPassword;
}

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
    // Whoever is locked out is told so without waiting for a place in the queue.
    await guesses.check(guess);
    const succeed = (reservation: Reservation) =>
      guesses.succeed(reservation, (tx) => keepNetwork(tx, origin, deps.sign));
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
      // Nothing that others could see tells before its time that the password was right. Who left learns nothing at all.
      if (request.signal.aborted) throw wrong();
      if (found !== null) await succeed(reservation);
    }
    if (found === null) throw wrong();
    await note(deps, found.userId);
    return found;
  };
}

/** A place among the delayed answers; null for an answer that is not delayed. Throws rate_limited when there is none. */
async function takeDelay(
  { store, delays, sign }: LogInDeps,
  { origin, reservation }: { readonly origin: Origin; readonly reservation: Reservation },
): Promise<Delay | null> {
  const { guess, delaySeconds: seconds } = reservation;
  if (seconds === 0 || (await isKnownNetwork(store.own.primary, origin, sign))) return null;
  return delays.take({ subject: guess.everywhere ?? guess.subject, seconds });
}

function wrong(): AppError {
  return new AppError('invalid_credentials');
}

interface Trial {
  readonly username: string;
  readonly password: string;
  readonly decoys: readonly string[];
}

/** The user, or null. Every refusal comes after the same reads and the same hashing. */
async function tryPassword(deps: LogInDeps, { username, password, decoys }: Trial): Promise<LoggedIn | null> {
  const { store, clock, verify = verifyPassword } = deps;
  const { content, prefix } = store;
  const stored = await readPassword(content.primary, prefix, { username, column: usernameColumn(store) });
  const [user] = await readUsers(content.primary, prefix, [stored?.id ?? 0]);
  const isRight = await verify(password, { stored, decoys });
  if (!isRight || stored === null || user === undefined) return null;
  const now = clock.now() / 1000;
  if (standingProblem(user, now) === null) {
    return { userId: user.id, username: user.username, mark: passwordMark(stored.hash) };
  }
  if (hasPassedBlock(user, now)) {
    await content.write((tx) => endPassedBlock(tx, prefix, { userId: user.id, at: Math.floor(now) }));
  }
  return null;
}

/** The CMS refuses this attempt too and lets the next one in. */
function hasPassedBlock({ blocked, blockedUntil }: UserRow, now: number): boolean {
  return blocked && blockedUntil > 0 && blockedUntil < now;
}

/** The profile tells people when somebody was here last; a log-in does not depend on it. */
async function note({ store, clock, log }: LogInDeps, userId: number): Promise<void> {
  try {
    await store.content.write((tx) => noteLogIn(tx, store.prefix, { userId, at: Math.floor(clock.now() / 1000) }));
  } catch (error) {
    reportFailure(log, { during: 'noting a log-in in the profile of the user', error });
  }
}

/**
 * Hashes of no password of every cost that the site's users have. Read again now and then beside a log-in, which does not
 * wait for it but for the first time: users change their passwords in the content system too.
 */
function rememberDecoys({ store, clock, log }: LogInDeps): () => Promise<readonly string[]> {
  let known: Promise<readonly string[]> | null = null;
  let readAt = 0;
  const read = async () => decoysLike(await readSlowHashHeads(store.content.primary, store.prefix));
  return () => {
    if (known === null) {
      readAt = clock.elapsed();
      known = read();
      known.catch(() => {
        known = null;
      });
    } else if (clock.elapsed() - readAt >= decoysFor) {
      readAt = clock.elapsed();
      const fresh = read();
      fresh.then(
        () => {
          known = fresh;
        },
        (error: unknown) => reportFailure(log, { during: 'looking up what passwords of users cost', error }),
      );
    }
    return known;
  };
}
