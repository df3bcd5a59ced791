/** Digests with derived keys: an HMAC costs four times as much. The key on both sides stops extension of the text. */
import { sha256Hex } from '../../crypto/hash.js';

export interface TrackingDigests {
  readonly visitor: (text: string) => string;
  readonly click: (text: string) => string;
}

export function trackingDigests(sign: (purpose: string, text: string) => string): TrackingDigests {
  const keyed = (purpose: string) => {
    const key = sign(purpose, 'key');
    return (text: string) => sha256Hex(`${key}|${text}|${key}`);
  };
  return { visitor: keyed('banner visitor'), click: keyed('banner click') };
}
