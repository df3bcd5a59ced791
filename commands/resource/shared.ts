/** What the commands for resources share. */
import {
  type Editing,
  openEditing,
  resourceIdAt,
  updateResourceByHand,
  type WrittenByHand,
} from '../../src/content/administration/edit-content.js';
import type { Administration } from '../../src/content/live/administrator.js';
import { AppError } from '../../src/errors/app-error.js';
import type { Notes, RecordResult } from '../command.js';
import type { Deps } from '../deps.js';
import { idValue, type Readable, required } from '../parameters.js';
import { writtenRecord } from '../whole-object.js';

/** Digits are always an id. */
const idOrUriValue: Readable<number | string> = {
  kind: 'text',
  accepts: 'an id or URI',
  parse: (text) => (/^-?\d*$/.test(text) ? idValue.parse(text) : { ok: true, value: text }),
};

export const resourceParameter = required(idOrUriValue, 'Id or URI of the resource', { placeholder: 'ID_OR_URI' });

export async function resourceId(admin: Administration, idOrUri: number | string): Promise<number> {
  return typeof idOrUri === 'number' ? idOrUri : resourceIdAt(admin, idOrUri);
}

export function notFound(id: number): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    throw new AppError('not_found', { message: `There is no resource ${id}`, cause: error });
  };
}

interface Writing {
  readonly events: boolean;
  readonly trust?: boolean;
}

const shown = ['id', 'pagetitle', 'context_key', 'parent', 'alias', 'uri', 'published', 'deleted'];

export async function changeResource(
  target: Writing & { readonly id: number | string },
  deps: Deps,
  body: Readonly<Record<string, unknown>>,
): Promise<RecordResult> {
  const editing = await openToEdit(deps, target);
  const id = await resourceId(editing, target.id);
  return writtenResource(await updateResourceByHand(editing, { id, body }).catch(notFound(id)));
}

export async function openToEdit(deps: Deps, { events, trust = false }: Writing): Promise<Editing> {
  const { env, clock, log } = deps;
  const { store } = await deps.openSite();
  const place = store.kind === 'own' ? { filesDir: deps.loadConfig().config.files_dir } : {};
  return openEditing(store, { env, clock, log, events, trust, ...place });
}

export function writtenResource(written: WrittenByHand, notes?: Notes): RecordResult {
  return writtenRecord(written, { fields: shown, notes });
}
