/** The verified caller, made by an API's authenticate stage. */
import type { Principal } from './acl.js';

export type Identity =
  | AnonymousIdentity
  | ApiKeyIdentity
  | AccessTokenIdentity
  | PageTokenIdentity
  | PreviewIdentity
  | SessionIdentity;

/** Null = the general value. */
export interface OwnRateLimit {
  readonly max: number | null;
  readonly windowSeconds: number | null;
}

interface AnonymousIdentity {
  readonly kind: 'anonymous';
  readonly userId: null;
}

interface CredentialIdentity<Kind extends 'api_key' | 'access_token'> {
  readonly kind: Kind;
  /** Public id for logs: never the secret. */
  readonly id: string;
  readonly scopes: ReadonlySet<string>;
  /** The user whose content rights decide; null = those of anonymous callers. */
  readonly userId: number | null;
  /** Its own limit, or the one of its OAuth client. */
  readonly rateLimit?: OwnRateLimit;
}

export type ApiKeyIdentity = CredentialIdentity<'api_key'>;
export type AccessTokenIdentity = CredentialIdentity<'access_token'>;

/** It has the content rights of anonymous callers. */
export interface PageTokenIdentity {
  readonly kind: 'page_token';
  readonly id: string;
  readonly scopes: ReadonlySet<string>;
  readonly userId: null;
}

/** Reads one resource, or one context, as it is now, and nothing else. */
export interface PreviewIdentity {
  readonly kind: 'preview';
  /** Public id for logs: never the token. */
  readonly id: string;
  /** The user who created the preview and whose content rights decide; null = the rights of anonymous callers. */
  readonly userId: number | null;
  readonly context: string;
  readonly resource: number | null;
  /** Of the page document of the resource when the preview was made; null = it had none. */
  readonly draftRevision: number | null;
}

export interface SessionIdentity {
  readonly kind: 'session';
  /** The user's id as text, so that all sessions of a user are one caller to limits, memories and logs. */
  readonly id: string;
  readonly userId: number;
  readonly principal: Principal;
  /** Digest of its id; absent = the CMS keeps the session. */
  readonly idHash?: string;
  /** Encrypts the id of a session that the CMS keeps, so that only this secret opens it. */
  readonly sealId?: (secret: string) => string;
  readonly csrfToken: string;
}

export const anonymous: AnonymousIdentity = Object.freeze({ kind: 'anonymous', userId: null });
