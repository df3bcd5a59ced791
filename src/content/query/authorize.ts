/** The last two of the four checks (docs/reference/gateway.md#the-four-checks): content ACL and field policy. */

import {
  type AccessSnapshot,
  contextAllows,
  decideResourceGroups,
  hiddenCategories,
  hiddenTvs,
  type Principal,
  type ResourceGroupDecision,
} from '../../access/acl.js';
import { holdsScope, previewRights, type SessionPermissions } from '../../access/admit.js';
import type { Identity, PreviewIdentity } from '../../access/identity.js';
import { AppError, invalidField } from '../../errors/app-error.js';
import { perObject } from '../../values/kept-values.js';
import type { ListedTv } from '../models/template-variables.js';
import type { ObjectDefinition, Registry } from '../objects/definition.js';
import { usualContext } from '../rules/site-address.js';
import { all, equals, fieldRef, hasKey, oneOf, type Predicate } from './predicate.js';

export interface Caller {
  readonly identity: Identity;
  readonly principal: Principal;
  readonly snapshot: AccessSnapshot;
  readonly tvs: ReadonlyMap<string, ListedTv>;
  readonly sessions: SessionPermissions;
  /** False for a command whose input another person may have written. */
  readonly isTrusted?: boolean;
  readonly defaultContext: string;
  readonly allowedContexts: readonly string[];
  readonly contextExists: (context: string) => boolean;
  readonly resourceGroupsEnabled: (context: string) => boolean;
  readonly categoriesEnabled: (context: string) => boolean;
  readonly extendedColumns: boolean;
}

/** Throws validation_failed for a context that the caller may not use. */
export function chooseContext(caller: Caller, asked: string | null): string {
  const context = asked ?? usualContext(caller) ?? '';
  const problem = contextProblem(caller, context);
  if (problem !== null) throw invalidField('context', problem, 'Invalid context');
  return context;
}

/** Null for a context that is served, which may be closed to the caller. */
export function contextProblem(caller: Caller, context: unknown): string | null {
  const isServed = caller.allowedContexts.some((key) => key === context) && caller.contextExists(String(context));
  // The names of other contexts must not be revealed.
  return isServed ? null : `must be one of: ${usableContexts(caller).join(', ')}`;
}

export function usableContexts(caller: Caller): readonly string[] {
  return caller.allowedContexts.filter((context) => caller.contextExists(context) && mayUseContext(caller, context));
}

/** Needs the CMS right `load`, or the scope context.<key> (docs/gateway.md#contexts). */
export function mayUseContext(caller: Caller, context: string): boolean {
  const { identity } = caller;
  if (identity.kind === 'preview' && identity.context === context) return true;
  return (
    contextAllows(caller.snapshot, caller.principal, { context, permissions: ['load'] }) ||
    (identity.kind !== 'session' && holdsScope(identity, `context.${context}`, caller.sessions))
  );
}

export function checkContextAccess(caller: Caller, context: string): void {
  if (!mayUseContext(caller, context)) {
    throw new AppError('scope_denied', { message: `Insufficient permissions: no access to the context ${context}` });
  }
}

const deletedRights = ['preview', 'resources.update', 'resources.delete', 'view_unpublished', 'empty_recycle_bin'];

type Rights = Pick<Caller, 'identity' | 'sessions'>;

export function mayPreview(caller: Rights): boolean {
  return holdsAny(caller, previewRights);
}

export function maySeeDeleted(caller: Rights): boolean {
  return holdsAny(caller, deletedRights);
}

/** The CMS has a separate right for static resources, which send a file. */
export function mayWriteStatic({ identity, sessions }: Rights): boolean {
  return holdsScope(identity, identity.kind === 'session' ? 'new_static_resource' : 'resources.static', sessions);
}

export function mayWriteBindings({ identity, sessions, isTrusted = true }: Caller): boolean {
  return (
    isTrusted && holdsScope(identity, identity.kind === 'session' ? 'tv_bindings' : 'resources.bindings', sessions)
  );
}

function holdsAny({ identity, sessions }: Rights, rights: readonly string[]): boolean {
  return rights.some((right) => holdsScope(identity, right, sessions));
}

export function checkPreviewRights(
  caller: Caller,
  asked: { readonly preview: boolean; readonly includeDeleted: boolean },
): void {
  if (asked.preview && !mayPreview(caller)) {
    throw new AppError('scope_denied', { message: 'Insufficient permissions: preview needs the scope preview' });
  }
  if (asked.includeDeleted && !maySeeDeleted(caller)) {
    throw new AppError('scope_denied', {
      message:
        'Insufficient permissions: include_deleted needs one of the scopes preview, resources.update, resources.delete',
    });
  }
}

/** In definition order. Hidden fields never, protected ones with their scope. */
export function readableFields(definition: ObjectDefinition, caller: Rights): readonly string[] {
  const { fields, hidden, protected: guarded } = definition;
  return Object.keys(fields).filter(
    (name) => !hidden.includes(name) && (!guarded.includes(name) || mayReadProtected(name, caller)),
  );
}

function mayReadProtected(field: string, { identity, sessions }: Rights): boolean {
  if (identity.kind === 'session') {
    return sessions.holds(identity, `gateway_fields_${field}`) || sessions.holds(identity, 'gateway_fields_all');
  }
  return holdsScope(identity, `fields.${field}`, sessions);
}

export function offered(definition: ObjectDefinition, isExtended: boolean): ObjectDefinition {
  const { filterable = [], sortable = [] } = definition.extended;
  if (!isExtended || filterable.length + sortable.length === 0) return definition;
  return {
    ...definition,
    filterable: [...definition.filterable, ...filterable],
    sortable: [...definition.sortable, ...sortable],
  };
}

export function offeredObjects(registry: Registry, isExtended: boolean): Registry {
  const offer = (definition: ObjectDefinition): ObjectDefinition => offered(definition, isExtended);
  const objects = new Map([...registry.objects].map(([name, definition]) => [name, offer(definition)]));
  const resources = objects.get('resources') ?? registry.resources;
  return { objects, resources, elements: registry.elements.map(offer) };
}

export interface RowPolicy {
  readonly publishedOnly: boolean;
  readonly previewed: number | null;
  readonly hideDeleted: boolean;
  readonly context: string | null;
  readonly groups: ResourceGroupDecision;
  readonly hiddenCategories: ReadonlySet<number>;
  /** Keys of a context-gated object that may appear; null = the object is not context-gated. */
  readonly onlyContexts: readonly string[] | null;
}

/** docs/reference/storage.md#access-rules: a list needs load and list, a single row load and view. */
export function rowPolicy(
  definition: ObjectDefinition,
  caller: Caller,
  asked: {
    readonly context: string;
    readonly preview: boolean;
    readonly includeDeleted: boolean;
    readonly purpose: 'list' | 'read';
  },
): RowPolicy {
  const { visibility } = definition;
  const permissions = asked.purpose === 'list' ? ['load', 'list'] : ['load', 'view'];
  const shown = previewOf(definition, caller.identity, asked.context);
  return {
    publishedOnly: visibility.published !== undefined && !asked.preview && shown?.resource !== null,
    // A preview gets the lists of other callers, so that it costs as little as they do.
    previewed: asked.purpose === 'read' ? (shown?.resource ?? null) : null,
    hideDeleted: visibility.deleted !== undefined && !asked.includeDeleted,
    context: visibility.context === undefined ? null : asked.context,
    groups: visibility.resourceGroups
      ? decideResourceGroups(caller.snapshot, caller.principal, {
          context: asked.context,
          permissions,
          enabled: caller.resourceGroupsEnabled(asked.context),
        })
      : { protecting: [], granting: [] },
    hiddenCategories: visibility.category === undefined ? noCategories : closedCategories(caller, asked.context),
    onlyContexts: visibility.contextGated
      ? caller.allowedContexts.filter((context) => mayUseContext(caller, context))
      : null,
  };
}

function previewOf(definition: ObjectDefinition, identity: Identity, context: string): PreviewIdentity | null {
  const isMeant = identity.kind === 'preview' && identity.context === context && definition.name === 'resources';
  return isMeant ? identity : null;
}

const noCategories: ReadonlySet<number> = new Set();

function closedCategories(caller: Caller, context: string): ReadonlySet<number> {
  const { snapshot, principal } = caller;
  return hiddenCategories(snapshot, principal, { context, enabled: caller.categoriesEnabled(context) });
}

/** Whether the caller may see a template variable. */
export type TvPolicy = (tv: { readonly id: number; readonly category: number }) => boolean;

export function tvPolicy(caller: Caller, context: string): TvPolicy {
  const { snapshot, principal } = caller;
  const hidden = hiddenTvs(snapshot, principal, { context, enabled: caller.resourceGroupsEnabled(context) });
  const categories = closedCategories(caller, context);
  return ({ id, category }) => !hidden.has(id) && !categories.has(category);
}

/** In the order of the indexes: context, published, deleted first. */
export function visible(definition: ObjectDefinition, policy: RowPolicy): Predicate {
  const { visibility } = definition;
  const conditions: Predicate[] = [];
  const is = (field: string, value: string | number) => equals(fieldRef(definition, field), value);
  if (visibility.context !== undefined && policy.context !== null) {
    conditions.push(is(visibility.context, policy.context));
  }
  if (visibility.published !== undefined && policy.publishedOnly) {
    const published = is(visibility.published, 1);
    const { previewed } = policy;
    conditions.push(previewed === null ? published : { kind: 'any', of: [published, hasKey(definition, previewed)] });
  }
  if (visibility.deleted !== undefined && policy.hideDeleted) conditions.push(is(visibility.deleted, 0));
  const key = fieldRef(definition, definition.primaryKey);
  if (policy.onlyContexts !== null) {
    conditions.push(oneOf(key, policy.onlyContexts));
  }
  if (visibility.category !== undefined && policy.hiddenCategories.size > 0) {
    const ref = fieldRef(definition, visibility.category);
    conditions.push({ kind: 'in', ref, values: [...policy.hiddenCategories], negated: true });
  }
  if (policy.groups.protecting.length > 0) {
    conditions.push({ kind: 'resource_groups', ref: key, ...policy.groups });
  }
  return all(conditions);
}

/** Equal for callers that see the same content under the same settings and rights. */
export function rightsText({ identity, principal }: Pick<Caller, 'identity' | 'principal'>): string {
  // Most callers are anonymous. The other texts begin with a bracket.
  if (identity.kind === 'anonymous' && principal.userId === 0 && !principal.sudo) return identity.kind;
  return JSON.stringify([identity.kind, grantsOf(identity), groupsOf(principal)]);
}

function grantsOf(identity: Identity): string {
  if (identity.kind === 'preview') return `${identity.context} ${identity.resource ?? ''}`;
  return 'scopes' in identity ? [...identity.scopes].sort().join(' ') : '';
}

const groupsOf = perObject(({ userId, sudo, groups }: Principal): string => {
  if (sudo) return 'sudo';
  return userId === 0 ? '' : JSON.stringify([...groups].sort(([left], [right]) => left - right));
});
