/**
 * Everything that the program may report while it runs: a closed union of facts. There is no field for headers, bodies,
 * query strings or secrets, so a leak would need a change of type here.
 */

export type Observation =
  | ServerStopping
  | RequestFinished
  | StoreUnavailable
  | StoreRecovered
  | MigrationApplied
  | MigrationReverted
  | SettingsChanged
  | SettingRefused
  | UnexpectedError;

export interface ServerStopping {
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
  readonly identityId?: string;
  /** For 5xx: what went wrong. */
  readonly error?: unknown;
}

/** The database did not answer. Said once, then counted until `store_recovered`. */
export interface StoreUnavailable {
  readonly kind: 'store_unavailable';
  /** Code of the driver, such as ECONNREFUSED. */
  readonly code: string;
}

export interface StoreRecovered {
  readonly kind: 'store_recovered';
}

export interface MigrationApplied {
  readonly kind: 'migration_applied';
  readonly name: string;
}

export interface MigrationReverted {
  readonly kind: 'migration_reverted';
  readonly name: string;
}

export interface SettingsChanged {
  readonly kind: 'settings_changed';
  readonly keys: readonly string[];
}

/** A stored value is not acceptable; the default counts. */
export interface SettingRefused {
  readonly kind: 'setting_refused';
  readonly key: string;
  readonly problem: string;
}

/** A fault of the program outside a request. */
export interface UnexpectedError {
  readonly kind: 'unexpected_error';
  /** What was being done, in a few fixed words. */
  readonly during: string;
  readonly error: unknown;
}

/** Reports one fact. Never throws. */
export type Log = (observation: Observation) => void;
