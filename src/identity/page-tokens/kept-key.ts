/**
 * How a key that is only compared may stand in a setting: as its digest, `sha256:` and 64 hexadecimal digits, or as the
 * text itself. A digest says whether the key was a short one, which does not show in it later.
 */

const form = /^sha256:([0-9a-f]{64})(:short)?$/;

export interface KeptKey {
  /** Null where the text itself is kept. */
  readonly digest: string | null;
  /** Short enough to be guessed. */
  readonly isShort: boolean;
}

/** Characters from which on a key is taken for one that cannot be guessed. */
export const guessableBelow = 16;

export function readKeptKey(value: string): KeptKey {
  const [whole, digest = null, short] = form.exec(value) ?? [];
  return { digest, isShort: whole === undefined ? value.length < guessableBelow : short !== undefined };
}

/** The value that keeps a key as a digest. */
export function formatKeptKey(key: string, sha256: (text: string) => string): string {
  return `sha256:${sha256(key)}${key.length < guessableBelow ? ':short' : ''}`;
}
