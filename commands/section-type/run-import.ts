/** Imports section types for `hcd section-type import`. */
import { type ImportedType, importSectionTypes } from '../../src/pages/authoring/import-section-types.js';
import type { Deps } from '../deps.js';
import { readJsonFile } from '../page/read-json-file.js';
import type { ListResult } from '../result.js';
import { openReady } from '../store/open-ready.js';

export interface ImportOptions {
  readonly file: string;
  readonly dryRun: boolean;
}

const columns = ['key', 'version', 'replaced_version', 'outcome'];

export async function runImport({ file, dryRun }: ImportOptions, deps: Deps): Promise<ListResult> {
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
}

/** Documents name the version that they were made with. */
function olderNote({ key, version, replaced }: ImportedType): readonly string[] {
  if (replaced === null || version >= replaced) return [];
  return [
    `${key} goes back from version ${replaced} to ${version}: sections of the later version cannot be saved again.`,
  ];
}
