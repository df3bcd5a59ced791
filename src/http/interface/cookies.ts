/** Cookies (RFC 6265): reads one, and writes the header that sets or clears one. */

/** The first with exactly this name. Never throws. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined || !header.includes(name)) return undefined;
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || trimmed(pair.slice(0, equals)) !== name) continue;
    const value = trimmed(pair.slice(equals + 1));
    const isQuoted = value.length >= 2 && value.startsWith('"') && value.endsWith('"');
    return isQuoted ? value.slice(1, -1) : value;
  }
  return undefined;
}

/** Not `trim`: browsers keep U+00A0, so a neighbouring host could set what `trim` turns into `__Host-`. */
function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text.charCodeAt(from))) from += 1;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

interface CookieToSet {
  readonly name: string;
  /** Letters that need no encoding; null clears the cookie. */
  readonly value: string | null;
  readonly secure: boolean;
  /** Seconds; absent = until the browser ends. */
  readonly maxAge?: number;
}

/** For the whole host, out of reach of scripts. */
export function setCookie({ name, value, secure, maxAge }: CookieToSet): string {
  const parts = [`${name}=${value ?? ''}`, 'Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (secure) parts.push('Secure');
  if (value === null) parts.push('Max-Age=0');
  else if (maxAge !== undefined) parts.push(`Max-Age=${maxAge}`);
  return parts.join('; ');
}
