/** Finds the row that a write changes, published or not (docs/reference/gateway.md#writes), and those it refers to. */
import { AppError, invalidField, type Problems } from '../../errors/app-error.js';
import type { FieldValues } from '../live/mutation.js';
import { readerOf, type Write } from '../mutations/run-mutation.js';
import type { ObjectDefinition } from '../objects/definition.js';
import {
  type Caller,
  checkContextAccess,
  contextProblem,
  readableFields,
  rowPolicy,
  visible,
} from '../query/authorize.js';
import { all, columnRef, equals, fieldRef, hasKey } from '../query/predicate.js';
import { type ContentReader, type LoadedRow, selectRows } from '../reading/select-rows.js';

interface TargetQuestion {
  readonly definition: ObjectDefinition;
  readonly key: string | number;
  readonly caller: Caller;
  readonly context: string;
  readonly fields: readonly string[];
  readonly hideDeleted: boolean;
  readonly lock: boolean;
}

export async function findTarget(reader: ContentReader, question: TargetQuestion): Promise<LoadedRow> {
  const { definition, caller } = question;
  const row = await selectTarget(reader, question);
  if (!row) throw new AppError('not_found');
  const { visibility } = definition;
  const context = visibility.context === undefined ? question.context : String(row.raw(visibility.context) ?? '');
  if (visibility.context !== undefined) {
    checkContextAccess(caller, context);
    if (!caller.allowedContexts.includes(context)) {
      throw new AppError('scope_denied', { message: `Insufficient permissions: the context ${context} is not served` });
    }
  }
  const policy = rowPolicy(definition, caller, { context, preview: true, includeDeleted: true, purpose: 'read' });
  if (policy.groups.protecting.length === 0 && policy.onlyContexts === null) return row;
  const seen = await selectRows(reader, definition, {
    needed: [definition.primaryKey],
    where: all([hasKey(definition, question.key), visible(definition, policy)]),
  });
  if (seen.length === 0) throw new AppError('not_found');
  return row;
}

async function selectTarget(reader: ContentReader, question: TargetQuestion): Promise<LoadedRow | undefined> {
  const { definition, hideDeleted, lock } = question;
  const { primaryKey, visibility } = definition;
  const needed = [primaryKey, ...question.fields, ...(visibility.context === undefined ? [] : [visibility.context])];
  const isKey = hasKey(definition, question.key);
  const { deleted } = visibility;
  const where = hideDeleted && deleted !== undefined ? all([isKey, equals(fieldRef(definition, deleted), 0)]) : isKey;
  const [row] = await selectRows(reader, definition, { needed, where, lock });
  return row;
}

/** A missing record and one out of reach get the same text. Null, empty text and 0 refer to nothing. */
export async function checkReferences(
  write: Write,
  definition: ObjectDefinition,
  { values, problems }: { readonly values: FieldValues; readonly problems: Problems },
): Promise<void> {
  const reader = readerOf(write);
  for (const { type, foreignKey, localKey, target: name } of definition.relations) {
    const value = values[foreignKey];
    const target = type === 'to_one' ? reader.registry.objects.get(name) : undefined;
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
