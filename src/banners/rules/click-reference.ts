/** The cookie that names a click before its row is written, signed so that a visitor cannot name another's click. */

export interface ClickReference {
  readonly day: number;
  readonly ad: number;
  readonly position: number;
  readonly visitor: string;
}

type Digest = (text: string) => string;

const form = /^(\d{8})\.(\d{1,10})\.(\d{1,10})\.([0-9a-f]{16})\.[0-9a-f]{32}$/;
const signatureLength = 32;

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
