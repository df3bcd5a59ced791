/** The access column of an endpoint row: who may call a route. */

/** A required column of every endpoint row, so that forgetting it does not compile. */
export type Access =
  | { readonly kind: 'public' }
  | { readonly kind: 'session' }
  /** Anonymous callers and previews too, unless it shows no drafts; a key or token needs the scope. */
  | { readonly kind: 'public_read'; readonly scope: string; readonly showsDrafts?: false }
  /** A credential with the scope, and with `also` if given; or a preview, if the route shows drafts. */
  | { readonly kind: 'scope'; readonly scope: string; readonly also?: string; readonly showsDrafts?: true }
  /** A credential with `<object name in the path>.<action>`. */
  | { readonly kind: 'object_scope'; readonly action: 'read' | 'create' | 'update' | 'delete' };
