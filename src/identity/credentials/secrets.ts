/** A secret that can be rotated with an overlap, end at a time and be revoked on every server within a second. */
import type { OwnRateLimit } from '../../access/identity.js';
import type { Clock, Timer } from '../../clock/clock.js';
import {
  type CredentialPrefix,
  type createCredential,
  credentialHash,
  parseCredential,
} from '../../crypto/credential-text.js';
import { isSameSecret } from '../../crypto/primitives.js';
import { AppError } from '../../errors/app-error.js';
import { type Log, reportFailure } from '../../log/observation.js';
import { databaseMark, rememberVerified, tellRevocation, type Verified } from '../../memory/seen-memory.js';
import { type Database, repeatable, type Tx } from '../../store/base/database.js';
import { end, integer, orNull, text, time } from '../../store/models/columns.js';
import type { Store } from '../../store/open/open.js';
import { dayMs, isoTimeOfMs } from '../../values/dates.js';

export const secretColumns = {
  secretHash: text(64),
  /** Digest of the secret before the last rotation, which works until `previousEndsOn`. */
  previousHash: orNull(text(64)),
  previousEndsOn: orNull(end()),
  revokedOn: orNull(time()),
  rotatedOn: orNull(time()),
  lastUsedOn: orNull(time()),
};

export const limitColumns = {
  rateLimitMax: orNull(integer()),
  /** Seconds. */
  rateLimitWindow: orNull(integer()),
};

interface SecretRow {
  readonly secretHash: string;
  readonly previousHash: string | null;
  readonly previousEndsOn: number | null;
  readonly revokedOn: number | null;
}

interface LimitRow {
  readonly rateLimitMax: number | null;
  readonly rateLimitWindow: number | null;
}

export function rateLimitOf({ rateLimitMax: max, rateLimitWindow: windowSeconds }: LimitRow): {
  readonly rateLimit?: OwnRateLimit;
} {
  return max === null && windowSeconds === null ? {} : { rateLimit: Object.freeze({ max, windowSeconds }) };
}

/** No digest is empty, so this matches no secret. */
const noHash = '';

/** Infinite without an end; null when the secret does not work. The same work for every row, and without one. */
export function secretEnd(row: SecretRow | null, hash: string): number | null {
  const isCurrent = isSameSecret(hash, row?.secretHash ?? noHash);
  const isPrevious = isSameSecret(hash, row?.previousHash ?? noHash);
  if (row === null || row.revokedOn !== null || !(isCurrent || isPrevious)) return null;
  return isCurrent ? Number.POSITIVE_INFINITY : (row.previousEndsOn ?? 0);
}

interface Verifying {
  readonly store: Pick<Store, 'own' | 'content'>;
  readonly clock: Clock;
}

type Shown = ReturnType<typeof createCredential> & { readonly hash: string };

/** Null for a bad text, after the same work. Throws unavailable when the database does not answer: never a pass. */
export function verifierOf<T>(
  prefix: CredentialPrefix,
  { store: { own, content }, clock }: Verifying,
  look: (shown: Shown, now: number) => Promise<Verified<T> | null>,
): (text: string) => T | Promise<T | null> {
  const verifiedBy = rememberVerified<T>({ own, mark: databaseMark([own.primary, content.primary]), clock });
  return (text) => {
    const hash = credentialHash({ text });
    return verifiedBy(hash, async (now) => {
      // A text that was found good needs no check of its form.
      const credential = parseCredential(text, prefix);
      return credential === null ? null : look({ ...credential, hash }, now);
    });
  };
}

interface SecretChange {
  readonly what: string;
  readonly make: string;
  readonly secretHash: string;
  /** Milliseconds for which the old secret works on; 0 = not at all. */
  readonly overlap: number;
  readonly now: number;
  /** Must change the row only while it still has the secret that was read. */
  update(tx: Tx, values: Rotation, where: { readonly secretHash: string; readonly revokedOn: null }): Promise<number>;
  /** Finds the new secret after a COMMIT whose answer was lost. */
  count(tx: Tx, where: { readonly secretHash: string }): Promise<number>;
}

type Rotation = Omit<SecretRow, 'revokedOn'> & { readonly rotatedOn: number };

/** Returns the old secret's end; null = ended. Throws refused: a second overlap would end the first early. */
export async function rotateSecret(
  own: Database,
  row: SecretRow,
  { what, make, secretHash, overlap, now, update, count }: SecretChange,
): Promise<number | null> {
  if (row.revokedOn !== null) throw refusal(`${what} was revoked; make a new one: ${make}`);
  if (overlap > 0 && row.previousEndsOn !== null && row.previousEndsOn > now) {
    throw refusal(
      `${what} has an old secret that works until ${isoTimeOfMs(row.previousEndsOn)}; wait, or rotate without --overlap to end both now`,
    );
  }
  // Ends are shown by the second.
  const previousEndsOn = overlap === 0 ? null : Math.floor((now + overlap) / 1000) * 1000;
  const previousHash = previousEndsOn === null ? null : row.secretHash;
  const values = { secretHash, previousHash, previousEndsOn, rotatedOn: now };
  const changes = await own.write((tx) => update(tx, values, { secretHash: row.secretHash, revokedOn: null }), {
    outcome: async (tx) => (await count(tx, { secretHash })) || undefined,
  });
  if (changes === 0) throw refusal(`${what} was changed at the same time; look at it again`);
  await tellRevocation(own);
  return previousEndsOn;
}

export function refusal(message: string): AppError {
  return new AppError('refused', { message });
}

/** At once in this process and where the database shows commits, else within a second. */
export async function endCredentials<T>(own: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const done = await own.write(work, repeatable);
  await tellRevocation(own);
  return done;
}

const soon = 14 * dayMs;

/** The first that applies counts; `user_inactive` covers blocked and removed users. Times are Unix milliseconds. */
export type CredentialState = 'revoked' | 'expired' | 'user_inactive' | 'expires_soon' | 'active';

export function credentialState(
  { revokedOn, expiresOn }: { readonly revokedOn: number | null; readonly expiresOn: number | null },
  { now, isUserRefused = false }: { readonly now: number; readonly isUserRefused?: boolean },
): CredentialState {
  if (revokedOn !== null) return 'revoked';
  if (expiresOn !== null && expiresOn <= now) return 'expired';
  if (isUserRefused) return 'user_inactive';
  return expiresOn !== null && expiresOn - now <= soon ? 'expires_soon' : 'active';
}

/** When credentials were last used is noted at most once a minute each, outside every request. */
export const useInterval = 60_000;
const gatherFor = 1000;

/** `at` is Unix milliseconds. */
export type Use<K> = readonly [credential: K, at: number];

export function isUseDue(lastUsedOn: number | null, now: number): boolean {
  return lastUsedOn === null || now - lastUsedOn >= useInterval;
}

interface UsesDeps<K> {
  readonly clock: Clock;
  readonly log: Log;
  readonly of: string;
  /** Uses are in order of the credentials. Another process may have written one of the last minute. */
  write(uses: readonly Use<K>[]): Promise<unknown>;
}

export class Uses<K extends string | number> {
  readonly #deps: UsesDeps<K>;
  #waiting = new Map<K, number>();
  #timer: Timer | null = null;
  #writing: Promise<void> = Promise.resolve();
  /** After a failure, by the clock that never goes back. */
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(deps: UsesDeps<K>) {
    this.#deps = deps;
  }

  /** Of a credential whose row has no use of the last minute. */
  note(credential: K): void {
    const { clock } = this.#deps;
    if (clock.elapsed() < this.#pausedUntil) return;
    this.#waiting.set(credential, clock.now());
    this.#timer ??= clock.after(gatherFor, () => void this.flush());
  }

  /** Never rejects. */
  flush(): Promise<void> {
    this.#timer?.stop();
    this.#timer = null;
    // In one order everywhere, so that transactions do not wait for each other in a circle.
    const uses = [...this.#waiting].sort(([one], [other]) => (one < other ? -1 : 1));
    this.#waiting = new Map();
    if (uses.length > 0) this.#writing = this.#writing.then(() => this.#write(uses));
    return this.#writing;
  }

  async #write(uses: readonly Use<K>[]): Promise<void> {
    try {
      await this.#deps.write(uses);
    } catch (error) {
      // Must not throw: no request depends on it.
      this.#pausedUntil = this.#deps.clock.elapsed() + useInterval;
      reportFailure(this.#deps.log, { during: `writing when ${this.#deps.of} were last used`, error });
    }
  }
}
