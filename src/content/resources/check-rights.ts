/**
 * Content rights of a mutation (docs/reference/storage.md#access-rules): the row's context, whether the caller may load
 * the row at all, and for callers that act for a user the rights that resource groups ask for. Scopes were checked
 * before.
 */
import { decideResourceGroups, groupsAllow } from '../../access/acl.js';
import { AppError } from '../../errors/app-error.js';
import { documentGroups } from '../models/access.js';
import type { ResourceState } from '../models/resources.js';
import { mayUseContext } from '../query/authorize.js';
import type { ResourceWork } from './resource-write.js';

/** Rights of a resource group policy. */
type ResourceRight = 'save' | 'publish' | 'delete' | 'undelete' | 'add_children';

/** Allowed by the setting, there, and open to the caller. */
export function isUsableContext({ caller }: ResourceWork, context: string): boolean {
  return caller.allowedContexts.includes(context) && caller.contextExists(context) && mayUseContext(caller, context);
}

/** Throws scope_denied: a mutation finds the row across contexts and then checks access to its context. */
export function checkRowContext(work: ResourceWork, context: string): void {
  if (isUsableContext(work, context)) return;
  throw new AppError('scope_denied', { message: `Insufficient permissions: no access to the context ${context}` });
}

/** Rights to one row: what its resource groups decide in the row's own context, wherever the request stands. */
export interface RowRights {
  /** Without it the row does not exist for the caller. */
  readonly mayLoad: boolean;
  /** Throws scope_denied. */
  check(right: ResourceRight): void;
}

export async function rightsTo(work: ResourceWork, row: Pick<ResourceState, 'id' | 'context_key'>): Promise<RowRights> {
  const { caller, tx, prefix } = work;
  const decide = (right: string) =>
    decideResourceGroups(caller.snapshot, caller.principal, {
      context: row.context_key,
      permissions: [right],
      enabled: caller.resourceGroupsEnabled(row.context_key),
    });
  const load = decide('load');
  // Most sites protect nothing: then no group of the row matters.
  const rows = load.protecting.length === 0 ? [] : await documentGroups.on(tx, prefix).lookUpAll({ document: row.id });
  const groups = rows.map((one) => one.document_group);
  return {
    mayLoad: groupsAllow(load, groups),
    check(right) {
      if (!actsForUser(work) || groupsAllow(decide(right), groups)) return;
      throw new AppError('scope_denied', {
        message: `Insufficient permissions: the resource groups of this resource do not grant ${right}`,
      });
    },
  };
}

/** Keys and tokens of no user have their scopes alone. */
function actsForUser({ caller: { identity } }: ResourceWork): boolean {
  return identity.kind !== 'anonymous' && identity.userId !== null;
}
