/** Random material for keys, tokens and ids, from the operating system's generator. */
import { randomBytes, randomInt } from 'node:crypto';

/** As many hexadecimal digits as twice the number of bytes. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

/** URL-safe text of the given number of random bytes. */
export function randomBase64Url(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

/** A whole number from 0 up to, and without, the bound. */
export function randomBelow(bound: number): number {
  return randomInt(bound);
}

/** Bytes fetched from the operating system at once, for ids that are not secret. */
const poolBytes = 8192;
const idDigits = 32;
let pool = '';
let poolAt = 0;

/** A fresh id of 32 hexadecimal digits; for naming things such as requests, never as a secret. */
export function randomId(): string {
  if (poolAt + idDigits > pool.length) {
    pool = randomHex(poolBytes);
    poolAt = 0;
  }
  poolAt += idDigits;
  return pool.slice(poolAt - idDigits, poolAt);
}
