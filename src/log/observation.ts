/**
 * Everything that the program may report while it runs: a closed union of facts. There is no field for headers, bodies,
 * query strings or secrets, so a leak would need a change of type here.
 */

export type Observation =
  | ServerStopping
  | RequestFinished
  | StoreUnavailable
  | StoreRecovered
  | LoadRefused
  | LoadOver
  | RedisUnavailable
  | RevocationsUnheard
  | RedisRecovered
  | MigrationApplied
  | MigrationReverted
  | SettingsChanged
  | SettingRefused
  | DeliverySettled
  | ReceiverPaused
  | WebhookFailing
  | WebhookDisabled
  | ClockSkewed
  | ForwarderUntrusted
  | VariableWithoutEffect
  | PublicationsDone
  | PagePlanRefused
  | ResourcePlanRefused
  | SectionNotRendered
  | BannerEventsLost
  | ConnectionsClosed
  | UnexpectedError;

interface ServerStopping {
  readonly kind: 'server_stopping';
  readonly signal: 'SIGINT' | 'SIGTERM';
}

export interface RequestFinished {
  readonly kind: 'request_finished';
  readonly requestId: string;
  readonly api: string;
  readonly method: string;
  /** Pattern of the route, such as `/resources/:id`; null when no route fits. Never the address itself. */
  readonly route: string | null;
  readonly status: number;
  readonly durationMs: number;
  /** Kind of the caller, and its public id where it has one. */
  readonly identity: string;
  readonly identityId?: string | undefined;
  /** What went wrong, for 5xx and for an answer that broke off. */
  readonly error?: unknown;
}

/** The database did not answer. Said once, then counted until `store_recovered`. */
interface StoreUnavailable {
  readonly kind: 'store_unavailable';
  /** Code of the driver, such as ECONNREFUSED. */
  readonly code: string;
}

interface StoreRecovered {
  readonly kind: 'store_recovered';
}

/** Requests are refused because too many reads wait or one takes too long. Said once, then counted until `load_over`. */
interface LoadRefused {
  readonly kind: 'load_refused';
}

/** Requests have not been refused in this way for a while. */
interface LoadOver {
  readonly kind: 'load_over';
  /** How many were. */
  readonly refused: number;
}

/** Redis does not count requests for rate limits. Said once, until `redis_recovered`. */
interface RedisUnavailable {
  readonly kind: 'redis_unavailable';
  /** Redis's own code of a refusal, or the code of the network, such as ECONNREFUSED. */
  readonly code: string;
}

/** Redis no longer sends changes of credentials: this server finds them itself within a second. Reported once for each loss. */
interface RevocationsUnheard {
  readonly kind: 'revocations_unheard';
  readonly code: string;
}

interface RedisRecovered {
  readonly kind: 'redis_recovered';
  /** Requests that this process counted alone or refused meanwhile. */
  readonly uncounted: number;
}

interface MigrationApplied {
  readonly kind: 'migration_applied';
  readonly name: string;
}

interface MigrationReverted {
  readonly kind: 'migration_reverted';
  readonly name: string;
}

interface SettingsChanged {
  readonly kind: 'settings_changed';
  readonly keys: readonly string[];
}

/** A stored value is not acceptable; the default counts. */
interface SettingRefused {
  readonly kind: 'setting_refused';
  readonly key: string;
  readonly problem: string;
}

/** One attempt to deliver an event ended and is recorded. Never the address, body or signature. */
interface DeliverySettled {
  readonly kind: 'delivery_settled';
  readonly deliveryId: number;
  readonly subscriptionId: number;
  readonly event: string;
  readonly attempt: number;
  /** Class of the attempt, such as `timeout`. */
  readonly outcome: string;
  /** What becomes of the delivery; lost = another worker has it. */
  readonly result: 'delivered' | 'retry' | 'failed' | 'give_back' | 'lost';
  readonly status: number | null;
  readonly durationMs: number;
}

/** A receiver fails so often in a row that this worker leaves it alone for a while. */
interface ReceiverPaused {
  readonly kind: 'receiver_paused';
  readonly subscriptionId: number;
  readonly seconds: number;
}

/** A receiver does nothing but fail and will be disabled. */
interface WebhookFailing {
  readonly kind: 'webhook_failing';
  readonly subscriptionId: number;
  readonly failures: number;
  readonly failingDays: number;
  readonly daysLeft: number;
}

interface WebhookDisabled {
  readonly kind: 'webhook_disabled';
  readonly subscriptionId: number;
  readonly reason: string;
}

/** A variable that is documented for the program is set, and this version does nothing with it. */
interface VariableWithoutEffect {
  readonly kind: 'variable_without_effect';
  readonly name: string;
}

/** The clocks of this machine and of the database differ; positive = this machine is ahead. */
interface ClockSkewed {
  readonly kind: 'clock_skewed';
  readonly skewMs: number;
}

/** A peer that is not a trusted proxy sends X-Forwarded-For, which is ignored. Reported once. */
interface ForwarderUntrusted {
  readonly kind: 'forwarder_untrusted';
  /** Its address, or its network where the address is a public one. */
  readonly peer: string;
}

/** Resources were published or withdrawn on their planned dates. */
interface PublicationsDone {
  readonly kind: 'publications_done';
  readonly published: number;
  readonly withdrawn: number;
}

/** Clicks and impressions that were answered and could not be recorded: too many at once, or the database was away. */
interface BannerEventsLost {
  readonly kind: 'banner_events_lost';
  readonly clicks: number;
  readonly impressions: number;
}

/** Connections that this server closed or did not take, to keep its memory bounded. At most one such fact a second. */
interface ConnectionsClosed {
  readonly kind: 'connections_closed';
  /** Their clients took nothing of an answer for too long. */
  readonly notTaken: number;
  /** All answers that were not taken were too much together. */
  readonly memory: number;
  /** There were too many connections. */
  readonly refused: number;
}

/** A section of a published page has no HTML: its type is gone, or its template fails. */
interface SectionNotRendered {
  readonly kind: 'section_not_rendered';
  readonly resource: number;
  readonly revision: number;
  /** Its id. */
  readonly section: string;
  readonly type: string;
  readonly reason: string;
}

/** A page was to be published by a plan, and its draft does not allow it. */
interface PagePlanRefused {
  readonly kind: 'page_plan_refused';
  readonly resource: number;
  /** The first problem, by its path; never a value of the document. */
  readonly problem: string;
}

/** A date of a resource has passed, and the database does not take what follows from it. Said once as long as it lasts. */
interface ResourcePlanRefused {
  readonly kind: 'resource_plan_refused';
  readonly resource: number;
  readonly problem: string;
}

/** A fault of the program outside a request. */
interface UnexpectedError {
  readonly kind: 'unexpected_error';
  /** What was being done, in a few fixed words. */
  readonly during: string;
  readonly error: unknown;
}

/** Reports one fact. Never throws. */
export type Log = (observation: Observation) => void;
