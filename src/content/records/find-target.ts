/** Finds the row that a write changes, published or not (docs/reference/gateway.md#writes). */

import { AppError } from '../../errors/app-error.js';
import type { ObjectDefinition } from '../objects/definition.js';
import { type Caller, checkContextAccess, rowPolicy, visible } from '../query/authorize.js';
import { all, equals, fieldRef, hasKey } from '../query/predicate.js';
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
