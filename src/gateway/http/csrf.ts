/**
 * Sessions on the wire: the cookie that shows one, and the token that keeps other web pages from acting with it
 * (docs/sessions.md#read-and-write). Keys and tokens come from scripts that know them, so they need no such token.
 */
import type { Settings } from '../../config/setting-definitions.js';
import { AppError } from '../../errors/app-error.js';
import type { Caller } from '../../http/interface/api.js';
import { readCookie, setCookie } from '../../http/interface/cookies.js';
import type { ProtectSession } from '../../http/stages/checks.js';
import { isCsrfToken, type SessionCookies } from '../../identity/sessions/session-service.js';
import { parseUrl } from '../../values/parse-url.js';

/** Over TLS: browsers take a cookie of this name only from the host itself, for all of it, and send it over TLS only. */
export const secureCookieName = '__Host-hcd_session';
/** Without TLS, where browsers would refuse the other. Never read from a request over TLS, so an attacker cannot plant it. */
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

type CsrfSettings = Pick<
  Settings,
  'gateway_csrf_enabled' | 'gateway_cors_enabled' | 'gateway_cors_allowed_origins' | 'gateway_public_url'
>;

/** Opens a session: there is no token yet, but a foreign page must not log a visitor in as another user. */
export const logInEndpoint = 'auth.session.create';

/** The check of the gateway; what it gives goes with every successful answer to a session. */
export function gatewayCsrf(settings: () => CsrfSettings): ProtectSession {
  return ({ caller, identity, endpoint }) => {
    const values = settings();
    const isLogIn = endpoint.name === logInEndpoint;
    if (values.gateway_csrf_enabled && caller.method !== 'GET' && caller.method !== 'HEAD') {
      if (isLogIn || identity.kind === 'session') checkOrigin(caller, values);
      if (!isLogIn && identity.kind === 'session' && !isCsrfToken(caller.header('x-csrf-token'), identity)) {
        throw new AppError('scope_denied', { message: 'Invalid CSRF token' });
      }
    }
    // A log-in answers with the token of the session that it opens.
    return identity.kind !== 'session' || isLogIn ? null : { 'X-CSRF-Token': identity.csrfToken };
  };
}

/** Browsers send Origin with everything that changes something; a client that sends none is not a web page. */
function checkOrigin(caller: Caller, values: CsrfSettings): void {
  const origin = caller.header('origin');
  if (origin === undefined || isOwn(origin, ownAddresses(caller, values))) return;
  // Listed by name: `*` lets any page read, which must not let any page act.
  if (values.gateway_cors_enabled && values.gateway_cors_allowed_origins.includes(origin)) return;
  throw new AppError('scope_denied', { message: 'Cross-origin request refused: the origin is not allowed' });
}

function ownAddresses(caller: Caller, { gateway_public_url }: CsrfSettings): readonly string[] {
  // A browser cannot choose its Host, and only browsers are kept out here.
  return [caller.forwardedAddress ?? `http://${caller.header('host') ?? ''}`, gateway_public_url];
}

/** The same host and port. The scheme is not compared: a proxy that ends TLS and is not trusted hides it. */
function isOwn(origin: string, addresses: readonly string[]): boolean {
  const asked = parseUrl(origin);
  if (asked === null || !/^https?:$/.test(asked.protocol)) return false;
  return addresses.some((own) => {
    return parseUrl(own.replace(/^https?:/, asked.protocol))?.host === asked.host;
  });
}
