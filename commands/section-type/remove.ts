/** `hcd section-type remove KEY`: takes a section type out of force. */
import {
  type RemovalOutcome,
  type RemovedType,
  removeSectionType,
} from '../../src/pages/authoring/remove-section-type.js';
import { loadSectionType } from '../../src/pages/authoring/section-type-view.js';
import { defineCommand } from '../command.js';
import { confirmChange } from '../confirm.js';
import { toggle } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { keyParameter } from './parameters.js';

const messages: Readonly<Record<RemovalOutcome, string>> = {
  deleted: 'Removed section type',
  hidden: 'Hid the shipped section type',
  'shipped again': 'Removed the definition of this site; the shipped one is in force again:',
  'was hidden': 'Nothing to do: hidden already is',
};

export const command = defineCommand({
  path: 'section-type remove',
  summary: 'Remove a section type, or hide a shipped one',
  description:
    'Removes a definition of this site; where it replaced a shipped one, that is in force again. A shipped type is hidden. A type that pages use, in their draft or in what is published, is refused without --force: their sections could no longer be rendered, and drafts with them could not be saved.',
  arguments: { key: keyParameter },
  options: { force: toggle('Remove it although pages use it') },
  examples: [
    { line: 'section-type remove stats', does: 'Hide a shipped type that nobody is to use' },
    { line: 'section-type remove price_list --force --yes', does: 'Remove a type whatever uses it' },
  ],
  destructive: {},
  async run({ key, force }, deps) {
    const store = await openReady(deps);
    if (deps.prompt.isInteractive) {
      const { state } = await loadSectionType(store.own.primary, key);
      if (state !== 'hidden') await confirmChange(deps, `Remove the ${state} section type ${key}?`);
    }
    const removed = await removeSectionType(store, { key, force, by: 'cli' });
    const data = { key, outcome: removed.outcome, pages: [...removed.uses] };
    return { kind: 'done', message: `${messages[removed.outcome]} ${key}.`, data, notes: notesOf(removed) };
  },
});

function notesOf({ key, outcome, uses }: RemovedType): readonly string[] {
  const lost =
    uses.length === 0
      ? []
      : [`${uses.length === 1 ? 'One page has' : `${uses.length} pages have`} sections that cannot be rendered now.`];
  const back = `Bring it back: hcd section-type show ${key} --definition | hcd section-type import -`;
  return outcome === 'hidden' ? [...lost, back] : lost;
}
