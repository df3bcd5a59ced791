/**
 * Shared by API keys and OAuth clients, and in part by page tokens and sessions: a secret that can be rotated with an
 * overlap, an end, a revocation that every server follows at once or within a second, and a rate limit.
 */
import type { OwnRateLimit } from '../../access/identity.js';
import { isSameSecret } from '../../crypto/hash.js';
import { AppError } from '../../errors/app-error.js';
import { tellRevocation } from '../../memory/seen-memory.js';
import { type Database, repeatable, type Tx } from '../../store/base/database.js';
import { end, integer, orNull, text, time } from '../../store/models/columns.js';
import { isoTimeOfMs } from '../../values/dates.js';

/** Columns of a secret of which only digests are kept. */
export const secretColumns = {
  secretHash: text(64),
  /** Digest of the secret before the last rotation, which works until `previousEndsOn`. */
  previousHash: orNull(text(64)),
  previousEndsOn: orNull(end()),
  revokedOn: orNull(time()),
  rotatedOn: orNull(time()),
  lastUsedOn: orNull(time()),
};

/** Columns of a rate limit; null = the general value. */
export const limitColumns = {
  /** Requests in one window. */
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

/** The limit of an identity; absent where the general values apply. */
export function rateLimitOf({ rateLimitMax: max, rateLimitWindow: windowSeconds }: LimitRow): {
  readonly rateLimit?: OwnRateLimit;
} {
  return max === null && windowSeconds === null ? {} : { rateLimit: Object.freeze({ max, windowSeconds }) };
}

/** No digest is empty, so this matches no secret. */
const noHash = '';

/**
 * Until when the secret with this digest works, infinite without an end; null when it does not. The same work for every
 * row and for none.
 */
export function secretEnd(row: SecretRow | null, hash: string): number | null {
  const isCurrent = isSameSecret(hash, row?.secretHash ?? noHash);
  const isPrevious = isSameSecret(hash, row?.previousHash ?? noHash);
  if (row === null || row.revokedOn !== null || !(isCurrent || isPrevious)) return null;
  return isCurrent ? Number.POSITIVE_INFINITY : (row.previousEndsOn ?? 0);
}

interface SecretChange {
  /** The name of the credential, such as `The key 7`. */
  readonly what: string;
  /** The command that makes another one. */
  readonly make: string;
  readonly secretHash: string;
  /** Milliseconds for which the old secret works on; 0 = not at all. */
  readonly overlap: number;
  readonly now: number;
  /** Changes the row while it still has the secret that was read; gives how many rows changed. */
  update(tx: Tx, values: Rotation, where: { readonly secretHash: string; readonly revokedOn: null }): Promise<number>;
  /** Looks for the row with the new secret, after a COMMIT whose answer was lost. */
  count(tx: Tx, where: { readonly secretHash: string }): Promise<number>;
}

type Rotation = Omit<SecretRow, 'revokedOn'> & { readonly rotatedOn: number };

/**
 * Gives a row a new secret. Gives the end of the old one, null when it has ended. Throws refused for a row that was
 * revoked or whose earlier overlap still runs: one old secret is kept, so a second overlap would end the first early.
 */
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
  // By the second, as it is shown and as it ends.
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

/**
 * Ends credentials: at once in this process and those next to it, and where the database shows commits; else within a
 * second.
 */
export async function endCredentials<T>(own: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const done = await own.write(work, repeatable);
  await tellRevocation(own);
  return done;
}

/** Milliseconds before its end in which a credential shows as `expires_soon`. */
const soon = 14 * 86_400_000;

/** The first that applies counts; `user_inactive` covers users who are blocked or gone. Times are Unix milliseconds. */
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
