/**
 * How a key that is only compared may stand in a setting: as its digest, `sha256:` and 64 hexadecimal digits, or as the
 * text itself. A digest says whether the key was a short one, which does not show in it later.
 */
import { isSameSecret, sha256Hex } from '../../crypto/hash.js';

const form = /^sha256:([0-9a-f]{64})(:short)?$/;

/** Characters from which on a key is taken for one that cannot be guessed. */
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
