/** Removes old deliveries for `hcd delivery prune`. */
import { readRuntimeSettings } from '../../src/content/settings/runtime-settings.js';
import { countPrunableDeliveries, pruneDeliveries } from '../../src/webhooks/requeue-deliveries.js';
import { confirmChange } from '../confirm.js';
import type { Deps } from '../deps.js';
import type { DoneResult } from '../result.js';
import { openReady } from '../store/open-ready.js';

export async function runPrune(
  { days: given }: { readonly days: number | undefined },
  deps: Deps,
): Promise<DoneResult> {
  const store = await openReady(deps);
  const days = given ?? (await readRuntimeSettings(store, deps.env)).values.gateway_webhook_retention_days;
  const age = days === 1 ? '1 day' : `${days} days`;
  if (deps.prompt.isInteractive) {
    const count = await countPrunableDeliveries(store, days);
    const what = count === 1 ? '1 delivery' : `${count} deliveries`;
    if (count > 0) await confirmChange(deps, `Remove ${what} that ended more than ${age} ago?`);
  }
  const removed = await pruneDeliveries(store, days);
  return {
    kind: 'done',
    message: `Removed deliveries that ended more than ${age} ago: ${removed}.`,
    data: { removed, days },
  };
}
