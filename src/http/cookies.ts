/** Cookies (RFC 6265): reads one out of the header, and writes the header that sets or clears one. */

/** The value of the first cookie with exactly this name; undefined for none. Never throws, whatever the header holds. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined || !header.includes(name)) return undefined;
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || pair.slice(0, equals).trim() !== name) continue;
    const value = pair.slice(equals + 1).trim();
    const isQuoted = value.length >= 2 && value.startsWith('"') && value.endsWith('"');
    return isQuoted ? value.slice(1, -1) : value;
  }
  return undefined;
}

export interface CookieToSet {
  readonly name: string;
  /** Letters that need no encoding; null clears the cookie. */
  readonly value: string | null;
  /** Only over TLS. */
  readonly secure: boolean;
}

/** Value of Set-Cookie for the whole host, out of reach of scripts, gone when the browser ends. */
export function setCookie({ name, value, secure }: CookieToSet): string {
  const parts = [`${name}=${value ?? ''}`, 'Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (secure) parts.push('Secure');
  if (value === null) parts.push('Max-Age=0');
  return parts.join('; ');
}
