/** Credentials as text: kind, lookup id, secret, and a checksum that finds typing errors without the database. */
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sha256Hex } from './primitives.js';

/** API key, access token, token of the page delivery API, preview. */
export type CredentialPrefix = 'gk' | 'gt' | 'pt' | 'pv';

/** Bytes of the lookup id; page tokens have another form (docs/pages.md#tokens). */
const lookupBytes: Readonly<Record<CredentialPrefix, number>> = Object.freeze({
  gk: 8,
  gt: 8,
  pt: 4,
  pv: 8,
});

interface CredentialText {
  /** Public: names the credential in lists and logs. */
  readonly lookupId: string;
  readonly text: string;
}

const base62Letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Letters of 62 kinds that carry 256 bits. */
export const secretLetters = 43;
/** 62^6 is more than 2^32. */
const checksumLetters = 6;
const form = /^[0-9a-z]{2}_([0-9a-f]{8}|[0-9a-f]{16})_[0-9A-Za-z]{49}$/;

export function createCredential(
  prefix: CredentialPrefix,
  lookupId: string = randomBytes(lookupBytes[prefix]).toString('hex'),
): CredentialText {
  const body = `${prefix}_${lookupId}_${randomBase62(secretLetters)}`;
  return Object.freeze({ lookupId, text: body + checksum(body) });
}

/** Null unless the form, kind and checksum are right. */
export function parseCredential(text: string, prefix: CredentialPrefix = 'gk'): CredentialText | null {
  const lookupId = text.startsWith(`${prefix}_`) ? form.exec(text)?.[1] : undefined;
  if (lookupId === undefined || lookupId.length !== lookupBytes[prefix] * 2) return null;
  const body = text.slice(0, -checksumLetters);
  return checksum(body) === text.slice(-checksumLetters) ? { lookupId, text } : null;
}

/** Begins the secret of an OAuth client, so that scanners for leaked secrets can find it. */
const clientSecretPrefix = 'gs_';

export function createClientSecret(): string {
  return clientSecretPrefix + randomBase62(secretLetters);
}

/** Made from any text, so that a wrong one costs the same. */
export function clientSecretHash(secret: string): string {
  return sha256Hex(secret);
}

/** No key: 256 random bits cannot be guessed, and a digest survives a change of the root secret. */
export function credentialHash({ text }: Pick<CredentialText, 'text'>): string {
  return sha256Hex(text);
}

export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length + 8)) {
      // 248 is the largest multiple of 62 in a byte: higher ones would favour the first letters.
      if (byte < 248 && text.length < length) text += base62Letters[byte % 62];
    }
  }
  return text;
}

/** CRC-32 finds every typing error within four neighbouring characters; it protects against mistakes, not attacks. */
function checksum(body: string): string {
  let rest = crc32(body);
  let letters = '';
  for (let count = 0; count < checksumLetters; count += 1) {
    letters = base62Letters.charAt(rest % 62) + letters;
    rest = Math.floor(rest / 62);
  }
  return letters;
}
