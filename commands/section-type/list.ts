/** `hcd section-type list`: the section types. */
import { listSectionTypes } from '../../src/pages/authoring/section-types.js';
import { defineCommand } from '../command.js';
import type { Marks } from '../result.js';
import { typeRecord } from './shared.js';

const columns = ['key', 'version', 'label', 'category', 'state', 'changed_on', 'fields'];

const spare = ['fields', 'changed_on', 'category', 'version'];

const marks: Marks = { state: { unreadable: 'warning', hidden: 'past' } };

export const command = defineCommand({
  path: 'section-type list',
  summary: 'List section types and their source',
  description:
    'Lists all section types. States: shipped (included in hcd), changed (this site replaces a shipped type), own (only this site has it), hidden (a shipped type that was removed) and unreadable (another version of hcd stored it, and this version cannot read it; its sections are not rendered).',
  arguments: {},
  options: {},
  examples: [
    { line: 'section-type list', does: 'List all section types' },
    { line: 'section-type list --json', does: 'List all section types with their fields, as JSON' },
  ],
  async run(_options, deps) {
    const store = await deps.openReady();
    const views = await listSectionTypes(store.own.primary);
    return { kind: 'list', columns, spare, marks, rows: views.map(typeRecord) };
  },
});
