/** Rules for values of extra objects that concern other rows: references to other records, and contexts. */

import { AppError, invalidField, type Problems } from '../../errors/app-error.js';
import type { FieldValues } from '../live/mutation.js';
import { readerOf, type Write } from '../mutations/write-request.js';
import type { ObjectDefinition } from '../objects/definition.js';
import { type Caller, checkContextAccess, contextProblem, readableFields } from '../query/authorize.js';
import { columnRef, equals } from '../query/predicate.js';
import { type LoadedRow, selectRows } from '../reading/select-rows.js';
import { findTarget } from './find-target.js';

/** A missing record and one out of reach get the same text. Null, empty text and 0 refer to nothing. */
export async function checkReferences(
  write: Write,
  definition: ObjectDefinition,
  { values, problems }: { readonly values: FieldValues; readonly problems: Problems },
): Promise<void> {
  const reader = readerOf(write);
  for (const { type, foreignKey, localKey, target: name } of definition.relations) {
    const value = values[foreignKey];
    const target = type === 'to_one' ? reader.registry.get(name) : undefined;
    const field = target?.fields[localKey];
    if (!target || !field || (typeof value !== 'string' && typeof value !== 'number')) continue;
    if (value === '' || value === 0) continue;
    if (target.protected.includes(localKey) && !readableFields(target, write.caller).includes(localKey)) {
      problems.add(foreignKey, `needs the scope fields.${localKey}`, 'Field not writable');
      continue;
    }
    // As includes find it: text exactly, whatever the collation of the column.
    const [found] = await selectRows(reader, target, {
      needed: [target.primaryKey],
      where: equals(columnRef(field), value),
      limit: 1,
    });
    if (!found || !(await isInReach(write, target, found)))
      problems.add(foreignKey, `there is no record of ${name} with the ${localKey} ${value}`, 'Invalid field value');
  }
}

/** True if a change of the record itself would find it; that refusal would reveal more than a reference may. */
async function isInReach(write: Write, target: ObjectDefinition, row: LoadedRow): Promise<boolean> {
  const found = row.raw(target.primaryKey);
  const key = typeof found === 'number' ? found : String(found);
  const question = { definition: target, key, fields: [], hideDeleted: false, lock: false };
  try {
    await findTarget(readerOf(write), { ...question, caller: write.caller, context: write.context });
    return true;
  } catch (error) {
    if (error instanceof AppError && (error.code === 'not_found' || error.code === 'scope_denied')) return false;
    throw error;
  }
}

/** An unknown or forbidden context is refused with 422, one closed to the caller with 403. */
export function checkWrittenContext(caller: Caller, definition: ObjectDefinition, values: FieldValues): void {
  const field = definition.visibility.context;
  const context = field === undefined ? undefined : values[field];
  if (field === undefined || context === undefined) return;
  const problem = contextProblem(caller, context);
  if (problem !== null) throw invalidField(field, problem, 'Invalid context');
  checkContextAccess(caller, String(context));
  if (definition.contexts?.includes(String(context)) === false) {
    throw new AppError('scope_denied', {
      message: `Insufficient permissions: ${definition.name} has no records in the context ${context}`,
    });
  }
}
