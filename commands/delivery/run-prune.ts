/** Removes old deliveries for `hcd delivery prune`. */
import { AppError } from '../../src/errors/app-error.js';
import { readRuntimeSettings } from '../../src/services/load-sample/runtime-settings.js';
import { countPrunableDeliveries, pruneDeliveries } from '../../src/services/webhooks/requeue-deliveries.js';
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
  // Scripts are not asked: they called the command that removes.
  if (deps.prompt.isInteractive) {
    const count = await countPrunableDeliveries(store, days);
    const what = count === 1 ? '1 delivery' : `${count} deliveries`;
    const question = { message: `Remove ${what} that ended more than ${age} ago?`, flag: '--yes' };
    if (count > 0 && !(await deps.prompt.confirm(question))) {
      throw new AppError('refused', { message: 'Nothing was removed' });
    }
  }
  const removed = await pruneDeliveries(store, days);
  return {
    kind: 'done',
    message: `Removed deliveries that ended more than ${age} ago: ${removed}.`,
    data: { removed, days },
  };
}
