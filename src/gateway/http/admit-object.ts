/**
 * The flags of a definition: what no caller may do with its records, whatever scope it holds
 * (docs/reference/gateway.md#definitions).
 */
import type { Access } from '../../access/access.js';
import type { ObjectDefinition, Registry } from '../../content/objects/definition.js';
import { AppError } from '../../errors/app-error.js';

type Action = Extract<Access, { kind: 'object_scope' }>['action'];

const flags: Readonly<Record<Action, (definition: ObjectDefinition) => boolean>> = {
  read: ({ readable }) => readable,
  create: ({ creatable }) => creatable,
  update: ({ updatable }) => updatable,
  delete: ({ deletable }) => deletable,
};

const words: Readonly<Record<Action, string>> = {
  read: 'read',
  create: 'created',
  update: 'changed',
  delete: 'removed',
};

/** Throws scope_denied where the object in the path does not allow the action of the route. */
export function admitObject(
  registry: Registry,
  { access, params }: { readonly access: Access; readonly params: Readonly<Record<string, string>> },
): void {
  if (access.kind !== 'object_scope') return;
  const definition = registry.get(params['name'] ?? '');
  if (definition === undefined || flags[access.action](definition)) return;
  throw new AppError('scope_denied', {
    message: `Insufficient permissions: records of ${definition.name} cannot be ${words[access.action]}`,
  });
}
