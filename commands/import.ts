/** `hcd import`: writes the records of an export, or of a folder, into the site. */
import { EventEmitter, once } from 'node:events';
import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { choiceValue, fileValue } from '../src/config/value-type.js';
import { openEditing } from '../src/content/administration/edit-content.js';
import { AppError } from '../src/errors/app-error.js';
import { codeOf } from '../src/errors/disk-error.js';
import type { FolderFound, FolderMemory } from '../src/operations/transfer/folder-entry.js';
import type { ImportCounts } from '../src/operations/transfer/import-records.js';
import { importSite } from '../src/operations/transfer/transfer-site.js';
import { Warnings } from '../src/operations/transfer/warnings.js';
import { countOf, escapeControls } from '../src/values/text.js';
import { type DoneResult, defineCommand } from './command.js';
import type { Deps } from './deps.js';
import { optional, required, toggle, usageError } from './parameters.js';
import { isFolder, mostShown, openTransfer, removalQuestion, withSource } from './transfer-source.js';

export const command = defineCommand({
  description:
    'Creates and updates the records of a file that hcd export wrote. Records are found by their names: resources by context and URI, elements by name. Values that a record leaves out stay as they are. Nothing is removed without --prune, and importing the file again changes nothing. Values are checked as the APIs check them; webhook events are not raised. A value that breaks a rule of its template variable is imported with a warning, and so is one that names a missing picture, or a record that was edited later in the site. Template variables that the CMS evaluates are refused without --trust, because the author of a file could run code with them.\n\nRecords are written in transactions of up to 200. A problem is reported with its line and column: its transaction and the lines after it are not imported, earlier ones stay. With --atomic one transaction holds everything, and other writers wait until it ends.\n\nA path that ends in / or is a folder is read in the layout of Gitify: .gitify names the folders, each file holds a record. Such an import is always all or nothing. Ids of the files are kept unless another record has them; members that a file leaves out get their defaults; files of classes that a site does not keep are counted.',
  arguments: { file: required(fileValue, 'NDJSON file, folder with .gitify, or - for standard input') },
  options: {
    dryRun: toggle('Check the whole file and count the changes without making them'),
    atomic: toggle('Import everything or nothing'),
    trust: toggle('Import template variables that the CMS evaluates, such as @CHUNK or @EVAL'),
    strict: toggle('Refuse values that break a rule of their template variable, instead of a warning'),
    onConflict: optional(
      choiceValue(['skip', 'update', 'fail']),
      'What to do with a record that the site has with other values (default: update)',
      { placeholder: 'WHAT' },
    ),
    prune: toggle('Remove what the partitions of the folder do not have, after showing it'),
    force: toggle('With --prune, also remove what other records use'),
    allowOpenGroups: toggle('Import pages of resource groups without access rules, which everyone can read'),
    watch: toggle('Import the folder again after each change of its files, until Ctrl-C'),
  },
  destructive: { when: { says: 'With --prune', holds: ({ prune, dryRun }) => prune && !dryRun } },
  examples: {
    'import site/ --watch': 'Follow a folder while you work in it',
    'import site.ndjson --dry-run': 'Check a file and count what would change',
    'import site/ --dry-run': 'Check a folder of Gitify',
    'import site.ndjson --atomic --on-conflict skip': 'Add what is missing, all or nothing',
  },
  async run(options, deps) {
    const { file, dryRun, atomic, trust, strict, onConflict, prune, force, allowOpenGroups, watch } = options;
    const isOfFolder = isFolder(file, deps);
    if (force && !prune) throw usageError({ '--force': 'needs --prune' });
    const ofFolders = { '--prune': prune, '--watch': watch, '--allow-open-groups': allowOpenGroups };
    for (const [flag, isGiven] of Object.entries(ofFolders)) {
      if (isGiven && !isOfFolder) throw usageError({ [flag]: 'needs a folder, such as site/' });
    }
    if (watch && dryRun) throw usageError({ '--watch': 'imports: leave --dry-run out' });
    const target = await openTransfer(deps);
    const editing = prune ? await openEditing(target.store, { ...deps, events: false, trust }) : null;
    const memory: FolderMemory = new Map();
    const importOnce = async (isDry: boolean): Promise<Imported> => {
      let removed: readonly string[] = [];
      const onRemoved = (gone: readonly string[]): void => {
        removed = gone;
      };
      const warnings = new Warnings();
      const doing = isDry ? 'Checking' : 'Importing';
      const asked = { file, doing, allowOpenGroups, memory: watch ? memory : undefined, isNoted: !watch };
      const { result, found } = await withSource(deps, asked, (source) =>
        importSite(target, {
          source,
          by: deps.writer,
          isDry,
          isAtomic: atomic,
          isTrusted: trust,
          isStrict: strict,
          onConflict,
          warnings,
          prune: editing === null ? undefined : { editing, force, onRemoved },
        }),
      ).catch((error: unknown) => {
        memory.clear();
        throw error;
      });
      return { counts: result, found, removed, warnings, isDry };
    };
    if (prune && !dryRun)
      await deps.confirm(async () => {
        const { removed } = await importOnce(true);
        return removed.length === 0 ? null : removalQuestion(deps, removed, 'record');
      });
    const first = resultOf(await importOnce(dryRun));
    if (!watch) return first;
    let known = [...memory.keys()];
    if (!deps.flags.quiet) deps.io.stderr.write(`${first.message} Waiting for changes of ${file}, until Ctrl-C.\n`);
    await watchFolder(resolve(deps.cwd, file), deps, async () => {
      const imported = await importOnce(false);
      const { message, notes = [] } = resultOf(imported);
      const { created, updated, skipped } = imported.counts;
      const said = notes.filter((note) => String(note).startsWith('Removed'));
      const stays = prune ? '' : '; a record that no file has stays in the site without --prune';
      const gone = known.filter((name) => !memory.has(name));
      said.push(...gone.slice(0, mostShown).map((name) => `${name} is gone${stays}.`));
      known = [...memory.keys()];
      if (created + updated + skipped + imported.removed.length > 0) said.push(...imported.warnings.notes, message);
      return said.join('\n');
    });
    return first;
  },
});

interface Imported {
  readonly counts: ImportCounts;
  readonly found: FolderFound | null;
  readonly removed: readonly string[];
  readonly warnings: Warnings;
  readonly isDry: boolean;
}

function resultOf({ counts, found, removed, warnings, isDry }: Imported): DoneResult {
  const { created, updated, unchanged, skipped } = counts;
  const would = isDry ? 'would be ' : '';
  const gone = removed.length > 0 ? `, ${removed.length} ${would}removed` : '';
  const message = `${countOf(created, 'record')} ${would}created, ${updated} ${would}updated, ${unchanged} unchanged, ${skipped} skipped${gone}.`;
  if (found === null) return { kind: 'done', message, data: { ...counts, ...warnings.data }, notes: warnings.notes };
  const { ignored, losses } = found;
  const others = Object.entries(ignored).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const data = {
    ...counts,
    removed: removed.length,
    ignored: Object.fromEntries(others),
    left_out: losses.list,
    ...warnings.data,
  };
  const note =
    others.length > 0 && `Not kept by a site: ${others.map(([name, count]) => `${count} ${name}`).join(', ')}.`;
  const shown = removed.slice(0, mostShown).map((name) => `${isDry ? 'Would be removed' : 'Removed'}: ${name}.`);
  return { kind: 'done', message, data, notes: [...shown, ...losses.notes, note, ...warnings.notes] };
}

/** Milliseconds without a further change: an editor writes a file in several steps. */
const settled = 40;

/** Ends only with the command. `work` says what was done; empty for nothing. */
async function watchFolder(root: string, { io, clock, stop, flags }: Deps, work: () => Promise<string>): Promise<void> {
  const changes = new EventEmitter();
  // What changed before the watch began must not be missed.
  let isChanged = true;
  let isWrong = false;
  let watchers: readonly FSWatcher[] = [];
  const close = (): void => {
    for (const watcher of watchers) watcher.close();
  };
  const onChange = (): void => {
    isChanged = true;
    changes.emit('change');
  };
  try {
    while (!stop.aborted) {
      if (!isChanged) await once(changes, 'change', { signal: stop }).catch(() => undefined);
      if (stop.aborted) return;
      do {
        isChanged = false;
        await clock.sleep(settled, stop);
        // There may be other folders now.
        close();
        watchers = await watchAll(root, onChange);
      } while (isChanged);
      const wasWrong = isWrong;
      isWrong = false;
      const done = await work().catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        isWrong = true;
        return `hcd: ${error.message}`;
      });
      const said = wasWrong && !isWrong ? `The error is gone.\n${done}`.trimEnd() : done;
      if (said === '' || flags.quiet) continue;
      for (const line of said.split('\n')) io.stderr.write(`${escapeControls(line)}\n`);
    }
  } finally {
    close();
  }
}

/** Git and editors keep their own files beside. */
function isOther(name: string): boolean {
  return (name.startsWith('.') && name !== '.gitify') || name === 'node_modules';
}

function passGone(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') throw error;
}

/** Each folder by itself: a recursive watch of Node.js 20 loses files that an editor replaces. */
async function watchAll(root: string, onChange: () => void): Promise<readonly FSWatcher[]> {
  const watchers: FSWatcher[] = [];
  async function add(folder: string): Promise<void> {
    const watcher = watch(folder, (_event, name) => {
      if (!isOther(name ?? '')) onChange();
    });
    watchers.push(watcher.on('error', onChange));
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      // One that is gone by now changed the folder that it was in.
      if (entry.isDirectory() && !isOther(entry.name)) await add(join(folder, entry.name)).catch(passGone);
    }
  }
  try {
    await add(root);
  } catch (cause) {
    for (const watcher of watchers) watcher.close();
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('refused', { message: `${root} cannot be watched: ${why}`, cause });
  }
  return watchers;
}
