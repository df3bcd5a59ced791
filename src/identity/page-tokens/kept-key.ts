/** A key in a setting, as text or as `sha256:` digest. `:short` marks a short key, which a digest cannot show. */
import { isSameSecret, sha256Hex } from '../../crypto/primitives.js';

const form = /^sha256:([0-9a-f]{64})(:short)?$/;

export const guessableBelow = 16;

/** `digest` is null where the text itself is kept. */
export function readKeptKey(value: string): { readonly digest: string | null; readonly isShort: boolean } {
  const [whole, digest = null, short] = form.exec(value) ?? [];
  return { digest, isShort: whole === undefined ? value.length < guessableBelow : short !== undefined };
}

export function isKeptKey(given: string, value: string): boolean {
  const { digest } = readKeptKey(value);
  return digest === null ? isSameSecret(given, value) : isSameSecret(sha256Hex(given), digest);
}

export function formatKeptKey(key: string): string {
  return `sha256:${sha256Hex(key)}${key.length < guessableBelow ? ':short' : ''}`;
}
