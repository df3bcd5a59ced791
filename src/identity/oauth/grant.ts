/** The words that OAuth clients, grants and refusals of the token endpoint share. */

/** Grants that a client can be made for. */
export const grantTypes = ['client_credentials', 'password'] as const;
export type GrantType = (typeof grantTypes)[number];

/** `error` of a refusal: RFC 6749, 5.2. */
export type GrantError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope';

/** Why a request of a client is refused; the description never repeats what was sent. */
export interface GrantRefusal {
  readonly kind: 'refused';
  readonly error: GrantError;
  readonly description: string;
}

/** A refusal as a value: the token endpoints have their own form for it. */
export function refuse(error: GrantError, description: string): GrantRefusal {
  return Object.freeze({ kind: 'refused', error, description });
}
