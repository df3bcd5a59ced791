/** Random material from the operating system's generator. */
import { randomBytes, randomInt } from 'node:crypto';

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
