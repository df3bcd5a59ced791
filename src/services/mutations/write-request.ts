/** What every write service is given: who asks for what, and how the answer is made of the record as it is then. */
import type { Caller } from '../../access/authorize.js';
import type { ObjectDefinition } from '../../objects/definition.js';
import type { RowPlan } from '../../query/plan.js';
import type { FoundRecord } from '../read-record.js';
import type { FoundRow } from '../select-rows.js';
import type { ContentWriter } from './content-writer.js';
import type { Seal } from './run-mutation.js';

export interface WriteRequest<T> {
  readonly writer: ContentWriter;
  readonly caller: Caller;
  readonly definition: ObjectDefinition;
  /** Context of the request, chosen and checked. */
  readonly context: string;
  /** The request itself names that context. */
  readonly namesContext: boolean;
  readonly seal: Seal<T> | null;
}

/** A record after a write. */
export interface WrittenRecord {
  /** With the relations and template variables that were asked for. */
  readonly found: FoundRecord;
  /** All readable fields and nothing else: what a read without parameters gives. */
  readonly bare: FoundRow;
}

export interface AnsweredWrite<T> extends WriteRequest<T> {
  /** What the answer shows of a record in a context. */
  readonly plan: (context: string) => RowPlan;
  /** Makes the result; runs in the transaction, so it must have no effect. */
  readonly present: (written: WrittenRecord) => T;
}

export interface TargetedWrite<T> extends WriteRequest<T> {
  readonly key: string | number;
  /** Looks at the record before anything changes, all its readable fields; throws to refuse. Null: it may be as it is. */
  readonly precondition: ((current: FoundRow) => void) | null;
}
