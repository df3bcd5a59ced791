/** Credentials, cookies and accepted media types in the headers of a request. */
import type { Caller } from './api.js';

/** Longer than any credential of ours: refused without a look-up. */
const longest = 256;
const bearer = /^bearer\s+(\S+)$/i;
/** Schemes of servers in front of this one, which browsers and proxies send with every request. */
const foreign =
  /^(?:basic|digest|hoba|kerberos|mutual|negotiate|ntlm|scram-sha-1|scram-sha-256|vapid|aws4-hmac-sha256)(?:\s|$)/i;

/** Null without a credential, or with one for a server in front; empty for a wrong one. */
export function readBearer(caller: Pick<Caller, 'header'>): string | null {
  const given = caller.header('authorization')?.trim() ?? '';
  if (given === '' || foreign.test(given)) return null;
  return withinBounds(bearer.exec(given)?.[1] ?? '');
}

export function readKeyHeader(caller: Pick<Caller, 'header'>): string | null {
  const given = caller.header('x-api-key')?.trim();
  return given === undefined ? null : withinBounds(given);
}

function withinBounds(text: string): string {
  return text.length > longest || /\s/.test(text) ? '' : text;
}

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

interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
}

/** The first offered one among equals; null when the header excludes all. */
export function chooseMediaType(accept: string | undefined, offered: readonly string[]): string | null {
  const first = offered[0] ?? null;
  if (accept === undefined || accept === '*/*' || accept === first) return first;
  const ranges = parseRanges(accept);
  // A header without one readable range says nothing.
  if (ranges.length === 0) return first;
  let best: string | null = null;
  let bestQuality = 0;
  for (const type of offered) {
    const quality = qualityOf(type, ranges);
    if (quality > bestQuality) {
      best = type;
      bestQuality = quality;
    }
  }
  return best;
}

function qualityOf(mediaType: string, ranges: readonly MediaRange[]): number {
  const [type, subtype] = mediaType.split('/', 2);
  let specificity = 0;
  let quality = 0;
  for (const range of ranges) {
    const found =
      range.type === '*' ? 1 : range.type !== type ? 0 : range.subtype === '*' ? 2 : range.subtype === subtype ? 3 : 0;
    if (found > specificity) {
      specificity = found;
      quality = range.quality;
    } else if (found === specificity && found > 0) {
      quality = Math.max(quality, range.quality);
    }
  }
  return quality;
}

const rangeForm = /^([a-z0-9!#$&^_.+-]+|\*)\/([a-z0-9!#$&^_.+-]+|\*)$/;
const qualityForm = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** Unreadable ranges are left out. Parameters other than `q` do not narrow a range. */
function parseRanges(accept: string): readonly MediaRange[] {
  return accept
    .toLowerCase()
    .split(',')
    .flatMap((part) => {
      const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim());
      const [, type, subtype] = rangeForm.exec(range) ?? [];
      if (type === undefined || subtype === undefined || (type === '*' && subtype !== '*')) return [];
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return qualityForm.test(weight) ? [{ type, subtype, quality: Number(weight) }] : [];
    });
}
