/** How the secrets of webhook subscriptions are encrypted at rest, and which of them can no longer be read. */
import { makeSealer, type Sealer } from '../../crypto/seal.js';
import type { Store } from '../../store/open/open.js';
import { rootSecret } from '../../store/state/root-secret.js';
import type { SubscriptionRow } from '../rows/webhook-subscriptions.js';

/** The sealer under a root secret that is known. */
export function webhookSealer(secret: string): Sealer {
  return makeSealer({ rootSecret: secret, purpose: 'webhook secrets' });
}

/** `secret` is the configured root secret; null = the one kept in the database, made on first use. */
export async function openWebhookSealer(store: Store, secret: string | null): Promise<Sealer> {
  return webhookSealer(secret ?? (await rootSecret(store)));
}

/** Whether what is queued for the subscription can be signed: not after the root secret was changed. */
export function isReadableSecret(sealer: Sealer, { secret }: Pick<SubscriptionRow, 'secret'>): boolean {
  return sealer.unseal(secret).kind === 'opened';
}
