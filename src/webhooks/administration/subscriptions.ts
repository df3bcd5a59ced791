/** Manages webhook subscriptions for people. Never shows a secret again. */

import { literal, Op } from 'sequelize';
import type { Settings } from '../../config/settings.js';
import type { Sealer } from '../../crypto/seal.js';
import { createWebhookSecret, webhookSecretProblem } from '../../crypto/webhook-secret.js';
import { AppError, Problems } from '../../errors/app-error.js';
import { type Reader, repeatable } from '../../store/base/database.js';
import { fromNow } from '../../store/models/columns.js';
import type { Store } from '../../store/open/open.js';
import { dayMs } from '../../values/dates.js';
import { type OwnPlaces, outboundPolicyOf } from '../addresses/outbound-policy.js';
import { checkReceiverUrl } from '../addresses/receiver-url.js';
import { attempts, deliveries, doneStatuses, openStatuses } from '../models/deliveries.js';
import {
  changeSubscription,
  deactivateSubscription,
  insertSubscription,
  longestName,
  noFailures,
  type SubscriptionRow,
  subscriptions,
} from '../models/subscriptions.js';
import { cancelOpen } from '../queue/outbox.js';
import { eventListProblem } from '../rules/events.js';

/** The first that applies counts; `failing` = its last attempt failed. */
type SubscriptionState = 'inactive' | 'failing' | 'active';

type Hidden = 'secret' | 'previousSecret' | 'signingSecrets' | 'warnings' | 'readOn';

export interface SubscriptionView extends Omit<SubscriptionRow, Hidden> {
  readonly state: SubscriptionState;
  readonly open: number;
}

export async function listSubscriptions({ own }: Store): Promise<SubscriptionView[]> {
  const rows = await subscriptions.on(own.primary).findAll({ order: ['id'] });
  const counts = await deliveries
    .on(own.primary)
    .count({ where: { status: [...openStatuses] }, group: ['subscriptionId'] });
  const open = new Map(counts.map(({ subscriptionId, count }) => [subscriptionId, count]));
  return rows.map((row) => subscriptionView(row, open.get(row.id) ?? 0));
}

export async function loadSubscription({ own }: Store, id: number): Promise<SubscriptionView> {
  const row = await loadSubscriptionRow(own.primary, id);
  const where = { status: [...openStatuses], subscriptionId: id };
  return subscriptionView(row, await deliveries.on(own.primary).count({ where }));
}

export async function loadSubscriptionRow(reader: Reader, id: number): Promise<SubscriptionRow> {
  const row = await subscriptions.on(reader).lookUp({ id });
  if (row !== null) return row;
  const message = `There is no webhook subscription ${id}; hcd webhook list shows every subscription`;
  throw new AppError('not_found', { message });
}

function subscriptionView(row: SubscriptionRow, open: number): SubscriptionView {
  const { secret, previousSecret, signingSecrets, warnings, readOn, ...shown } = row;
  const state = row.active ? (row.failures > 0 ? 'failing' : 'active') : 'inactive';
  return { ...shown, state, open };
}

interface LastDay {
  readonly delivered: number;
  readonly failed: number;
  readonly cancelled: number;
}

/** Deliveries of a subscription that were finished in the last 24 hours. */
export async function readLastDay({ own }: Store, subscriptionId: number): Promise<LastDay> {
  const visibleAt = { [Op.gte]: fromNow(own.primary, -dayMs) };
  const where = { status: [...doneStatuses], subscriptionId, visibleAt };
  const counts = await deliveries.on(own.primary).count({ where, group: ['status'] });
  const none = { delivered: 0, failed: 0, cancelled: 0 };
  return { ...none, ...Object.fromEntries(counts.map(({ status, count }) => [status, count])) };
}

/** Unix milliseconds; null when no delivery that succeeded is kept. */
export function findLastSuccess({ own }: Store, subscriptionId: number): Promise<number | null> {
  return deliveries.on(own.primary).max('visibleAt', { where: { status: 'delivered', subscriptionId } });
}

interface LastFailure {
  readonly on: number;
  readonly error: string;
}

export async function findLastFailure({ own }: Store, subscriptionId: number): Promise<LastFailure | null> {
  const its = `(SELECT \`id\` FROM \`${deliveries.table}\` WHERE \`subscription_id\` = ${subscriptionId})`;
  const row = await attempts.on(own.primary).findOne({
    where: { outcome: { [Op.ne]: 'delivered' }, deliveryId: { [Op.in]: literal(its) } },
    order: [['id', 'DESC']],
  });
  return row === null ? null : { on: row.endedOn, error: row.error ?? row.outcome };
}

type SubscriptionChanges = Partial<Pick<SubscriptionRow, 'name' | 'url' | 'events'>>;

interface ChangeRequest {
  readonly id: number;
  /** Every event that a subscription can name, without `*`. */
  readonly known: readonly string[];
  readonly settings: Settings;
  /** Where the servers of this store listen. */
  readonly places: OwnPlaces;
  readonly changes: SubscriptionChanges;
}

export interface Switched {
  readonly subscription: SubscriptionView;
  readonly cancelled: number;
}

/** Queued deliveries keep their address. Throws not_found and validation_failed. */
export async function updateSubscription(store: Store, request: ChangeRequest): Promise<SubscriptionView> {
  const { id, known, settings, places, changes } = request;
  const problems = new Problems();
  const { url, events, name } = changes;
  const checked: SubscriptionChanges = {
    ...(url === undefined ? {} : { url: checkUrl(problems, { url, settings, places }) }),
    ...(events === undefined ? {} : { events: checkEvents(problems, { events, known }) }),
    ...(name === undefined ? {} : { name }),
  };
  checkName(problems, name ?? null);
  problems.throwIfAny();
  await store.own.write(async (tx) => {
    const before = await loadSubscriptionRow(tx, id);
    const hasMoved = checked.url !== undefined && checked.url !== before.url;
    await changeSubscription(tx, id, { ...checked, ...(hasMoved ? noFailures : {}) });
  }, repeatable);
  return loadSubscription(store, id);
}

/** Cancelled deliveries stay cancelled (docs/webhooks.md#find-and-repair-failures). Throws not_found. */
export async function enableSubscription(store: Store, id: number): Promise<Switched> {
  const before = await loadSubscriptionRow(store.own.primary, id);
  // A change of content may have queued deliveries while the subscription was being disabled.
  const cancelled = before.active ? 0 : await cancelOpen(store.own, { subscriptionId: id, reason: disabledByHand });
  if (!before.active) {
    const active = { active: true, disabledReason: null, ...noFailures };
    await store.own.write((tx) => changeSubscription(tx, id, active), repeatable);
  }
  return { subscription: await loadSubscription(store, id), cancelled };
}

const disabledByHand = 'The subscription was disabled by hand';

/** Cancels what waits. Throws not_found. */
export async function disableSubscription(store: Store, id: number): Promise<Switched> {
  await loadSubscriptionRow(store.own.primary, id);
  await store.own.write((tx) => deactivateSubscription(tx, id, disabledByHand), repeatable);
  const cancelled = await cancelOpen(store.own, { subscriptionId: id, reason: disabledByHand });
  return { subscription: await loadSubscription(store, id), cancelled };
}

/** Cancels what waits; finished deliveries stay. Throws not_found. */
export async function removeSubscription(store: Store, id: number): Promise<Switched> {
  const subscription = await loadSubscription(store, id);
  await store.own.write((tx) => subscriptions.on(tx).destroy({ where: { id } }), repeatable);
  const cancelled = await cancelOpen(store.own, { subscriptionId: id, reason: 'The subscription was removed' });
  return { subscription, cancelled };
}

export interface SubscriptionRequest {
  readonly known: readonly string[];
  readonly settings: Settings;
  readonly places: OwnPlaces;
  readonly sealer: Sealer;
  readonly url: string;
  readonly events: readonly string[];
  readonly name: string | null;
  readonly secret: string | null;
  readonly active: boolean;
  readonly createdBy: string;
}

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
  const { known, settings, places, sealer, active, createdBy, name } = request;
  const problems = new Problems();
  const url = checkUrl(problems, { url: request.url, settings, places });
  const events = checkEvents(problems, { events: request.events, known });
  checkName(problems, name);
  const secretProblem = request.secret === null ? null : webhookSecretProblem(request.secret);
  if (secretProblem !== null) problems.add('secret', secretProblem);
  problems.throwIfAny();
  const secret = request.secret ?? createWebhookSecret();
  const sealed = sealer.seal(secret);
  const row = { name, url, events, secret: sealed, active, createdBy };
  const id = await own.write((tx) => insertSubscription(tx, row), {
    outcome: async (tx) => (await subscriptions.on(tx).findOne({ where: { secret: sealed } }))?.id,
  });
  return Object.freeze({ id, name, url, events, secret, active });
}

const wayOut =
  'Name its network in gateway_webhook_allowed_networks, or for development: hcd setting set gateway_webhook_allow_private_urls 1';

/** In the stored form. Checks that need a look-up run at every attempt. */
function checkUrl(
  problems: Problems,
  { url, settings, places }: { readonly url: string; readonly settings: Settings; readonly places: OwnPlaces },
): string {
  const policy = outboundPolicyOf(settings, places);
  const checked = checkReceiverUrl(url, policy);
  if (checked.ok) return checked.value.href;
  const isOnlyPrivate = checkReceiverUrl(url, { ...policy, allowPrivate: true }).ok;
  problems.add('url', `The URL ${checked.problem}${isOnlyPrivate ? `. ${wayOut}` : ''}`);
  return url;
}

function checkEvents(
  problems: Problems,
  { events, known }: { readonly events: readonly string[]; readonly known: readonly string[] },
): readonly string[] {
  const problem = eventListProblem(events, known);
  if (problem !== null) problems.add('events', problem);
  return Object.freeze([...new Set(events)]);
}

function checkName(problems: Problems, name: string | null): void {
  if (name !== null && [...name].length > longestName) {
    problems.add('name', `A name has at most ${longestName} characters`);
  }
}
