/**
 * The forms of a setting for a key that is only compared: its digest, `sha256:` and 64 hexadecimal digits, or the text
 * itself. A mark at the digest says whether the key was short, because the digest does not show it.
 */
import { isSameSecret, sha256Hex } from '../../crypto/hash.js';

const form = /^sha256:([0-9a-f]{64})(:short)?$/;

/** Minimum characters of a key that counts as impossible to guess. */
export const guessableBelow = 16;

/** The digest, null where the text itself is kept; and whether the key is short enough to be guessed. */
export function readKeptKey(value: string): { readonly digest: string | null; readonly isShort: boolean } {
  const [whole, digest = null, short] = form.exec(value) ?? [];
  return { digest, isShort: whole === undefined ? value.length < guessableBelow : short !== undefined };
}

/** Whether the key is the one that the setting keeps, in constant time. */
export function isKeptKey(given: string, value: string): boolean {
  const { digest } = readKeptKey(value);
  return digest === null ? isSameSecret(given, value) : isSameSecret(sha256Hex(given), digest);
}

/** The value that keeps a key as a digest. */
export function formatKeptKey(key: string): string {
  return `sha256:${sha256Hex(key)}${key.length < guessableBelow ? ':short' : ''}`;
}
