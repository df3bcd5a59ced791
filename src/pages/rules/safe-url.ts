/** Addresses that are accepted in a link, an image or a frame. Nothing here looks an address up. */

/** Addresses without a scheme are relative and allowed. */
const linkSchemes = ['http', 'https', 'mailto', 'tel'];

const loadedSchemes = ['http', 'https'];

export const linkSchemeNames = linkSchemes.join(', ');

/** Browsers drop these before they look for the scheme, so that `java\tscript:` is one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are looked for.
const dropped = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/g;

/** Trimmed; null where people must not be sent. */
export function safeLink(address: string): string | null {
  return withScheme(address, linkSchemes);
}

/** Trimmed; null where a page must not load images, media or frames from. */
export function safeSource(address: string): string | null {
  return withScheme(address, loadedSchemes);
}

function withScheme(address: string, schemes: readonly string[]): string | null {
  const trimmed = address.trim();
  const bare = trimmed.replace(dropped, '');
  const [, scheme] = /^([^/?#:]*):/.exec(bare) ?? [];
  // A colon before any slash makes a scheme, even with an odd name.
  if (scheme !== undefined && !schemes.includes(scheme.toLowerCase())) return null;
  // Browsers read a backslash as a slash: `\\host` and `/\host` leave the site like `//host` does, which is allowed.
  return bare === '' ? null : trimmed;
}
