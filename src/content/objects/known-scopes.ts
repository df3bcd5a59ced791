/**
 * Every scope that a key or token can hold on a site (docs/reference/gateway.md#scopes). An unknown scope is refused when a
 * credential is created, because it may be a typing error.
 */
import { nearMatch } from '../../config/near-match.js';
import type { Store } from '../../store/open/open.js';
import { readContextKeys } from '../models/elements.js';
import { coreObjects } from './core-objects.js';
import type { ObjectDefinition, Registry } from './definition.js';

/** To create static resources and to change which file they send. */
export const staticScope = 'resources.static';

/** The flag of a definition that allows an action. */
const actions = { read: 'readable', create: 'creatable', update: 'updatable', delete: 'deletable' } as const;

/** All scopes: objects in order of registration, preview, contexts, protected fields, and `*` for everything. */
export function knownScopes(registry: Registry, contextKeys: readonly string[]): readonly string[] {
  const objects = [...registry.objects.values()];
  const fields = new Set(objects.flatMap((definition) => definition.protected));
  return Object.freeze([
    ...objects.flatMap(objectScopes),
    staticScope,
    'preview',
    ...contextKeys.map((key) => `context.${key}`),
    ...[...fields].map((field) => `fields.${field}`),
    '*',
  ]);
}

/** All scopes of a store. */
export async function siteScopes(store: Store, registry: Registry): Promise<readonly string[]> {
  return knownScopes(registry, await readContextKeys(store.content.primary, store.prefix));
}

/** Core objects have the scopes that their flags allow; extra objects have all four. */
function objectScopes(definition: ObjectDefinition): readonly string[] {
  const isCore = coreObjects.some(({ name }) => name === definition.name);
  const usable = Object.entries(actions).filter(([, flag]) => !isCore || definition[flag]);
  return usable.map(([action]) => `${definition.name}.${action}`);
}

/** The problem of a list of scopes, in one sentence with the accepted ones; null for a good list. */
export function scopesProblem(scopes: readonly string[], known: readonly string[]): string | null {
  const accepted = `Accepted scopes: ${known.join(', ')}`;
  if (scopes.length === 0) return `A key needs at least one scope. ${accepted}`;
  const unknown = [...new Set(scopes)].filter((scope) => !known.includes(scope));
  if (unknown.length === 0) return null;
  const hints = unknown.map((scope) => {
    const near = nearMatch(scope, known);
    return `There is no scope ${scope}${near === undefined ? '.' : `; did you mean ${near}?`}`;
  });
  return `${hints.join(' ')} ${accepted}`;
}
