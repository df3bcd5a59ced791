/** The cookie of the gateway's own sessions: what it is called, and how a request shows it (docs/sessions.md). */
import { readCookie, setCookie } from '../../http/interface/cookies.js';
import type { SessionCookies } from '../../identity/sessions/session.js';

/** Over TLS: browsers take a cookie of this name only from the host itself, for all of it, and send it over TLS only. */
export const secureCookieName = '__Host-hcd_session';
/** Without TLS, where browsers would refuse the other. Never read from a request over TLS, so nobody can plant it. */
const plainCookieName = 'hcd_session';

/** What a request shows: whether it came over TLS, and its headers. */
export interface Shown {
  readonly isSecure: boolean;
  header(name: string): string | undefined;
}

function ownName({ isSecure }: Pick<Shown, 'isSecure'>): string {
  return isSecure ? secureCookieName : plainCookieName;
}

/** Null when the request has no cookie at all: then there is nothing to look for. */
export function shownCookies(shown: Shown): SessionCookies | null {
  const header = shown.header('cookie');
  if (header === undefined) return null;
  return { own: readCookie(header, ownName(shown)), named: (name) => readCookie(header, name) };
}

/** Value of Set-Cookie for a session that was opened; null as id clears the cookie. */
export function sessionCookie(shown: Pick<Shown, 'isSecure'>, id: string | null): string {
  return setCookie({ name: ownName(shown), value: id, secure: shown.isSecure });
}
