/** The rows of a mutation as it announces them, before and after. */

import type { FieldValues, Mutation, MutationAction, RowChange } from '../live/mutation.js';
import { isResourceField, type ResourceField, type ResourceState } from '../models/resources.js';
import type { JsonValue } from '../objects/values.js';
import type { PlannedRows } from './planned-rows.js';
import type { ResourceWork } from './resource-write.js';

interface TwoStates {
  readonly before: ResourceState | null;
  readonly after: ResourceState | null;
}

export function toMutation(
  work: Pick<ResourceWork, 'announced'>,
  done: {
    readonly action: MutationAction;
    /** The requested resource. */
    readonly row: TwoStates;
    readonly rows: PlannedRows;
  },
): Mutation {
  const { action, row, rows } = done;
  const shown = row.after ?? row.before;
  const key = shown?.id ?? 0;
  const others = rows.changed().filter(({ after }) => after.id !== key);
  const names = work.announced.filter(isResourceField);
  return {
    object: 'resources',
    action,
    key,
    context: shown?.context_key ?? null,
    uri: shown?.uri ?? null,
    parent: shown?.parent ?? null,
    rows: [row, ...others].map((one) => toChange(one, names)),
  };
}

function toChange({ before, after }: TwoStates, names: readonly ResourceField[]): RowChange {
  return {
    object: 'resources',
    key: after?.id ?? before?.id ?? 0,
    before: before && pick(before, names),
    after: after && pick(after, names),
  };
}

function pick(row: ResourceState, names: readonly ResourceField[]): FieldValues {
  const values: Record<string, JsonValue> = {};
  // A loop: a branch has tens of thousands of rows, each announced twice.
  for (const name of names) values[name] = row[name];
  return values;
}
