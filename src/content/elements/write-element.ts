/** Creates an element with the rows that the content system gives a new one, and changes fields of one. */
import type { FieldValues } from '../live/mutation.js';
import { insertRow, updateRows } from '../models/rows.js';
import type { JsonValue } from '../objects/values.js';
import { joinedResources, openContext, spelled, writeClosure, writeJoins } from './belonging-rows.js';
import { checkElement } from './check-element.js';
import type { ElementKind } from './element-kinds.js';
import {
  columnsOf,
  type ElementChange,
  type ElementKey,
  type ElementWork,
  type ElementWrite,
  loadElement,
  mutationOf,
  startElement,
} from './element-work.js';

/** Throws validation_failed with every problem. */
export async function createElement(
  write: ElementWrite,
  kind: ElementKind,
  given: FieldValues,
): Promise<ElementChange> {
  const work = startElement(write, kind);
  await checkElement(work, { values: given, before: null });
  const values = { ...firstValues(work), ...given };
  const { tx, table } = work;
  const lastId = await insertRow(tx, table.name, columnsOf(work, values));
  const key = kind.definition.primaryKey === 'id' ? lastId : String(values[kind.definition.primaryKey]);
  if (kind.object === 'categories') await writeClosure(work, lastId);
  if (kind.object === 'contexts') await openContext(work, String(key));
  await writeJoins(work, lastId, values);
  return { mutation: mutationOf(work, 'created', key), resources: await joinedResources(work, lastId) };
}

function firstValues(work: ElementWork): FieldValues {
  const { kind, table } = work;
  const values: Record<string, JsonValue> = {};
  for (const [name, { type, nullable, column }] of Object.entries(kind.written.fields)) {
    if (name === kind.join || name === kind.definition.primaryKey || !table.columns.has(column)) continue;
    values[name] = nullable ? null : type === 'string' ? '' : type === 'boolean' ? false : 0;
  }
  const ofSource =
    kind.object === 'media_sources' ? { class_key: spelled(work, 'modFileMediaSource', 'Sources\\') } : {};
  return { ...values, ...kind.initial, ...ofSource };
}

interface Change {
  readonly kind: ElementKind;
  readonly key: ElementKey;
  readonly values: FieldValues;
}

/** Throws not_found, validation_failed with every problem. Other fields stay. */
export async function updateElement(write: ElementWrite, { kind, key, values }: Change): Promise<ElementChange> {
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
