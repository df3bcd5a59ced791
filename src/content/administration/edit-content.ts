/** Content as an administrator changes it: by the rules of the gateway, with every right. */
import type { Store } from '../../store/open/open.js';
import { bumpContentGeneration } from '../../store/state/state.js';
import type { JsonObject } from '../../values/json.js';
import { followMutations } from '../indexing/keep-indexes.js';
import { type Administration, type AdministrationOptions, openAdministration } from '../live/administrator.js';
import { type ChangesReading, readChanges, type WritePurpose } from '../mutations/read-changes.js';
import type { AnsweredWrite, ContentWriter, WrittenRecord } from '../mutations/run-mutation.js';
import { chooseContext } from '../query/authorize.js';
import { planWritten } from '../query/plan.js';
import { all } from '../query/predicate.js';
import { createRecord, removeRecord, updateRecord } from '../records/write-records.js';
import { everything, findKey, keyNamed } from './browse-content.js';

export type WrittenByHand = Pick<WrittenRecord, 'record' | 'warnings'>;

export interface Editing extends Administration {
  readonly writer: ContentWriter;
}

interface EditingOptions extends AdministrationOptions {
  readonly events: boolean;
  /** False refuses values that the CMS evaluates, because others may have written them. */
  readonly trust: boolean;
  readonly filesDir?: string;
}

export async function openEditing(store: Store, options: EditingOptions): Promise<Editing> {
  const admin = await openAdministration(store, options);
  const writer: ContentWriter = {
    store,
    registry: admin.reader.registry,
    reader: options.filesDir === undefined ? admin.reader : { ...admin.reader, filesDir: options.filesDir },
    live: () => admin.live,
    now: options.clock.now,
    listeners: followMutations(store, admin.reader.registry, options),
  };
  return { ...admin, caller: { ...admin.caller, isTrusted: options.trust }, writer };
}

/** Throws validation_failed with every problem of every field. */
export async function createResourceByHand(editing: Editing, body: JsonObject): Promise<WrittenByHand> {
  const reading = readBody(editing, await withIds(editing, body), 'create');
  if (!reading.ok) throw reading.problem;
  return createRecord(answered(editing), reading.value);
}

/** Throws not_found, validation_failed, conflict. */
export async function updateResourceByHand(
  editing: Editing,
  { id, body }: { readonly id: number; readonly body: JsonObject },
): Promise<WrittenByHand> {
  const reading = readBody(editing, await withIds(editing, body), 'update');
  return updateRecord({ ...answered(editing), key: id, precondition: null }, reading);
}

const named = {
  template: { object: 'templates', singular: 'template', nameField: 'templatename' },
  parent: { object: 'resources', singular: 'resource', nameField: 'uri' },
};

async function withIds(editing: Editing, body: JsonObject): Promise<JsonObject> {
  const ids: Record<string, unknown> = {};
  for (const [field, kind] of Object.entries(named)) {
    const idOrName = body[field];
    if (typeof idOrName !== 'string' || /^-?\d*$/.test(idOrName)) continue;
    ids[field] = await keyNamed(editing, { ...kind, idOrName }, field);
  }
  return { ...body, ...ids };
}

/** The id of the resource with an address, of any context. Throws not_found, refused for an address in two contexts. */
export async function resourceIdAt(admin: Administration, uri: string): Promise<number> {
  return Number(await findKey(admin, { ...named.parent, idOrName: uri }));
}

/** Marks the resource and its descendants as deleted, or with `force` removes its row. Throws not_found, conflict. */
export function removeResourceByHand(
  editing: Editing,
  { id, force }: { readonly id: number; readonly force: boolean },
): Promise<{ readonly key: string | number; readonly permanent: boolean }> {
  return removeRecord({ ...asked(editing), key: id, precondition: null, force, present: (removed) => removed });
}

function readBody({ writer, caller }: Editing, body: unknown, purpose: WritePurpose): ChangesReading {
  return readChanges(body, { definition: writer.registry.resources, caller, purpose });
}

function asked({ writer, caller }: Editing) {
  const definition = writer.registry.resources;
  const context = chooseContext(caller, null);
  return { writer, caller, definition, context, namesContext: false, readable: () => all([]), seal: null };
}

function answered(editing: Editing): AnsweredWrite<WrittenByHand> {
  const { writer, caller } = editing;
  const input = { definition: writer.registry.resources, registry: writer.registry, caller };
  return {
    ...asked(editing),
    plan: (context) => planWritten(everything, { ...input, context }),
    present: ({ record, warnings }) => ({ record, warnings }),
  };
}

/** A generation without a row in the log of changes makes each process drop all its kept answers. */
export async function clearAnswers({ own }: Pick<Store, 'own'>): Promise<void> {
  await own.write(bumpContentGeneration);
}
