/** A request to write a record: who asks for what, what the write works with, and how the answer is made. */

import type { Tx } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import type { LiveSnapshot } from '../live/live-state.js';
import type { ObjectDefinition, Registry } from '../objects/definition.js';
import type { Caller } from '../query/authorize.js';
import type { RowPlan } from '../query/plan.js';
import type { Predicate } from '../query/predicate.js';
import type { ContentReader } from '../reading/content-reader.js';
import type { Truncated } from '../reading/includes.js';
import type { FoundRow, RecordJson } from '../reading/select-rows.js';
import type { MutationListeners, Seal } from './run-mutation.js';

export interface WriteRequest<T> {
  readonly writer: ContentWriter;
  readonly caller: Caller;
  readonly definition: ObjectDefinition;
  /** Context of the request, chosen and checked. */
  readonly context: string;
  /** The request itself names that context. */
  readonly namesContext: boolean;
  /** The rows of a context that the caller may read: the right to change a record does not include reading it. */
  readonly readable: (context: string) => Predicate;
  readonly seal: Seal<T> | null;
}

/** A record after a write. */
export interface WrittenRecord {
  readonly key: string | number;
  /**
   * With the relations and template variables that were asked for; for a caller who may not read the record its key and
   * the written fields as they were sent.
   */
  readonly record: RecordJson;
  readonly truncated: Truncated;
  /** All readable fields and nothing else: what a read without parameters gives. Null where the caller may not read it. */
  readonly bare: FoundRow | null;
}

export interface AnsweredWrite<T> extends WriteRequest<T> {
  /** What the answer shows of a record in a context. */
  readonly plan: (context: string) => RowPlan;
  /** Makes the result; runs in the transaction, so it must have no effect. */
  readonly present: (written: WrittenRecord) => T;
}

export interface TargetedWrite<T> extends WriteRequest<T> {
  readonly key: string | number;
  /**
   * Looks at the record before anything changes, all its readable fields (null where the caller may not read it); throws
   * to refuse. Null: the record may be as it is.
   */
  readonly precondition: ((current: FoundRow | null) => void) | null;
}

export interface Write {
  readonly tx: Tx;
  readonly writer: ContentWriter;
  readonly caller: Caller;
  /** Context of the request: where a new record goes that names none. */
  readonly context: string;
  /** The request itself names that context; false: it is the one of requests that name none. */
  readonly namesContext: boolean;
}

/** Reads within the transaction. */
export function readerOf({ tx, writer }: Pick<Write, 'tx' | 'writer'>): ContentReader {
  return { ...writer.reader, db: tx };
}

export interface ContentWriter {
  readonly store: Store;
  readonly registry: Registry;
  /** Reads back what was written; inside a transaction with the transaction instead of its database. */
  readonly reader: ContentReader;
  readonly live: () => LiveSnapshot;
  /** Milliseconds of the wall clock. */
  readonly now: () => number;
  readonly listeners: MutationListeners;
}
