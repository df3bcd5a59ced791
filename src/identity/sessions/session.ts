/** What a session is to the rest of the program, wherever it is kept, and which cookies may stand for one. */
import type { SessionIdentity } from '../../access/identity.js';
import { isSameSecret } from '../../crypto/hash.js';

export interface Session {
  /** Who keeps it: this program, or the content system that people logged in to. */
  readonly source: 'gateway' | 'cms';
  readonly identity: SessionIdentity;
  readonly username: string;
  /** When it ends unless it is used before, ISO 8601. */
  readonly expiresOn: string;
}

/** What a request shows of its cookies. */
export interface SessionCookies {
  /** The gateway's own cookie. */
  readonly own: string | undefined;
  /** Any other by its name; how the content system's is called is a setting. */
  named(name: string): string | undefined;
}

/** The text of an id as `openSession` makes it: 256 random bits. Anything else is not an id, and the database is not asked. */
export function isSessionId(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** Compares what a request carries in X-CSRF-Token with the token of its session, in constant time. */
export function isCsrfToken(given: string | undefined, { csrfToken }: SessionIdentity): boolean {
  return given !== undefined && isSameSecret(given, csrfToken);
}
