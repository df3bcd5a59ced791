/** Digests, a comparison in constant time, and random numbers of the operating system. */
import { createHash, createHmac, hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

type Data = string | Uint8Array;

export function sha256Hex(data: Data): string {
  // The one-shot form: half the cost for small data.
  return hash('sha256', data, 'hex');
}

/** For texts that a CMS shows; it protects nothing. */
export function md5Hex(data: Data): string {
  return createHash('md5').update(data).digest('hex');
}

export async function sha256OfPieces(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const digest = createHash('sha256');
  for await (const piece of pieces) digest.update(piece);
  return digest.digest('hex');
}

export function sha256Bytes(data: Data): Buffer {
  return createHash('sha256').update(data).digest();
}

/** 12 characters, to keep in place of many texts: two of a million share one with a chance of 1 in 10 billion. */
export function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest().toString('base64', 0, 9);
}

export function hmacSha256Hex(key: Data, data: Data): string {
  return createHmac('sha256', key).update(data).digest('hex');
}

export function hmacSha256Base64(key: Data, data: Data): string {
  return createHmac('sha256', key).update(data).digest('base64');
}

export function hmacSha256Base64Url(key: Data, data: Data): string {
  return createHmac('sha256', key).update(data).digest('base64url');
}

/** Takes a time that depends on neither content nor length of the expected value. */
export function isSameSecret(given: Data, expected: Data): boolean {
  // Digests first: timingSafeEqual needs equal lengths, and an early return would reveal the length.
  return timingSafeEqual(sha256Bytes(given), sha256Bytes(expected));
}

export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

export function randomBase64Url(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

export function randomBelow(bound: number): number {
  return randomInt(bound);
}

/** Bytes fetched from the operating system at once, for ids that are not secret. */
const poolBytes = 8192;
const idDigits = 32;
let pool = '';
let poolAt = 0;

/** 32 hexadecimal digits for naming things such as requests, never a secret. */
export function randomId(): string {
  if (poolAt + idDigits > pool.length) {
    pool = randomHex(poolBytes);
    poolAt = 0;
  }
  poolAt += idDigits;
  return pool.slice(poolAt - idDigits, poolAt);
}
