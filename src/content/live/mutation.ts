/**
 * What a mutation is: one change of one record asked for by a caller, with everything that it changed. The words that
 * the rules of content, the announcement of events, the cache and the answer share.
 */

import type { JsonValue } from '../objects/values.js';
import type { GivenTvValue } from '../rules/tv-values.js';

/**
 * Values by field name as they are decided: text, numbers, true/false, null, JSON; a datetime is Unix seconds or null.
 * How a column stores them is the row writer's business.
 */
export type FieldValues = Readonly<Record<string, JsonValue>>;

/** What a body writes: values that fit their fields, and only fields that the caller may write. */
export interface RecordChanges {
  readonly values: FieldValues;
  /** Template variables by name; null when the body has no `tvs`. */
  readonly tvs: Readonly<Record<string, GivenTvValue>> | null;
}

export type MutationAction = 'created' | 'updated' | 'deleted';

/** One row that a mutation touched. */
export interface RowChange {
  readonly object: string;
  readonly key: string | number;
  /**
   * The fields that filters, sorts, visibility and addresses look at, as they were; null = there was no such row. Long
   * text (content) is left out.
   */
  readonly before: FieldValues | null;
  /** The same afterwards; null = the row is gone. */
  readonly after: FieldValues | null;
}

/** One mutation, as it is announced: an event about the requested record and the rows that changed with it. */
export interface Mutation {
  readonly object: string;
  readonly action: MutationAction;
  /** Primary key of the requested record. */
  readonly key: string | number;
  /** Context of the record, its URI and parent afterwards (before, when it is gone); null where it has none. */
  readonly context: string | null;
  readonly uri: string | null;
  readonly parent: number | null;
  /** The requested row first, then descendants and other rows that changed with it. */
  readonly rows: readonly RowChange[];
}
