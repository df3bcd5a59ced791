/** Addresses that are accepted in a link, an image or a frame. Nothing here looks an address up. */

/** Schemes of links; everything without a scheme is relative and allowed. */
const linkSchemes = ['http', 'https', 'mailto', 'tel'];

/** Schemes of files that a page loads by itself. */
const loadedSchemes = ['http', 'https'];

/** The schemes as messages name them. */
export const linkSchemeNames = linkSchemes.join(', ');

/** Characters that browsers drop from addresses before they look for the scheme, so that `java\tscript:` is one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are looked for.
const dropped = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/g;

/** The address trimmed when a person may be sent there, else null. */
export function safeLink(address: string): string | null {
  return withScheme(address, linkSchemes);
}

/** The address trimmed when a page may load it (images, media, frames), else null. */
export function safeSource(address: string): string | null {
  return withScheme(address, loadedSchemes);
}

function withScheme(address: string, schemes: readonly string[]): string | null {
  const trimmed = address.trim();
  const bare = trimmed.replace(dropped, '');
  const [, scheme] = /^([^/?#:]*):/.exec(bare) ?? [];
  // A colon before any slash makes a scheme, however odd its name looks.
  if (scheme !== undefined && !schemes.includes(scheme.toLowerCase())) return null;
  // Browsers read a backslash as a slash: `\\host` and `/\host` leave the site like `//host` does, which is allowed.
  return bare === '' ? null : trimmed;
}
