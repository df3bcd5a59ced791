/** The objects of exports and imports in the order in which they refer to one another. */
import { coreObjects } from '../../content/objects/core-objects.js';
import type { Registry } from '../../content/objects/definition.js';
import { bannerKinds } from './banner-kinds.js';
import { elementKinds } from './element-kinds.js';
import { extraKind } from './extra-kinds.js';
import type { Kind } from './kind.js';
import { pagesKind, sectionTypesKind } from './page-kinds.js';
import { peopleKinds } from './people-kinds.js';
import type { RecordKind } from './record-kind.js';
import { resourceKinds } from './resource-kinds.js';
import { tableKind } from './table-kind.js';

const { context_settings: contextSettings, ...elements } = elementKinds;
const beforeExtras: Readonly<Record<string, RecordKind>> = {
  ...peopleKinds,
  ...elements,
  ...resourceKinds,
  // Their values may be resources.
  context_settings: contextSettings,
};

/** Records that folders may have. */
export const recordKinds: Readonly<Record<string, RecordKind>> = beforeExtras;

export const contentTables: readonly string[] = Object.values(beforeExtras).map(({ table }) => table);

/** By `object` of a record; extra objects come from the registry. */
export function transferKinds(registry: Registry | null): ReadonlyMap<string, Kind> {
  const core = new Set(coreObjects.map(({ name }) => name));
  const extras = [...(registry?.objects.values() ?? [])].filter(({ name, readable }) => readable && !core.has(name));
  const kinds = [
    ...tableKinds(beforeExtras),
    ...tableKinds(Object.fromEntries(extras.map((one) => [one.name, extraKind(one)]))),
    sectionTypesKind,
    pagesKind,
    ...tableKinds(bannerKinds),
  ];
  return new Map(kinds.map((kind) => [kind.object, kind]));
}

function tableKinds(kinds: Readonly<Record<string, RecordKind>>): Kind[] {
  return Object.entries(kinds).map(([object, kind]) => tableKind(object, kind));
}
