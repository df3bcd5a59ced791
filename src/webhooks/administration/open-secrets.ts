/** The secrets of a subscription in the clear, for a local receiver that verifies what is sent to it. Never shown. */
import type { Sealer } from '../../crypto/seal.js';
import { AppError } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { loadSubscriptionRow } from './subscription-view.js';

/** The newest first; the one before it while it is kept. Throws not_found, and refused when they cannot be decrypted. */
export async function openSecrets(
  store: Store,
  { id, sealer }: { readonly id: number; readonly sealer: Sealer },
): Promise<string[]> {
  const { secret, previousSecret } = await loadSubscriptionRow(store.own.primary, id);
  return [secret, ...(previousSecret === null ? [] : [previousSecret])].map((sealed) => {
    const opened = sealer.unseal(sealed);
    if (opened.kind === 'opened') return opened.text;
    throw new AppError('refused', {
      message: `The secret of the subscription ${id} cannot be read: set HCD_SECRET as it was, or run hcd webhook rotate-secret ${id}`,
    });
  });
}
