/** Elements as an administrator changes them: references by id or name, events and indexes as for resources. */
import { invalidField } from '../../errors/app-error.js';
import type { JsonObject } from '../../values/json.js';
import { categoryField, type ElementKind, joinedKind, kindNamed } from '../elements/element-kinds.js';
import type { ElementUser } from '../elements/element-users.js';
import type { ElementChange, ElementKey, ElementWrite } from '../elements/element-work.js';
import { removeElement } from '../elements/remove-element.js';
import { createElement, updateElement } from '../elements/write-element.js';
import { indexNow } from '../indexing/keep-indexes.js';
import type { RecordChanges } from '../live/mutation.js';
import { readChanges, type WritePurpose } from '../mutations/read-changes.js';
import { runMutation } from '../mutations/run-mutation.js';
import { findKey, keyNamed, showElement } from './browse-content.js';
import type { Editing, WrittenByHand } from './edit-content.js';

/** Throws validation_failed with every problem of every field. */
export async function createElementByHand(
  editing: Editing,
  kind: ElementKind,
  body: JsonObject,
): Promise<WrittenByHand> {
  const { values } = await readBody(editing, { kind, body, purpose: 'create' });
  const { mutation } = await run(editing, (write) => createElement(write, kind, values));
  const { caller } = editing;
  // A new context is not among those that the caller began with.
  const allowedContexts = [...caller.allowedContexts, String(mutation.key)];
  const seeing = { ...editing, caller: { ...caller, allowedContexts, contextExists: () => true } };
  const record = await showElement(seeing, { kind, idOrName: String(mutation.key) });
  return { record, warnings: mutation.warnings ?? [] };
}

interface Named {
  readonly kind: ElementKind;
  readonly idOrName: string;
}

/** Throws not_found, refused for an ambiguous name, validation_failed. */
export async function updateElementByHand(
  editing: Editing,
  { kind, idOrName, body }: Named & { readonly body: JsonObject },
): Promise<WrittenByHand> {
  const key = await findKey(editing, { ...kind, idOrName });
  const { values } = await readBody(editing, { kind, body, purpose: 'update' });
  const { mutation } = await run(editing, (write) => updateElement(write, { kind, key, values }));
  const record = await showElement(editing, { kind, idOrName: String(key) });
  return { record, warnings: mutation.warnings ?? [] };
}

/** Throws not_found, refused for an ambiguous name, conflict for what the site needs or uses. */
export async function removeElementByHand(
  editing: Editing,
  { kind, idOrName, force }: Named & { readonly force: boolean },
): Promise<{ readonly key: ElementKey; readonly users: readonly ElementUser[] }> {
  const key = await findKey(editing, { ...kind, idOrName });
  const { users } = await run(editing, (write) => removeElement(write, { kind, key, force }));
  return { key, users };
}

async function run<T extends ElementChange>(
  { writer, caller }: Editing,
  work: (write: ElementWrite) => Promise<T>,
): Promise<T> {
  const { store, listeners } = writer;
  const change = await runMutation<T>({
    ...{ store, listeners, seal: null },
    async work(tx) {
      const result = await work({ tx, writer, caller });
      return { mutation: { ...result.mutation, touched: result.resources }, result };
    },
  });
  await indexNow(store, { ids: change.resources, source: 'hcd' });
  return change;
}

async function readBody(
  editing: Editing,
  { kind, body, purpose }: { readonly kind: ElementKind; readonly body: JsonObject; readonly purpose: WritePurpose },
): Promise<RecordChanges> {
  const { caller } = editing;
  const reading = readChanges(await withIds(editing, kind, body), { definition: kind.written, caller, purpose });
  if (!reading.ok) throw reading.problem;
  return reading.value;
}

async function withIds(editing: Editing, kind: ElementKind, body: JsonObject): Promise<JsonObject> {
  const ids: Record<string, unknown> = {};
  const field = categoryField(kind);
  const category = field === undefined ? undefined : body[field];
  if (field !== undefined && typeof category === 'string') {
    const isRoot = category === '' || category === '0';
    ids[field] = isRoot ? 0 : await keyNamed(editing, { ...kindNamed('categories'), idOrName: category }, field);
  }
  const joined = joinedKind(kind);
  const given = kind.join === null ? undefined : body[kind.join];
  if (kind.join === null || joined === undefined || given === undefined) return { ...body, ...ids };
  const isList = Array.isArray(given) && given.every((one) => typeof one === 'string' || typeof one === 'number');
  if (!isList) throw invalidField(kind.join, `must be a list of ids or names of ${joined.object}`);
  const found: unknown[] = [];
  for (const one of given) found.push(await keyNamed(editing, { ...joined, idOrName: String(one) }, kind.join));
  return { ...body, ...ids, [kind.join]: found };
}
