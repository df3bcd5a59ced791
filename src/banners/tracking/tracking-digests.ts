/**
 * The keyed digests of tracking, one key per purpose, derived from the root secret once: a click needs two of them, and
 * an HMAC costs four times as much as a digest of so short a text. The key is on both sides of the text, and only a
 * part of the digest is shown, so it cannot be extended to the digest of a longer text.
 */
import { sha256Hex } from '../../crypto/hash.js';

export interface TrackingDigests {
  /** Names a visitor on one day. */
  readonly visitor: (text: string) => string;
  /** Signs the name of a click. */
  readonly click: (text: string) => string;
}

/** `sign` gives a keyed digest of a text for one purpose, the same in every process. */
export function trackingDigests(sign: (purpose: string, text: string) => string): TrackingDigests {
  const keyed = (purpose: string) => {
    const key = sign(purpose, 'key');
    return (text: string) => sha256Hex(`${key}|${text}|${key}`);
  };
  return { visitor: keyed('banner visitor'), click: keyed('banner click') };
}
