/** What the commands for resources share: the id, the change of a resource and its result. */
import { integerValue } from '../../src/config/value-type.js';
import { type Editing, openEditing, updateResourceByHand } from '../../src/content/administration/edit-content.js';
import { AppError } from '../../src/errors/app-error.js';
import type { Deps } from '../deps.js';
import type { JsonRecord, RecordResult } from '../result.js';

/** Ids are numbers of the database: 32 bits. */
export const idValue = integerValue({ min: 1, max: 4_294_967_295 });

/** Names the resource that is missing; returns other errors unchanged. */
export function nameMissing(error: unknown, id: number): unknown {
  const isMissing = error instanceof AppError && error.code === 'not_found';
  return isMissing ? new AppError('not_found', { message: `Resource ${id} does not exist`, cause: error }) : error;
}

export interface Target {
  readonly id: number;
  readonly events: boolean;
}

/** What people want to see of a resource that they have just written; JSON has every field. */
const shown = ['id', 'pagetitle', 'context_key', 'parent', 'alias', 'uri', 'published', 'deleted'];

export async function changeResource(
  target: Target,
  deps: Deps,
  body: Readonly<Record<string, unknown>>,
): Promise<RecordResult> {
  const editing = await openToEdit(deps, target);
  const written = await updateResourceByHand(editing, { id: target.id, body }).catch((error: unknown) => {
    throw nameMissing(error, target.id);
  });
  return writtenRecord(written);
}

export async function openToEdit(deps: Deps, { events }: { readonly events: boolean }): Promise<Editing> {
  return openEditing(await deps.openReady(), { env: deps.env, clock: deps.clock, log: deps.log, events });
}

export function writtenRecord(written: JsonRecord): RecordResult {
  return { kind: 'record', record: written, fields: shown };
}
