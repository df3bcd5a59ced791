/** `hcd section-type remove`: remove a section type, or hide a shipped one. */
import {
  type RemovalOutcome,
  type RemovedType,
  removeSectionType,
} from '../../src/pages/authoring/change-section-types.js';
import { loadSectionType } from '../../src/pages/authoring/section-types.js';
import { defineSiteCommand, type Notes } from '../command.js';
import { toggle } from '../parameters.js';
import { keyParameter } from './shared.js';

const messages: Readonly<Record<RemovalOutcome, string>> = {
  deleted: 'Removed section type KEY.',
  hidden: 'Hid the shipped section type KEY.',
  'shipped again': 'Removed the definition of this site. The shipped section type KEY applies again.',
  'was hidden': 'KEY is already hidden; nothing to do.',
};

export const command = defineSiteCommand({
  description:
    'Removes a section type of this site. When it replaced a shipped type, the shipped type applies again. A shipped type is hidden. A type that pages use, in a draft or a publication, is removed only with --force: its sections are no longer rendered, and drafts that contain it cannot be saved.',
  arguments: { key: keyParameter },
  options: { force: toggle('Remove the type even when pages use it') },
  examples: {
    'section-type remove stats': 'Hide a shipped type',
    'section-type remove price_list --force --yes': 'Remove a type that pages use, without confirmation',
  },
  destructive: {},
  async run({ key, force }, deps) {
    await deps.confirm(async () => {
      const { state } = await loadSectionType(deps.store.own.primary, key);
      return state === 'hidden' ? null : `Remove the ${state} section type ${key}?`;
    });
    const removed = await removeSectionType(deps.store, { key, force, by: deps.writer });
    const data = { key, outcome: removed.outcome, pages: [...removed.uses] };
    return { kind: 'done', message: messages[removed.outcome].replace('KEY', key), data, notes: notesOf(removed) };
  },
});

function notesOf({ key, outcome, uses }: RemovedType): Notes {
  const users = uses.length === 1 ? '1 page has' : `${uses.length} pages have`;
  return [
    uses.length > 0 && `${users} sections that can no longer be rendered.`,
    outcome === 'hidden' && `To restore it: hcd section-type show ${key} --definition | hcd section-type import -`,
  ];
}
