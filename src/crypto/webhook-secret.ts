/** The secret of a webhook subscription: `whsec_` and base64, or text (docs/webhooks.md#verify-the-signature). */
import { randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const freshBytes = 32;
/** The lengths that Standard Webhooks allows. */
const bytes = { fewest: 24, most: 64 };
const characters = { fewest: 16, most: 255 };
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function createWebhookSecret(): string {
  return prefix + randomBytes(freshBytes).toString('base64');
}

export function signingKey(secret: string): Buffer {
  return secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret, 'utf8');
}

/** One sentence that does not repeat the secret; null for an accepted one. */
export function webhookSecretProblem(secret: string): string | null {
  const { length: count } = [...secret];
  if (count < characters.fewest || count > characters.most) {
    return `A secret has ${characters.fewest} to ${characters.most} characters`;
  }
  if (/\p{Cc}/u.test(secret)) return 'A secret has no line breaks or other control characters';
  if (!secret.startsWith(prefix)) return null;
  const length = signingKey(secret).length;
  const isWhole = base64.test(secret.slice(prefix.length)) && length >= bytes.fewest && length <= bytes.most;
  return isWhole
    ? null
    : `A secret that begins with ${prefix} goes on with base64 of ${bytes.fewest} to ${bytes.most} bytes`;
}
