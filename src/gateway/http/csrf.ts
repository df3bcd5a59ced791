/**
 * Keeps other web pages from acting with a visitor's session (docs/sessions.md#read-and-write): what a session changes
 * must carry its token, and must not come from a page of a foreign origin. Keys and tokens come from scripts that know
 * them, so they need neither.
 */
import type { Settings } from '../../config/setting-definitions.js';
import { AppError } from '../../errors/app-error.js';
import type { Caller } from '../../http/interface/api.js';
import type { ProtectSession } from '../../http/stages/checks.js';
import { isCsrfToken } from '../../identity/sessions/session.js';
import { parseUrl } from '../../values/parse-url.js';

export type CsrfSettings = Pick<
  Settings,
  'gateway_csrf_enabled' | 'gateway_cors_enabled' | 'gateway_cors_allowed_origins' | 'gateway_public_url'
>;

/** Opens a session: nobody has a token yet, but a foreign page must not log a visitor in as somebody else. */
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

/** Browsers send Origin with everything that changes something; whoever sends none is no web page. */
function checkOrigin(caller: Caller, values: CsrfSettings): void {
  const origin = caller.header('origin');
  if (origin === undefined || isOwn(origin, ownAddresses(caller, values))) return;
  // Listed by name: `*` lets everybody read, which must not let everybody act.
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
