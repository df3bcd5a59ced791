/** What the commands for resources share. */
import {
  type Editing,
  openEditing,
  updateResourceByHand,
  type WrittenResource,
} from '../../src/content/administration/edit-content.js';
import { AppError } from '../../src/errors/app-error.js';
import type { RecordResult } from '../command.js';
import type { Deps } from '../deps.js';
import { idValue, required, toggle } from '../parameters.js';

export const resourceParameter = required(idValue, { placeholder: 'ID', description: 'Id of the resource' });

export const eventsParameter = toggle('Send webhook events, as a change through the gateway does');

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

interface Target extends Writing {
  readonly id: number;
}

const shown = ['id', 'pagetitle', 'context_key', 'parent', 'alias', 'uri', 'published', 'deleted'];

export async function changeResource(
  target: Target,
  deps: Deps,
  body: Readonly<Record<string, unknown>>,
): Promise<RecordResult> {
  const editing = await openToEdit(deps, target);
  return writtenRecord(await updateResourceByHand(editing, { id: target.id, body }).catch(notFound(target.id)));
}

export async function openToEdit(deps: Deps, { events, trust = false }: Writing): Promise<Editing> {
  const { env, clock, log } = deps;
  return openEditing((await deps.openSite()).store, { env, clock, log, events, trust });
}

export function writtenRecord({ record, warnings }: WrittenResource): RecordResult {
  const notes = warnings.map(({ field, message }) => `Written, but ${field}: ${message}`);
  return { kind: 'record', record, fields: shown, notes };
}
