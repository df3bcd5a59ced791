/** Removes a section type for `hcd section-type remove`. */
import {
  type RemovalOutcome,
  type RemovedType,
  removeSectionType,
} from '../../src/pages/authoring/remove-section-type.js';
import { loadSectionType } from '../../src/pages/authoring/section-type-view.js';
import { confirmChange } from '../confirm.js';
import type { Deps } from '../deps.js';
import type { DoneResult } from '../result.js';
import { openReady } from '../store/open-ready.js';

export interface RemoveOptions {
  readonly key: string;
  readonly force: boolean;
}

const messages: Readonly<Record<RemovalOutcome, string>> = {
  deleted: 'Removed section type',
  hidden: 'Hid the shipped section type',
  'shipped again': 'Removed the definition of this site; the shipped one is in force again:',
  'was hidden': 'Nothing to do: hidden already is',
};

export async function runRemove({ key, force }: RemoveOptions, deps: Deps): Promise<DoneResult> {
  const store = await openReady(deps);
  if (deps.prompt.isInteractive) {
    const { state } = await loadSectionType(store.own.primary, key);
    if (state !== 'hidden') await confirmChange(deps, `Remove the ${state} section type ${key}?`);
  }
  const removed = await removeSectionType(store, { key, force, by: 'cli' });
  const data = { key, outcome: removed.outcome, pages: [...removed.uses] };
  return { kind: 'done', message: `${messages[removed.outcome]} ${key}.`, data, notes: notesOf(removed) };
}

function notesOf({ key, outcome, uses }: RemovedType): readonly string[] {
  const lost =
    uses.length === 0
      ? []
      : [`${uses.length === 1 ? 'One page has' : `${uses.length} pages have`} sections that cannot be rendered now.`];
  const back = `Bring it back: hcd section-type show ${key} --definition | hcd section-type import -`;
  return outcome === 'hidden' ? [...lost, back] : lost;
}
