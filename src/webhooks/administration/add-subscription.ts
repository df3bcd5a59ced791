/** Makes a webhook subscription. Its secret is shown in the answer of this function and kept encrypted. */
import type { Settings } from '../../config/setting-definitions.js';
import type { Sealer } from '../../crypto/seal.js';
import { createWebhookSecret, webhookSecretProblem } from '../../crypto/webhook-secret.js';
import { Problems } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import type { OwnPlaces } from '../addresses/own-places.js';
import { findSubscriptionBySecret, insertSubscription } from '../rows/webhook-subscriptions.js';
import { checkEvents, checkName, checkUrl, type EventSources } from './check-subscription.js';

export interface SubscriptionRequest {
  readonly registry: EventSources;
  readonly settings: Settings;
  /** Where the servers of this store listen. */
  readonly places: OwnPlaces;
  readonly sealer: Sealer;
  readonly url: string;
  readonly events: readonly string[];
  /** For people; null = none. */
  readonly name: string | null;
  /** A secret of one's own; null = a fresh one. */
  readonly secret: string | null;
  readonly active: boolean;
  /** Who asked for it, for people. */
  readonly createdBy: string;
}

/** A subscription with its secret, which nobody can show again. */
export interface AddedSubscription {
  readonly id: number;
  readonly name: string | null;
  readonly url: string;
  readonly events: readonly string[];
  readonly secret: string;
  readonly active: boolean;
}

/** Throws validation_failed with every problem of address, events, name and secret. */
export async function addSubscription({ own }: Store, request: SubscriptionRequest): Promise<AddedSubscription> {
  const { registry, settings, places, sealer, active, createdBy, name } = request;
  const problems = new Problems();
  const url = checkUrl(problems, { url: request.url, settings, places });
  const events = checkEvents(problems, { events: request.events, registry });
  checkName(problems, name);
  const secretProblem = request.secret === null ? null : webhookSecretProblem(request.secret);
  if (secretProblem !== null) problems.add('secret', secretProblem);
  problems.throwIfAny();
  const secret = request.secret ?? createWebhookSecret();
  const sealed = sealer.seal(secret);
  const row = { name, url, events, secret: sealed, active, createdBy };
  const id = await own.write((tx) => insertSubscription(tx, row), {
    outcome: async (tx) => (await findSubscriptionBySecret(tx, sealed)) ?? undefined,
  });
  return Object.freeze({ id, name, url, events, secret, active });
}
