/** Compares what a request carries in X-CSRF-Token with the token of its session, in constant time. */
import type { SessionIdentity } from '../../access/identity.js';
import { isSameSecret } from '../../crypto/hash.js';

export function isCsrfToken(given: string | undefined, { csrfToken }: SessionIdentity): boolean {
  return given !== undefined && isSameSecret(given, csrfToken);
}
