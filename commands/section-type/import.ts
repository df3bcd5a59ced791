/** `hcd section-type import`: add or replace section types from a file. */
import { fileValue } from '../../src/config/value-type.js';
import { type ImportedType, importSectionTypes } from '../../src/pages/authoring/change-section-types.js';
import { defineCommand } from '../command.js';
import { required, toggle } from '../parameters.js';
import { readJsonFile } from '../read-file.js';

export const command = defineCommand({
  description:
    'Reads one definition or an array of definitions as JSON: {"key", "version", "label", "category", "fields": [{"name", "type", "label", "required"}], "template", "availability", "thumbnail"}. All definitions and their templates are checked and all problems are reported together; either all definitions are imported or none. A definition replaces the section type with the same key, even a shipped one, and published pages use it within one second. To restore a shipped type, import its unchanged definition.',
  arguments: {
    file: required(fileValue, 'JSON file, or - for standard input'),
  },
  options: { dryRun: toggle('Check the definitions without importing them') },
  examples: {
    'section-type import types.json': 'Import the section types in a file',
    'section-type import types.json --dry-run --json': 'Check a file and print the changes as JSON',
  },
  async run({ file, dryRun }, deps) {
    const given = await readJsonFile(file, deps);
    const { store } = await deps.openSite();
    const types = await importSectionTypes(store, { given, by: deps.writer, dryRun });
    return {
      kind: 'list',
      columns: ['key', 'version', 'replaced_version', 'outcome'],
      rows: types.map(({ replaced, ...type }) => ({ ...type, replaced_version: replaced })),
      notes: [...types.map(olderNote), dryRun && 'Nothing was changed.'],
      empty: 'The file contains no section types.',
    };
  },
});

/** Documents name the version that they were made with. */
function olderNote({ key, version, replaced }: ImportedType): string | false {
  if (replaced === null || version >= replaced) return false;
  return `${key} changes from version ${replaced} to the older version ${version}: sections of the newer version can no longer be saved.`;
}
