/** `hcd section-type list`: what sections pages can be made of. */
import { listSectionTypes } from '../../src/pages/authoring/section-type-view.js';
import { defineCommand } from '../command.js';
import type { Marks } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { typeRecord } from './type-record.js';

const columns = ['key', 'version', 'label', 'category', 'state', 'changed_on', 'fields'];

const spare = ['fields', 'changed_on', 'category', 'version'];

const marks: Marks = { state: { unreadable: 'warning', hidden: 'past' } };

export const command = defineCommand({
  path: 'section-type list',
  summary: 'List section types and where they come from',
  description:
    'Lists every section type: shipped (as it comes with the program), changed (a definition of this site replaces a shipped one), own (of this site alone), hidden (a shipped type that was removed) and unreadable (stored by another version of the program in a form that this one refuses; its sections cannot be rendered).',
  arguments: {},
  options: {},
  examples: [
    { line: 'section-type list', does: 'Show all section types' },
    { line: 'section-type list --json', does: 'Read them with their fields, for a script' },
  ],
  async run(_options, deps) {
    const store = await openReady(deps);
    const views = await listSectionTypes(store.own.primary);
    return { kind: 'list', columns, spare, marks, rows: views.map(typeRecord) };
  },
});
