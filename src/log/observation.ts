/** All facts that the program may report: no field holds headers, bodies, query strings or secrets. Errors as text. */
import { AppError } from '../errors/app-error.js';

export interface Refusal {
  readonly check: CheckName;
  readonly error: AppError;
}

/** What a request passes, in the order of the gateway; the banner API has `route` before `access`. */
export type CheckName =
  | 'load'
  | 'form'
  | 'route'
  | 'enabled'
  | 'credential'
  | 'limit'
  | 'csrf'
  | 'access'
  | 'body'
  | 'handler';

export interface Facts {
  server_stopping: { readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGPIPE' };
  /** The reader of the log was stalled for too long. */
  log_lines_lost: { readonly lines: number };
  workers_replaced: { readonly count: number };
  request_finished: {
    readonly requestId: string;
    readonly api: string;
    readonly method: string;
    /** Never the address itself; null when no route fits. */
    readonly route: string | null;
    readonly status: number;
    readonly durationMs: number;
    readonly identity: string;
    readonly identityId?: string | undefined;
    /** For 5xx and for an answer that broke off. */
    readonly error?: unknown;
    readonly refusal?: Refusal | undefined;
  };
  /** Said once, then counted until `store_recovered`. */
  store_unavailable: {
    readonly code: string;
    /** What is wrong, where it does answer: a full disk, a missing table. */
    readonly problem?: string;
  };
  store_recovered: object;
  /** Logged once, until `load_over`. */
  load_refused: object;
  load_over: {
    readonly refused: number;
  };
  /** Said once, until `redis_recovered`. */
  redis_unavailable: {
    /** Redis's own code of a refusal, or the code of the network, such as ECONNREFUSED. */
    readonly code: string;
  };
  /** Changes of credentials then take up to a second here; reported once for each loss. */
  revocations_unheard: { readonly code: string };
  redis_recovered: {
    /** Counted alone or refused by this process meanwhile. */
    readonly uncounted: number;
  };
  migration_applied: { readonly name: string };
  settings_changed: { readonly keys: readonly string[] };
  setting_refused: { readonly key: string; readonly problem: string };
  /** Never the address, body or signature. */
  delivery_settled: {
    readonly deliveryId: number;
    readonly subscriptionId: number;
    readonly event: string;
    readonly attempt: number;
    readonly outcome: string;
    /** What becomes of the delivery; lost = another worker has it. */
    readonly result: 'delivered' | 'retry' | 'failed' | 'give_back' | 'lost';
    readonly status: number | null;
    readonly durationMs: number;
  };
  /** This worker leaves a receiver that fails in a row alone for a while. */
  receiver_paused: { readonly subscriptionId: number; readonly seconds: number };
  webhook_failing: {
    readonly subscriptionId: number;
    readonly failures: number;
    readonly failingDays: number;
    readonly daysLeft: number;
  };
  webhook_disabled: { readonly subscriptionId: number; readonly reason: string };
  /** The clocks of this machine and of the database differ; positive = this machine is ahead. */
  clock_skewed: { readonly skewMs: number };
  /** X-Forwarded-For of a peer that is not a trusted proxy is ignored; reported once. */
  forwarder_untrusted: {
    /** Its address, or its network where the address is a public one. */
    readonly peer: string;
  };
  publications_done: { readonly published: number; readonly withdrawn: number };
  /** Answered, but not recorded: too many at once, or the database was away. */
  banner_events_lost: { readonly clicks: number; readonly impressions: number };
  /** To bound memory; at most one such fact a second. */
  connections_closed: {
    /** Their clients were stalled for too long. */
    readonly notTaken: number;
    /** All answers that were not taken were too much together. */
    readonly memory: number;
    readonly refused: number;
  };
  connections_lowered: { readonly openFiles: number; readonly configured: number; readonly allowed: number };
  /** Its type is gone, or its template fails. */
  section_not_rendered: {
    readonly resource: number;
    readonly revision: number;
    readonly section: string;
    readonly type: string;
    readonly reason: string;
  };
  page_plan_refused: {
    readonly resource: number;
    /** The first problem, by its path; never a value of the document. */
    readonly problem: string;
  };
  /** The database does not take what follows from a date; said once as long as it lasts. */
  resource_plan_refused: { readonly resource: number; readonly problem: string };
  /** In a log that only programs read. */
  notice: { readonly text: string; readonly level: 'info' | 'warn' | 'error' };
  secret_differs: object;
  unexpected_error: {
    /** What was being done, in a few fixed words. */
    readonly during: string;
    readonly error: unknown;
  };
}

export type Observation = { [Kind in keyof Facts]: { readonly kind: Kind } & Facts[Kind] }[keyof Facts];

export type RequestFinished = Extract<Observation, { kind: 'request_finished' }>;

/** Never throws. */
export type Log = (observation: Observation) => void;

/** A chain may be circular; five links say enough. */
const longestChain = 5;

/** `Name: message` of the error, of its cause, and so on. */
export function errorChain(error: unknown): readonly string[] {
  const lines: string[] = [];
  let current = error;
  while (lines.length < longestChain && current !== undefined && current !== null) {
    lines.push(current instanceof Error ? `${current.name}: ${current.message}` : String(current));
    current = current instanceof Error ? current.cause : undefined;
  }
  return lines;
}

interface Failure {
  /** What was being done, in a few fixed words. */
  readonly during: string;
  readonly error: unknown;
}

/** Not of the database: its reader reports `store_unavailable` once. */
export function reportFailure(log: Log, { during, error }: Failure): void {
  if (error instanceof AppError && error.kind === 'unavailable') return;
  log({ kind: 'unexpected_error', during, error });
}
