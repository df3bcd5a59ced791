/** Writes positions for `hcd position add|update|remove`. */

import { readLinks } from '../../src/banners/management/position-links.js';
import { addPosition, findPosition, removePosition, updatePosition } from '../../src/banners/management/positions.js';
import { confirmChange } from '../confirm.js';
import type { Deps } from '../deps.js';
import type { DoneResult, RecordResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { usageError } from '../usage-error.js';

const username = 'cli';

export async function runAdd(
  { name, contextKey = '' }: { readonly name: string; readonly contextKey: string | undefined },
  deps: Deps,
): Promise<RecordResult> {
  const position = await addPosition(await openReady(deps), { name, context_key: contextKey, username });
  const notes = [`Link banners to it: hcd position link ${position.id} BANNER`];
  return { kind: 'record', record: { ...position }, notes };
}

export interface UpdateOptions {
  readonly position: string;
  readonly name: string | undefined;
  readonly contextKey: string | undefined;
}

export async function runUpdate({ position, name, contextKey }: UpdateOptions, deps: Deps): Promise<RecordResult> {
  if (name === undefined && contextKey === undefined) {
    throw usageError({ '--name': 'is required when --context-key is not given: there is nothing to change' });
  }
  const store = await openReady(deps);
  const { id } = await findPosition(store, position);
  const changed = await updatePosition(store, {
    id,
    ...(name === undefined ? {} : { name }),
    ...(contextKey === undefined ? {} : { context_key: contextKey }),
    username,
  });
  return { kind: 'record', record: { ...changed } };
}

export async function runRemove({ position }: { readonly position: string }, deps: Deps): Promise<DoneResult> {
  const store = await openReady(deps);
  const { id, name } = await findPosition(store, position);
  const banners = (await readLinks(store, id)).length;
  await confirmChange(deps, `Remove position ${id} "${name}" with its links (banners: ${banners}) for good?`);
  await removePosition(store, { id, username });
  const message = `Removed position ${id} "${name}". Banners that were there: ${banners}.`;
  return { kind: 'done', message, data: { id, removed: true, banners } };
}
