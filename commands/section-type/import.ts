/** `hcd section-type import FILE`: section types of the site. */
import { fileValue } from '../../src/config/value-type.js';
import { type ImportedType, importSectionTypes } from '../../src/pages/authoring/import-section-types.js';
import { defineCommand } from '../command.js';
import { readJsonFile } from '../page/read-json-file.js';
import { required, toggle } from '../parameters.js';
import { openReady } from '../store/open-ready.js';

const columns = ['key', 'version', 'replaced_version', 'outcome'];

export const command = defineCommand({
  path: 'section-type import',
  summary: 'Add or replace section types from a file',
  description:
    'Reads one definition or an array of them as JSON: {"key", "version", "label", "category", "fields": [{"name", "type", "label", "required"}], "template", "availability", "thumbnail"}. All are checked, templates included, with every problem told at once; either all are taken in or none. A type of a key that is there takes its place, a shipped one too; pages that are published are rendered by it within a second. A definition that is the same as the shipped one brings that back.',
  arguments: {
    file: required(fileValue, { placeholder: 'FILE', description: 'The file, or - for standard input' }),
  },
  options: { dryRun: toggle('Check the definitions and change nothing') },
  examples: [
    { line: 'section-type import types.json', does: 'Put the section types of a file in force' },
    { line: 'section-type import types.json --dry-run --json', does: 'Check a file, for a script' },
  ],
  async run({ file, dryRun }, deps) {
    const given = await readJsonFile(file, deps);
    const store = await openReady(deps);
    const types = await importSectionTypes(store, { given, by: 'cli', dryRun });
    const rows = types.map(({ key, version, replaced, outcome }) => ({
      key,
      version,
      replaced_version: replaced,
      outcome,
    }));
    const notes = [...types.flatMap(olderNote), ...(dryRun ? ['Nothing was changed.'] : [])];
    return { kind: 'list', columns, rows, notes, empty: 'The file holds no section type.' };
  },
});

/** Documents name the version that they were made with. */
function olderNote({ key, version, replaced }: ImportedType): readonly string[] {
  if (replaced === null || version >= replaced) return [];
  return [
    `${key} goes back from version ${replaced} to ${version}: sections of the later version cannot be saved again.`,
  ];
}
