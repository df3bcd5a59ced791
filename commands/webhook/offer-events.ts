/** The events of the site as words to choose from. */
import type { Deps } from '../deps.js';

export async function offerEvents(deps: Deps): Promise<readonly string[]> {
  // Loaded when it asks: the database layer takes longer to load than most commands take to run.
  return (await import('./read-events.js')).readEvents(deps);
}
