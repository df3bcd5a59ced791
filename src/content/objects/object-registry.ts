/** Joins the definitions of extra objects with the tables of the open store: at start, and to check a single file. */

import { readTables } from '../../store/base/columns.js';
import type { Store } from '../../store/open/open.js';
import type { PlacedProblem } from '../../values/json-tree.js';
import type { Registry } from './definition.js';
import { describeObjects, type ObjectDescription } from './describe-objects.js';
import { checkObjectFile, loadObjects, loadRegistry, type ObjectSources } from './load-objects.js';
import type { RealTables } from './object-columns.js';
import { readObjectFile, readObjectFolder } from './object-folder.js';

/** The registry of a site, frozen; configuration_invalid names every offending line. */
export async function openRegistry(store: Store, sources: ObjectSources): Promise<Registry> {
  return loadRegistry(sources, await allTables(store));
}

export interface RegisteredObject extends ObjectDescription {
  /** File or plugin module that defines the object; null for what is part of the program. */
  readonly source: string | null;
}

/** Every object that a server would expose, with its origin; configuration_invalid names every offending line. */
export async function listRegisteredObjects(store: Store, sources: ObjectSources): Promise<RegisteredObject[]> {
  const { registry, origins } = await loadObjects(sources, await allTables(store));
  return describeObjects(registry).map((object) => ({ ...object, source: origins.get(object.name) ?? null }));
}

/**
 * Problems of one definition file, for `hcd object check`; empty when a start would accept it. Its relations may name
 * the objects of `folder`. Without a store only what shows in the file itself is checked.
 */
export async function checkDefinitionFile(
  path: string,
  beside: { readonly folder: string; readonly store: Store | null },
): Promise<readonly PlacedProblem[]> {
  const file = await readObjectFile(path);
  const { folder, store } = beside;
  const database = store === null ? null : await allTables(store);
  return checkObjectFile({ file, beside: await readObjectFolder(folder), database });
}

/** Extra objects may lie in tables without the content prefix, which the store does not keep. */
async function allTables({ content, prefix }: Store): Promise<RealTables> {
  return { tables: await readTables(content.primary, ''), prefix };
}
