/**
 * The value of the cookie `banners_click_id`, which names a click before its row is written. It holds what makes the click
 * unique, and a signature, so that a visitor cannot name the click of another one.
 */

export interface ClickReference {
  /** Digits of the local day. */
  readonly day: number;
  readonly ad: number;
  readonly position: number;
  readonly visitor: string;
}

/** Keyed digest in hexadecimal digits, the same in every process. */
type Digest = (text: string) => string;

const form = /^(\d{8})\.(\d{1,10})\.(\d{1,10})\.([0-9a-f]{16})\.[0-9a-f]{32}$/;
const signatureLength = 32;

/** Letters, digits and dots. */
export function writeClickReference({ day, ad, position, visitor }: ClickReference, digest: Digest): string {
  const text = `${day}.${ad}.${position}.${visitor}`;
  return `${text}.${digest(text).slice(0, signatureLength)}`;
}

/** Null for a text that this site did not sign. `isSame` compares in constant time. */
export function readClickReference(
  text: string,
  { digest, isSame }: { readonly digest: Digest; readonly isSame: (given: string, expected: string) => boolean },
): ClickReference | null {
  const [, day, ad, position, visitor = ''] = form.exec(text) ?? [];
  if (day === undefined) return null;
  const reference = { day: Number(day), ad: Number(ad), position: Number(position), visitor };
  return isSame(text, writeClickReference(reference, digest)) ? reference : null;
}
