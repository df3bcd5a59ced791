/** What the gateway makes of a request before its handler: credential, limits, rights; and what it notes afterwards. */
import { type Access, admit as checkAccess, type SessionPermissions } from '../../access/admit.js';
import { anonymous, type Identity } from '../../access/identity.js';
import type { Settings } from '../../config/settings.js';
import { type Registry, rightOf } from '../../content/objects/definition.js';
import { AppError } from '../../errors/app-error.js';
import type { Caller, FinishedReport, Identify, Limit, LimitQuestion } from '../../http/interface/api.js';
import {
  clientBlock,
  readBearer,
  readCookie,
  readKeyHeader,
  readPreviewToken,
  setCookie,
} from '../../http/interface/request-headers.js';
import {
  admit,
  authenticate,
  checkCsrf,
  checkEnabled,
  checkRoute,
  limitRequests,
  type ProtectSession,
} from '../../http/stages/checks.js';
import {
  callerBucket,
  countRequest,
  type RateCounter,
  type RateRule,
  type RateVerdict,
  ruleFor,
  unlimited,
} from '../../identity/limits/counter.js';
import type { VerifyPreview } from '../../identity/previews/manage-previews.js';
import { isCsrfToken, type Session, type SessionCookies } from '../../identity/sessions/session-service.js';
import { after } from '../../values/after.js';
import { parseUrl } from '../../values/text.js';
import type { AuditEntry } from '../audit/audit-log.js';

/** Null when the credential is unknown, malformed, expired or revoked. */
export type VerifyCredential = (credential: string) => Identity | null | Promise<Identity | null>;

/** By the beginning of the text: an access token, else an API key. */
export function bearerVerifier(verifyToken: VerifyCredential, verifyKey: VerifyCredential): VerifyCredential {
  return (credential) => (credential.startsWith('gt_') ? verifyToken(credential) : verifyKey(credential));
}

interface Verifiers {
  readonly verify: VerifyCredential;
  readonly verifyPreview: VerifyPreview;
  readonly findSession: (shown: SessionCookies) => Promise<Pick<Session, 'identity'> | null>;
}

/** Preview, Bearer, X-API-Key, cookies, in this order. An ended session is not wrong: browsers send it everywhere. */
export function gatewayIdentify({ verify, verifyPreview, findSession }: Verifiers): Identify {
  return (caller) => {
    const preview = readPreviewToken(caller);
    if (preview !== null) return verifyPreview(preview);
    const credential = readBearer(caller) ?? readKeyHeader(caller);
    if (credential === null) {
      const cookies = shownCookies(caller);
      return cookies === null ? anonymous : findSession(cookies).then((session) => session?.identity ?? anonymous);
    }
    return credential === '' ? null : verify(credential);
  };
}

/** Over TLS: browsers take a cookie of this name only from the host itself, and send it over TLS only. */
export const secureCookieName = '__Host-hcd_session';
/** Without TLS. Never read from a request over TLS, so an attacker cannot plant it. */
const plainCookieName = 'hcd_session';

export interface Shown {
  readonly isSecure: boolean;
  header(name: string): string | undefined;
}

function ownName({ isSecure }: Pick<Shown, 'isSecure'>): string {
  return isSecure ? secureCookieName : plainCookieName;
}

export function shownCookies(shown: Shown): SessionCookies | null {
  const header = shown.header('cookie');
  if (header === undefined) return null;
  return { own: readCookie(header, ownName(shown)), named: (name) => readCookie(header, name) };
}

/** Value of Set-Cookie; a null id clears the cookie. */
export function sessionCookie(shown: Pick<Shown, 'isSecure'>, id: string | null): string {
  return setCookie({ name: ownName(shown), value: id, secure: shown.isSecure });
}

type CsrfSettings = Pick<
  Settings,
  'gateway_csrf_enabled' | 'gateway_cors_enabled' | 'gateway_cors_allowed_origins' | 'gateway_public_url'
>;

/** There is no token yet, but a foreign page must not log a visitor in as another user. */
export const logInEndpoint = 'auth.session.create';

/** The headers go with every successful answer to a session. */
function gatewayCsrf(settings: () => CsrfSettings): ProtectSession {
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

/** Browsers send Origin with every change; a client that sends none is not a web page. */
function checkOrigin(caller: Caller, values: CsrfSettings): void {
  const origin = caller.header('origin');
  // A browser cannot choose its Host, and this check protects only browsers.
  const own = [caller.forwardedAddress ?? `http://${caller.header('host') ?? ''}`, values.gateway_public_url];
  if (origin === undefined || isOwn(origin, own)) return;
  // Listed by name: `*` lets any page read, which must not let any page act.
  if (values.gateway_cors_enabled && values.gateway_cors_allowed_origins.includes(origin)) return;
  throw new AppError('scope_denied', { message: 'Cross-origin request refused: the origin is not allowed' });
}

/** Ignores the scheme, which a proxy that ends TLS and is not trusted hides. */
function isOwn(origin: string, addresses: readonly string[]): boolean {
  const asked = parseUrl(origin);
  if (asked === null || !/^https?:$/.test(asked.protocol)) return false;
  return addresses.some((own) => {
    return parseUrl(own.replace(/^https?:/, asked.protocol))?.host === asked.host;
  });
}

/** Monitors ask for health often, and must get the real state. */
const uncounted: ReadonlySet<string> = new Set(['health']);

export type CountCaller = (caller: {
  readonly identity: Identity;
  readonly address: string;
  /** Without an answer of the counter; settings decide for known callers. */
  readonly whenLost: 'alone' | 'refuse';
}) => RateVerdict | null | Promise<RateVerdict>;

export function gatewayCounter(settings: () => Settings, counter: RateCounter): CountCaller {
  return ({ identity, address, whenLost }) => {
    const values = settings();
    if (!values.gateway_rate_limit_enabled) return null;
    const general = {
      max: values.gateway_rate_limit_max_requests,
      windowSeconds: values.gateway_rate_limit_window_seconds,
    };
    const rule = ruleFor(general, identity);
    if (rule.max === 0) return unlimited;
    const isKnown = identity.kind !== 'anonymous';
    const counted = countRequest(counter, {
      ...{ rule, bucket: callerBucket('gateway', identity, clientBlock(address)) },
      whenLost: isKnown && values.gateway_rate_limit_without_counter === 'count-alone' ? 'alone' : whenLost,
    });
    return after(counted, (verdict) => withAdvice(verdict, rule));
  };
}

/** Of an address: no route and OPTIONS at all interfaces; files, of which a page may have a hundred. */
const perAddress: RateRule = { max: 6000, windowSeconds: 60 };

/** Only a refusal says how many requests are left. */
export function addressLimit(
  settings: () => Pick<Settings, 'gateway_rate_limit_enabled'>,
  { counter, counted: what }: { readonly counter: RateCounter; readonly counted: 'stray' | 'files' },
) {
  return (address: string): RateVerdict | null | Promise<RateVerdict | null> => {
    if (!settings().gateway_rate_limit_enabled) return null;
    const counted = countRequest(counter, { bucket: `${what}|${address}`, rule: perAddress, whenLost: 'alone' });
    return after(counted, (verdict) => (verdict.error === undefined ? null : verdict));
  };
}

export function gatewayLimit(countCaller: CountCaller): Limit {
  return (question) => {
    const { identity, endpoint, caller } = question;
    if (uncounted.has(endpoint?.name ?? '')) return null;
    return countCaller({
      ...{ identity, address: caller.clientIp },
      whenLost: isPublicRead(question) ? 'alone' : 'refuse',
    });
  };
}

/** Jobs that read a whole site reach the limit most often, so the refusal says what to do. */
function withAdvice(verdict: RateVerdict, { max, windowSeconds }: RateRule): RateVerdict {
  if (verdict.error === undefined) return verdict;
  const { details } = verdict.error;
  const message = `The limit of ${max} requests in ${windowSeconds} seconds is reached; wait ${details.retryAfter} seconds. A job that reads a whole site asks for pages of 100 with cursor and include, and uses a key made with hcd key create --for build`;
  return { ...verdict, error: new AppError('rate_limited', { message, details }) };
}

/** Their cost is bounded even when each process counts alone. */
function isPublicRead({ identity, refused, caller }: LimitQuestion): boolean {
  return identity.kind === 'anonymous' && !refused && (caller.method === 'GET' || caller.method === 'HEAD');
}

const participles = { read: 'read', create: 'created', update: 'changed', delete: 'removed' } as const;

/** Throws scope_denied when the object in the path does not allow the action of the route. */
function checkObject(
  registry: Registry,
  { access, params }: { readonly access: Access; readonly params: Readonly<Record<string, string>> },
): void {
  if (access.kind !== 'object_scope') return;
  const definition = registry.objects.get(params['name'] ?? '');
  if (definition === undefined || definition[rightOf[access.action]]) return;
  throw new AppError('scope_denied', {
    message: `Insufficient permissions: records of ${definition.name} cannot be ${participles[access.action]}`,
  });
}

interface ChecksDeps {
  readonly settings: () => CsrfSettings;
  readonly registry: Registry;
  readonly sessions: SessionPermissions;
  readonly identify: Identify;
  readonly limit: Limit;
}

/** Unknown routes are 404 even while the service is off; rights are checked before validation. */
export function gatewayChecks({ settings, registry, sessions, identify, limit }: ChecksDeps) {
  return [
    checkRoute(),
    checkEnabled(),
    authenticate(identify, limit),
    limitRequests(limit),
    checkCsrf(gatewayCsrf(settings)),
    admit(({ endpoint: { access }, identity, params }) => {
      checkAccess({ access, identity, params, sessions });
      checkObject(registry, { access, params });
    }),
  ];
}

const writingMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export function gatewayAudit(
  settings: () => Settings,
  write: (entry: AuditEntry) => void,
): (report: FinishedReport) => void {
  return function audit(finished) {
    const values = settings();
    const { caller, ...report } = finished;
    const isAudited = writingMethods.has(report.method) || (report.method === 'GET' && values.gateway_audit_log_get);
    if (!values.gateway_audit_enabled || !isAudited) return;
    write({ ...report, context: contextOf(caller) ?? values.gateway_context });
  };
}

/** The caller may not be allowed to use it. */
function contextOf(caller: FinishedReport['caller']): string | undefined {
  const [asked] = [caller.header('x-context'), ...caller.queryValues('context')].filter((text) => text?.trim());
  return asked?.trim();
}
