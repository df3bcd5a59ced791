/**
 * The headers of a delivery: the signature of Standard Webhooks and the one of the predecessor
 * (docs/webhooks.md#verify-the-signature), both over the exact text that is sent. Pure: the time is an argument.
 */
import { hmacSha256Base64, hmacSha256Hex } from '../../crypto/hash.js';
import { signingKey } from '../../crypto/webhook-secret.js';

export interface SignatureQuestion {
  readonly eventId: string;
  readonly event: string;
  readonly deliveryId: number;
  readonly body: string;
  /** As they are printed; the newest first, and the one before it while both hold. */
  readonly secrets: readonly string[];
  /** Time of the attempt in Unix seconds. */
  readonly timestamp: number;
}

const userAgent = 'hcd-Webhook/1.0';

/** Messages of banners carry their own signature beside the others (docs/banners-tracking.md#messages). */
const bannerEvents = 'banner.';

/** Every header that depends on the delivery. An empty secret signs nothing. */
export function deliveryHeaders(question: SignatureQuestion): Readonly<Record<string, string>> {
  const { eventId, event, deliveryId, body, timestamp } = question;
  const secrets = question.secrets.filter((secret) => secret !== '');
  const [newest] = secrets;
  const standard = secrets.map((secret) => {
    const mac = hmacSha256Base64(signingKey(secret), `${eventId}.${timestamp}.${body}`);
    return `v1,${mac}`;
  });
  const predecessor = secrets.map((secret) => `v1=${hmacSha256Hex(secret, `${timestamp}.${body}`)}`);
  return {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'x-gateway-event': event,
    'x-gateway-delivery-id': String(deliveryId),
    ...(newest === undefined
      ? {}
      : {
          'webhook-signature': standard.join(' '),
          'x-gateway-signature': [`t=${timestamp}`, ...predecessor].join(','),
        }),
    ...(newest !== undefined && event.startsWith(bannerEvents)
      ? { 'x-banners-signature': `sha256=${hmacSha256Hex(newest, body)}` }
      : {}),
  };
}
