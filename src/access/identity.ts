/** The verified caller. Made by an API's authenticate stage; every later stage only reads it. */
import type { Principal } from './acl.js';

export type Identity = AnonymousIdentity | ApiKeyIdentity | AccessTokenIdentity | PageTokenIdentity | SessionIdentity;

/** What a credential sets for its own rate limit; null = the general value. */
export interface OwnRateLimit {
  /** Requests in one window. */
  readonly max: number | null;
  readonly windowSeconds: number | null;
}

export interface AnonymousIdentity {
  readonly kind: 'anonymous';
}

export interface ApiKeyIdentity {
  readonly kind: 'api_key';
  /** Public id for logs: never the secret. */
  readonly id: string;
  readonly scopes: ReadonlySet<string>;
  /** The user whose content rights decide, when the key is bound to one; else null and anonymous rights decide. */
  readonly userId: number | null;
  readonly rateLimit?: OwnRateLimit;
}

export interface AccessTokenIdentity {
  readonly kind: 'access_token';
  readonly id: string;
  readonly scopes: ReadonlySet<string>;
  readonly userId: number | null;
  /** Of the client that the token was given to. */
  readonly rateLimit?: OwnRateLimit;
}

/** A server that reads published pages; it has the content rights of anonymous callers. */
export interface PageTokenIdentity {
  readonly kind: 'page_token';
  /** The prefix of the token. */
  readonly id: string;
  readonly scopes: ReadonlySet<string>;
  readonly userId: null;
}

export interface SessionIdentity {
  readonly kind: 'session';
  /** The user's id as text: all sessions of a user are one caller to limits, memories and logs. */
  readonly id: string;
  readonly userId: number;
  /** Groups and roles of the user, read when the session was verified. */
  readonly principal: Principal;
  /** What a request of this session that changes something must carry in X-CSRF-Token. */
  readonly csrfToken: string;
}

export const anonymous: AnonymousIdentity = Object.freeze({ kind: 'anonymous' });

/** The id of the user whose content rights decide, 0 for anonymous. */
export function contentUserId(identity: Identity): number {
  return identity.kind === 'anonymous' ? 0 : (identity.userId ?? 0);
}
