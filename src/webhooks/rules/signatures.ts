/** The signatures of a delivery (docs/webhooks.md#verify-the-signature), both over the exact text that is sent. */
import { hmacSha256Base64, hmacSha256Hex, isSameSecret } from '../../crypto/primitives.js';
import { signingKey } from '../../crypto/webhook-secret.js';

interface SignatureQuestion {
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

/** Messages of banners carry their own signature in addition (docs/banners-tracking.md#messages). */
const bannerEvents = 'banner.';

/** An empty secret signs nothing. */
export function deliveryHeaders(question: SignatureQuestion): Readonly<Record<string, string>> {
  const { eventId, event, deliveryId, body, timestamp } = question;
  const secrets = question.secrets.filter((secret) => secret !== '');
  const [newest] = secrets;
  const signed = `${eventId}.${timestamp}.${body}`;
  const standard = secrets.map((secret) => `v1,${hmacSha256Base64(signingKey(secret), signed)}`);
  const predecessor = secrets.map((secret) => `v1=${hmacSha256Hex(secret, `${timestamp}.${body}`)}`);
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'x-gateway-event': event,
    'x-gateway-delivery-id': String(deliveryId),
  };
  if (newest === undefined) return headers;
  return {
    ...headers,
    'webhook-signature': standard.join(' '),
    'x-gateway-signature': [`t=${timestamp}`, ...predecessor].join(','),
    ...(event.startsWith(bannerEvents) ? { 'x-banners-signature': `sha256=${hmacSha256Hex(newest, body)}` } : {}),
  };
}

export interface SignedHeaders {
  readonly id: string | null;
  readonly timestamp: string | null;
  readonly standard: string | null;
  readonly gateway: string | null;
}

interface VerifyQuestion {
  readonly headers: SignedHeaders;
  readonly body: Uint8Array;
  /** As they are printed; any of them may have signed. */
  readonly secrets: readonly string[];
  /** Unix seconds. */
  readonly now: number;
}

export type Verdict =
  /** Every signature that came fits. `secrets`: which of the given ones signed, from 0. */
  | { readonly kind: 'verified'; readonly secrets: readonly number[] }
  /** At least one problem, each completing a sentence about the request. */
  | { readonly kind: 'failed'; readonly problems: readonly string[] };

/** Difference of the clocks of sender and receiver; later a request counts as played back. */
const toleranceSeconds = 300;

const wholeSeconds = /^\d{1,12}$/;

/** Needs one of the two signatures; where both came, both must fit. */
export function verifyDelivery(question: VerifyQuestion): Verdict {
  const { standard, gateway } = question.headers;
  if (standard === null && gateway === null) {
    return { kind: 'failed', problems: ['it has neither webhook-signature nor X-Gateway-Signature'] };
  }
  const found = [
    ...(standard === null ? [] : [verifyStandard(question)]),
    ...(gateway === null ? [] : [verifyGateway(question)]),
  ];
  const problems = [...new Set(found.flatMap((one) => (one.kind === 'failed' ? one.problems : [])))];
  if (problems.length > 0) return { kind: 'failed', problems };
  const signed = found.flatMap((one) => (one.kind === 'verified' ? one.secrets : []));
  return { kind: 'verified', secrets: [...new Set(signed)].sort((one, other) => one - other) };
}

function verifyStandard({ headers, body, secrets, now }: VerifyQuestion): Verdict {
  const { id, timestamp, standard } = headers;
  if (id === null || id === '') return failed('webhook-id is missing');
  if (timestamp === null) return failed('webhook-timestamp is missing');
  const late = timeProblem(timestamp, { name: 'webhook-timestamp', now });
  if (late !== null) return failed(late);
  const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const macs = secrets.map((secret) => `v1,${hmacSha256Base64(signingKey(secret), content)}`);
  const given = (standard ?? '').split(' ').filter((one) => one.startsWith('v1,'));
  return fitting(given, { macs, name: 'webhook-signature' });
}

function verifyGateway({ headers, body, secrets, now }: VerifyQuestion): Verdict {
  const parts = (headers.gateway ?? '').split(',').map((part) => part.trim());
  const timestamp = parts.find((part) => part.startsWith('t='))?.slice(2);
  if (timestamp === undefined) return failed('X-Gateway-Signature has no t=');
  const late = timeProblem(timestamp, { name: 't of X-Gateway-Signature', now });
  if (late !== null) return failed(late);
  const content = Buffer.concat([Buffer.from(`${timestamp}.`), body]);
  const macs = secrets.map((secret) => `v1=${hmacSha256Hex(secret, content)}`);
  const given = parts.filter((part) => part.startsWith('v1='));
  return fitting(given, { macs, name: 'X-Gateway-Signature' });
}

function timeProblem(text: string, { name, now }: { readonly name: string; readonly now: number }): string | null {
  if (!wholeSeconds.test(text)) return `${name} is not a Unix time in seconds`;
  const age = now - Number(text);
  if (Math.abs(age) <= toleranceSeconds) return null;
  return `${name} is ${Math.abs(age)} s in the ${age > 0 ? 'past' : 'future'}; ${toleranceSeconds} s are allowed`;
}

/** Compares every pair, so that the time reveals nothing. */
function fitting(
  given: readonly string[],
  { macs, name }: { readonly macs: readonly string[]; readonly name: string },
): Verdict {
  if (given.length === 0) return failed(`${name} has no signature of version 1`);
  const signed = macs.flatMap((mac, at) => (given.map((one) => isSameSecret(one, mac)).includes(true) ? [at] : []));
  return signed.length > 0
    ? { kind: 'verified', secrets: signed }
    : failed(`${name} matches ${macs.length === 1 ? 'another secret or another body' : 'none of the secrets'}`);
}

function failed(problem: string): Verdict {
  return { kind: 'failed', problems: [problem] };
}
