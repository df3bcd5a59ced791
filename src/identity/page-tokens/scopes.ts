/** The scopes of the page delivery API (docs/pages-tokens.md#make-one-and-use-it). Both only read. */

export const pageScopes = Object.freeze(['pages.read', 'catalog.read'] as const);

export type PageScope = (typeof pageScopes)[number];

export function isPageScope(text: string): text is PageScope {
  return pageScopes.some((scope) => scope === text);
}
