/** `hcd import`: writes the records of an export, or of a folder, into the site. */
import { resolve } from 'node:path';
import { choiceValue, fileValue } from '../src/config/value-type.js';
import { escapeControls } from '../src/log/escape.js';
import type { FolderMemory } from '../src/operations/transfer/folder-entry.js';
import type { ImportCounts } from '../src/operations/transfer/import-records.js';
import { compareSite, importSite } from '../src/operations/transfer/transfer-site.js';
import { maintenanceLimits } from '../src/store/base/limits.js';
import { type DoneResult, defineCommand } from './command.js';
import type { Deps } from './deps.js';
import { limitHeapGrowth } from './heap.js';
import { watchFolder } from './import/watch-folder.js';
import { optional, required, toggle, usageError } from './parameters.js';
import { countOf } from './terminal-text.js';
import { type FolderFound, isFolder, withSource } from './transfer-source.js';

export const command = defineCommand({
  description:
    'Creates and updates the records of a file that hcd export wrote. Records are found by their names: resources by context and URI, elements by name. Values that a record leaves out stay as they are. Nothing is removed without --prune, and importing the file again changes nothing. Values are checked as the APIs check them; webhook events are not raised. Template variables that the content system evaluates are refused without --trust, because the author of a file could run code with them.\n\nRecords are written in transactions of up to 200. A problem is reported with its line and column: its transaction and the lines after it are not imported, earlier ones stay. With --atomic one transaction holds everything, and other writers wait until it ends.\n\nA path that ends in / or is a folder is read in the layout of Gitify: .gitify names the folders, each file holds a record. Such an import is always all or nothing. Ids of the files are kept unless another record has them; members that a file leaves out get their defaults; files of classes that a site does not keep are counted.',
  arguments: { file: required(fileValue, 'NDJSON file, folder with .gitify, or - for standard input') },
  options: {
    dryRun: toggle('Check the whole file and count the changes without making them'),
    atomic: toggle('Import everything or nothing'),
    trust: toggle('Import template variables that the content system evaluates, such as @CHUNK or @EVAL'),
    onConflict: optional(choiceValue(['skip', 'update', 'fail']), {
      placeholder: 'WHAT',
      description: 'What to do with a record that the site has with other values (default: update)',
    }),
    prune: toggle('Remove what the partitions of the folder do not have, after showing it'),
    watch: toggle('Import the folder again after each change of its files, until Ctrl-C'),
  },
  destructive: { when: { says: 'With --prune', holds: ({ prune, dryRun }) => prune && !dryRun } },
  examples: {
    'import site/ --watch': 'Follow a folder while you work in it',
    'import site.ndjson --dry-run': 'Check a file and count what would change',
    'import site/ --dry-run': 'Check a folder of Gitify',
    'import site.ndjson --atomic --on-conflict skip': 'Add what is missing, all or nothing',
  },
  async run({ file, dryRun, atomic, trust, onConflict = 'update', prune, watch }, deps) {
    const isOfFolder = isFolder(file, deps);
    for (const [flag, isGiven] of Object.entries({ '--prune': prune, '--watch': watch })) {
      if (isGiven && !isOfFolder) throw usageError({ [flag]: 'needs a folder, such as site/' });
    }
    if (watch && dryRun) throw usageError({ '--watch': 'imports: leave --dry-run out' });
    limitHeapGrowth(30);
    const site = await deps.openSite({ limits: maintenanceLimits });
    const target = { store: site.store, registry: await site.registry() };
    if (prune && !dryRun) await deps.confirm(() => askRemoval(deps, { file, target }));
    const memory: FolderMemory = new Map();
    const importOnce = async (): Promise<DoneResult> => {
      const removed: string[] = [];
      const onRemoved = (object: string, name: string) => removed.push(`Removed: ${object} ${name}.`);
      const how = { isDry: dryRun, isAtomic: atomic, isTrusted: trust, onConflict, by: 'cli' };
      const { result, found } = await withSource(
        deps,
        { file, doing: dryRun ? 'Checking' : 'Importing', ...(watch ? { memory } : {}) },
        (source) => importSite(target, { ...how, source, ...(prune ? { onRemoved } : {}) }),
      ).catch((error: unknown) => {
        // What was read is not imported.
        memory.clear();
        throw error;
      });
      return resultOf(result, { isDry: dryRun, found, removed });
    };
    const first = await importOnce();
    if (!watch) return first;
    if (!deps.flags.quiet) deps.io.stderr.write(`${first.message} Waiting for changes of ${file}, until Ctrl-C.\n`);
    await watchFolder(resolve(deps.cwd, file), deps, async () => {
      const { message, notes = [] } = await importOnce();
      const isSame = /^0 records created, 0 updated, \d{1,9} unchanged, 0 skipped\.$/.test(message);
      return isSame ? null : [...notes.filter((note) => String(note).startsWith('Removed')), message].join('\n');
    });
    return first;
  },
});

const mostShown = 50;

/** Null when there is nothing to remove. */
async function askRemoval(
  deps: Deps,
  { file, target }: { readonly file: string; readonly target: Parameters<typeof compareSite>[0] },
): Promise<string | null> {
  const gone: string[] = [];
  await withSource(deps, { file, doing: 'Comparing' }, (source) =>
    compareSite(target, { source, by: 'cli' }, async (differences) => {
      for await (const { action, object, key } of differences) if (action === 'remove') gone.push(`${object} ${key}`);
    }),
  );
  if (gone.length === 0) return null;
  const more = gone.length > mostShown ? `\n... and ${gone.length - mostShown} more` : '';
  deps.io.stderr.write(`${escapeControls(gone.slice(0, mostShown).join('\n'))}${more}\n`);
  return `Remove ${countOf(gone.length, 'record')} that the folder does not have?`;
}

function resultOf(
  counts: ImportCounts,
  about: { readonly isDry: boolean; readonly found: FolderFound | null; readonly removed: readonly string[] },
): DoneResult {
  const { isDry, found, removed } = about;
  const { created, updated, unchanged, skipped } = counts;
  const would = isDry ? 'would be ' : '';
  const gone = removed.length > 0 ? `, ${removed.length} removed` : '';
  const message = `${countOf(created, 'record')} ${would}created, ${updated} ${would}updated, ${unchanged} unchanged, ${skipped} skipped${gone}.`;
  if (found === null) return { kind: 'done', message, data: { ...counts } };
  const { ignored, losses } = found;
  const others = Object.entries(ignored).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const data = { ...counts, removed: removed.length, ignored: Object.fromEntries(others), left_out: losses.list };
  const note =
    others.length > 0 && `Not kept by a site: ${others.map(([name, count]) => `${count} ${name}`).join(', ')}.`;
  return { kind: 'done', message, data, notes: [...removed.slice(0, mostShown), ...losses.notes, note] };
}
