/** The tables that content depends on, in which other programs' changes are noticed. */
import type { Store } from '../../store/open/open.js';
import { categoryClosure } from '../models/access.js';
import { mediaSources } from '../models/elements.js';
import { tablesOfResources } from '../models/known-resources.js';
import { tvTemplates } from '../models/template-variables.js';
import type { Registry } from './definition.js';

/** Tables with prefix, except those of resources: the object that each holds, null if every answer may depend on it. */
export type ObjectTables = ReadonlyMap<string, string | null>;

export function objectTables({ prefix, tables }: Pick<Store, 'prefix' | 'tables'>, registry: Registry): ObjectTables {
  const objects = [...registry.objects.values()].filter((definition) => definition !== registry.resources);
  const found = [
    ...objects.map((one): [string, string | null] => [
      one.prefixed ? prefix + one.table : one.table,
      registry.elements.includes(one) ? null : one.name,
    ]),
    ...[tvTemplates, categoryClosure, mediaSources].map(({ table }): [string, null] => [prefix + table, null]),
  ];
  return new Map(found.filter(([name]) => tables.has(name)));
}

export function watchedTables(store: Pick<Store, 'prefix' | 'tables'>, registry: Registry): readonly string[] {
  const ofResources = tablesOfResources.map((name) => store.prefix + name).filter((name) => store.tables.has(name));
  return [...ofResources, ...objectTables(store, registry).keys()];
}
