/** `hcd section-type list`: list section types and their source. */
import { listSectionTypes, type SectionTypeView } from '../../src/pages/authoring/section-types.js';
import { defineSiteCommand, type JsonRecord } from '../command.js';
import { typeRecord } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Lists all section types. States: shipped (included in hcd), changed (this site replaces a shipped type), own (only this site has it), hidden (a shipped type that was removed) and unreadable (another version of hcd stored it, and this version cannot read it; its sections are not rendered). With --json each type also has the complete definitions of its fields in the form in which they are used, and the places where it is available.',
  examples: {
    'section-type list': 'List all section types',
    'section-type list --json': 'List all section types with their fields, as JSON',
  },
  async run(_options, deps) {
    const views = await listSectionTypes(deps.store.own.primary);
    return {
      kind: 'list',
      columns: ['key', 'version', 'label', 'category', 'state', 'changed_on', 'fields'],
      spare: ['fields', 'changed_on', 'category', 'version'],
      marks: { state: { unreadable: 'warning', hidden: 'past' } },
      rows: views.map((view) => (deps.flags.json ? { ...typeRecord(view), ...definitionsOf(view) } : typeRecord(view))),
    };
  },
});

/** Of an unreadable type nothing. */
function definitionsOf({ type }: SectionTypeView): JsonRecord {
  const { fields, availability } = type ?? { fields: [], availability: null };
  return JSON.parse(JSON.stringify({ definitions: fields, availability })) as JsonRecord;
}
