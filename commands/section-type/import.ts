/** `hcd section-type import FILE`: adds or replaces section types. */
import { fileValue } from '../../src/config/value-type.js';
import { type ImportedType, importSectionTypes } from '../../src/pages/authoring/change-section-types.js';
import { defineCommand } from '../command.js';
import { required, toggle } from '../parameters.js';
import { readJsonFile } from '../read-file.js';

const columns = ['key', 'version', 'replaced_version', 'outcome'];

export const command = defineCommand({
  path: 'section-type import',
  summary: 'Add or replace section types from a file',
  description:
    'Reads one definition or an array of definitions as JSON: {"key", "version", "label", "category", "fields": [{"name", "type", "label", "required"}], "template", "availability", "thumbnail"}. All definitions and their templates are checked and all problems are reported together; either all definitions are imported or none. A definition replaces the section type with the same key, even a shipped one, and published pages use it within one second. To restore a shipped type, import its unchanged definition.',
  arguments: {
    file: required(fileValue, { placeholder: 'FILE', description: 'JSON file, or - for standard input' }),
  },
  options: { dryRun: toggle('Check the definitions without importing them') },
  examples: [
    { line: 'section-type import types.json', does: 'Import the section types in a file' },
    { line: 'section-type import types.json --dry-run --json', does: 'Check a file and print the changes as JSON' },
  ],
  async run({ file, dryRun }, deps) {
    const given = await readJsonFile(file, deps);
    const store = await deps.openReady();
    const types = await importSectionTypes(store, { given, by: 'cli', dryRun });
    const rows = types.map(({ key, version, replaced, outcome }) => ({
      key,
      version,
      replaced_version: replaced,
      outcome,
    }));
    const notes = [...types.flatMap(olderNote), ...(dryRun ? ['Nothing was changed.'] : [])];
    return { kind: 'list', columns, rows, notes, empty: 'The file contains no section types.' };
  },
});

/** Documents name the version that they were made with. */
function olderNote({ key, version, replaced }: ImportedType): readonly string[] {
  if (replaced === null || version >= replaced) return [];
  return [
    `${key} changes from version ${replaced} to the older version ${version}: sections of the newer version can no longer be saved.`,
  ];
}
