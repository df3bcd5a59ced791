/**
 * What is acceptable in a subscription, checked when it is made and when it is changed
 * (docs/webhooks.md#where-deliveries-may-go).
 */
import type { Settings } from '../../config/setting-definitions.js';
import type { Problems } from '../../errors/app-error.js';
import { outboundPolicyOf } from '../addresses/outbound-policy.js';
import type { OwnPlaces } from '../addresses/own-places.js';
import { checkReceiverUrl } from '../addresses/receiver-url.js';
import { eventListProblem, eventNames } from '../rules/events.js';

/** The registered objects, by their names: each raises events. */
export interface EventSources {
  readonly objects: ReadonlyMap<string, unknown>;
}

const longestName = 100;

/** Every event that a subscription may name beside `*`. */
export function knownEvents(registry: EventSources): readonly string[] {
  return eventNames([...registry.objects.keys()]);
}

const wayOut =
  'Name its network in gateway_webhook_allowed_networks, or for development: hcd setting set gateway_webhook_allow_private_urls 1';

/** The address in the form that is kept. What needs a look-up is checked at every attempt. */
export function checkUrl(
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

/** The list without repetitions. */
export function checkEvents(
  problems: Problems,
  { events, registry }: { readonly events: readonly string[]; readonly registry: EventSources },
): readonly string[] {
  const problem = eventListProblem(events, knownEvents(registry));
  if (problem !== null) problems.add('events', problem);
  return Object.freeze([...new Set(events)]);
}

export function checkName(problems: Problems, name: string | null): void {
  if (name !== null && [...name].length > longestName) {
    problems.add('name', `A name has at most ${longestName} characters`);
  }
}
