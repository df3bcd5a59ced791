/** Content rights of a mutation (docs/reference/storage.md#access-rules). Scopes were checked before. */
import { decideResourceGroups, groupsAllow } from '../../access/acl.js';
import { AppError } from '../../errors/app-error.js';
import { documentGroups } from '../models/access.js';
import type { ResourceState } from '../models/resources.js';
import { usableContexts } from '../query/authorize.js';
import type { ResourceWork } from './resource-write.js';

type ResourceRight = 'save' | 'publish' | 'delete' | 'undelete' | 'add_children';

export function isUsableContext({ caller }: ResourceWork, context: string): boolean {
  return usableContexts(caller).includes(context);
}

/** A mutation finds the row across contexts and then checks access to its context. Throws scope_denied. */
export function checkRowContext(work: ResourceWork, context: string): void {
  if (isUsableContext(work, context)) return;
  throw new AppError('scope_denied', { message: `Insufficient permissions: no access to the context ${context}` });
}

/** Resource groups decide in the row's own context, not in the context of the request. */
export interface RowRights {
  readonly mayLoad: boolean;
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

/** Keys and tokens without a user have their scopes alone. */
function actsForUser({ caller: { identity } }: ResourceWork): boolean {
  return identity.kind !== 'anonymous' && identity.userId !== null;
}
