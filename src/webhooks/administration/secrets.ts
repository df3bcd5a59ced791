/** Gives a subscription a new secret; during an overlap deliveries are signed with the old one too. */
import { randomBase64Url } from '../../crypto/primitives.js';
import { makeSealer, type Sealer } from '../../crypto/seal.js';
import { createWebhookSecret, webhookSecretProblem } from '../../crypto/webhook-secret.js';
import { AppError, invalidField } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { readState, rootSecret } from '../../store/state/state.js';
import { changeSubscription, type SubscriptionRow, subscriptions } from '../models/subscriptions.js';
import { loadSubscription, loadSubscriptionRow } from './subscriptions.js';

interface RotationRequest {
  readonly id: number;
  readonly sealer: Sealer;
  readonly secret: string | null;
  /** Milliseconds for which deliveries carry both signatures; 0 = none. */
  readonly overlap: number;
}

interface SecretRotation {
  readonly id: number;
  readonly name: string | null;
  readonly secret: string;
  /** Until when new deliveries carry both signatures, Unix milliseconds; null = no longer. */
  readonly previousEndsOn: number | null;
  /** Deliveries queued before, which keep the old secret until they are finished. */
  readonly open: number;
}

/** Throws not_found, validation_failed, and refused while an overlap runs or the old secret cannot be read. */
export async function rotateWebhookSecret(store: Store, request: RotationRequest): Promise<SecretRotation> {
  const { id, sealer, overlap } = request;
  const problem = request.secret === null ? null : webhookSecretProblem(request.secret);
  if (problem !== null) throw invalidField('secret', problem);
  const secret = request.secret ?? createWebhookSecret();
  const sealed = sealer.seal(secret);
  const previousEndsOn = await store.own.write(
    async (tx) => {
      const row = await loadSubscriptionRow(tx, id);
      if (overlap > 0 && row.previousEndsOn !== null && row.previousEndsOn > row.readOn) {
        throw new AppError('refused', {
          message: `The subscription ${id} has an old secret that still signs; wait until it ends, or rotate without --overlap to end it now`,
        });
      }
      if (overlap > 0 && !isReadableSecret(sealer, row)) {
        throw new AppError('refused', {
          message: `The secret of the subscription ${id} cannot be read, so nothing could be signed with both: set HCD_SECRET as it was, or rotate without --overlap`,
        });
      }
      const endsOn = overlap === 0 ? null : row.readOn + overlap;
      const previousSecret = endsOn === null ? null : row.secret;
      await changeSubscription(tx, id, { secret: sealed, previousSecret, previousEndsOn: endsOn });
      return endsOn;
    },
    {
      outcome: async (tx) => (await subscriptions.on(tx).findOne({ where: { secret: sealed } }))?.previousEndsOn,
    },
  );
  const { name, open } = await loadSubscription(store, id);
  return Object.freeze({ id, name, secret, previousEndsOn, open });
}

/** The newest first. Throws not_found, and refused when they cannot be decrypted. */
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

/** Null where the database has a root secret, under which secrets may be stored already. */
export async function newRootSecret({ own }: Store): Promise<string | null> {
  return (await readState(own.primary, 'root_secret')) === null ? randomBase64Url(32) : null;
}

export function webhookSealer(secret: string): Sealer {
  return makeSealer({ rootSecret: secret, purpose: 'webhook secrets' });
}

/** `secret` is the configured root secret; null = the one kept in the database, made on first use. */
export async function openWebhookSealer(store: Store, secret: string | null): Promise<Sealer> {
  return webhookSealer(secret ?? (await rootSecret(store)));
}

/** False after the root secret was changed. */
export function isReadableSecret(sealer: Sealer, { secret }: Pick<SubscriptionRow, 'secret'>): boolean {
  return sealer.unseal(secret).kind === 'opened';
}
