/** Changes fields of an element and keeps the others. */
import type { FieldValues } from '../live/mutation.js';
import { updateRows } from '../models/rows.js';
import type { Write } from '../mutations/write-request.js';
import { joinedResources, writeClosure, writeJoins } from './belonging-rows.js';
import { checkElement } from './check-element.js';
import type { ElementKind } from './element-kinds.js';
import {
  columnsOf,
  type ElementChange,
  type ElementKey,
  loadElement,
  mutationOf,
  startElement,
} from './element-work.js';

interface Change {
  readonly kind: ElementKind;
  readonly key: ElementKey;
  readonly values: FieldValues;
}

/** Throws not_found, validation_failed with every problem. */
export async function updateElement(
  write: Pick<Write, 'tx' | 'writer' | 'caller'>,
  { kind, key, values }: Change,
): Promise<ElementChange> {
  const work = startElement(write, kind);
  const before = await loadElement(work, key);
  const { primaryKey } = kind.definition;
  // Resources, settings and access rules name a context by its key.
  if ((values[primaryKey] ?? key) !== key) work.problems.add(primaryKey, 'cannot be changed');
  await checkElement(work, { values, before });
  const id = Number(key);
  const resources = await joinedResources(work, id);
  await updateRows(work.tx, { table: work.table.name, where: { [primaryKey]: key } }, columnsOf(work, values));
  if (kind.object === 'categories' && values['parent'] !== undefined) await writeClosure(work, id);
  await writeJoins(work, id, values);
  const after = await joinedResources(work, id);
  return { mutation: mutationOf(work, 'updated', key), resources: [...new Set([...resources, ...after])] };
}
