/** Removes ended tokens for `hcd oauth token prune`. */
import { pruneTokens } from '../../../src/identity/oauth/manage-tokens.js';
import { confirmChange } from '../../confirm.js';
import type { Deps } from '../../deps.js';
import type { DoneResult } from '../../result.js';
import { openReady } from '../../store/open-ready.js';

export async function runPrune(_options: object, deps: Deps): Promise<DoneResult> {
  const store = await openReady(deps);
  await confirmChange(deps, 'Remove the access tokens that have ended?');
  const removed = await pruneTokens(store, deps.clock.now());
  return { kind: 'done', message: `Removed access tokens that have ended: ${removed}.`, data: { removed } };
}
