/** The scopes of the site as words to choose from. */
import type { Deps } from '../deps.js';

export async function offerScopes(deps: Deps): Promise<readonly string[]> {
  // Loaded when it asks: the database layer takes longer to load than most commands take to run.
  return (await import('./read-scopes.js')).readScopes(deps);
}
