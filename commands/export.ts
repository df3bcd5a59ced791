/** `hcd export`: writes the content of the site as NDJSON, or into a folder. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileValue, listValue, textValue, timeValue } from '../src/config/value-type.js';
import { AppError } from '../src/errors/app-error.js';
import { writeBackupFile } from '../src/operations/backup/backup-file.js';
import { configFile, readFolderConfig } from '../src/operations/transfer/folder-config.js';
import { exportFolder, exportSite } from '../src/operations/transfer/transfer-site.js';
import { Losses } from '../src/operations/transfer/warnings.js';
import type { FolderChoice } from '../src/operations/transfer/write-folder.js';
import { isoTimeOfMs } from '../src/values/dates.js';
import { readAsset } from '../src/values/read-asset.js';
import { countOf } from '../src/values/text.js';
import { type DoneResult, defineCommand, type Result } from './command.js';
import type { Deps } from './deps.js';
import { checkOutputFile } from './output-file.js';
import { optional, required, toggle, usageError } from './parameters.js';
import { folderConfig, isFolder, mostShown, openTransfer, removalQuestion } from './transfer-source.js';

const names = listValue(textValue({ accepts: 'a name' }));

export const command = defineCommand({
  description:
    'Writes the content of the site as NDJSON: contexts and their settings, elements, resources with template variables, extra objects, section types, pages with drafts, and banners. Records name each other instead of using ids, so the file means the same in another database. Two exports of the same content differ in the first line only. Users, access rules, keys, tokens, passwords and webhooks are never exported.\n\nServers can run meanwhile. The file holds the content as of the moment at which the export begins.\n\nA path that ends in / or is a folder is written in the layout of Gitify, which imports and MODX developers read: with ids, by the partitions of the .gitify that is there, or of a new one. Files that hold what the site has are not touched; files of its partitions whose record is gone are listed, and removed with --prune, unless they have no id. System settings, pages and banners are not in folders.',
  arguments: {
    file: required(fileValue, 'File or folder to write, or - for standard output', { isOutput: true }),
  },
  options: {
    object: optional(names, 'Objects to export, separated by commas (default: all)', { placeholder: 'NAMES' }),
    context: optional(names, 'Contexts whose records are exported (default: all)', { placeholder: 'KEYS' }),
    since: optional(
      timeValue,
      'Export records changed at this time or later; records without such a time are included',
    ),
    prune: toggle('Remove files of the folder whose record the site no longer has, after showing them'),
  },
  destructive: { when: { says: 'With --prune', holds: ({ prune }) => prune } },
  examples: {
    'export site.ndjson': 'Export the whole site',
    'export site/': 'Write the content into a folder for Git',
    'export - --object resources,pages --context web --since 2026-11-01':
      'Write recent changes of a context to standard output',
  },
  async run({ file, object, context, since, prune }, deps) {
    const { io, cwd, clock } = deps;
    const isPiped = file === '-';
    if (isPiped && io.stdout.isTerminal) {
      throw usageError({ FILE: 'can be - only when the output is a file or a pipe, not a terminal' });
    }
    const path = resolve(cwd, file);
    const filter = { contexts: context, since };
    if (prune && !isFolder(file, deps)) throw usageError({ '--prune': 'needs a folder, such as site/' });
    if (prune && (context ?? since) !== undefined) {
      throw usageError({ '--prune': 'needs all records: leave --context and --since out' });
    }
    if (isFolder(file, deps)) return exportInto(path, { deps, objects: object, filter, prune });
    if (!isPiped) checkOutputFile(path, deps);
    const site = await openTransfer(deps);
    let records = 0;
    const losses = new Losses();
    return deps.progress<Result>('Exporting records', async ({ update }) => {
      const lines = await exportSite(site, {
        objects: object,
        filter,
        exported: isoTimeOfMs(clock.now()),
        onLost: (loss) => losses.add(loss),
        onRecords(done) {
          records = done;
          update(done);
        },
      });
      if (isPiped) {
        await pipeline(bytesOf(lines), io.stdout.stream, { end: false });
        return { kind: 'nothing', hasWritten: true, notes: losses.notes };
      }
      const bytes = await writeBackupFile(path, bytesOf(lines));
      const message = `Exported ${countOf(records, 'record')} to ${path}, ${countOf(bytes, 'byte')}.`;
      const data = { file: path, records, bytes, left_out: losses.list };
      const note = extname(file) === '' && `${file} is a file of lines: ${file}/ would be a folder.`;
      return { kind: 'done', message, data, notes: [...losses.notes, note] };
    });
  },
});

async function exportInto(
  path: string,
  { deps, prune, ...choice }: FolderChoice & { readonly deps: Deps; readonly prune: boolean },
): Promise<DoneResult> {
  const site = await openTransfer(deps);
  if ((await readFolderConfig(path)) === null) await startFolder(path, deps);
  const config = await folderConfig(deps, path);
  return deps.progress('Exporting records', async ({ update: onRecords, finish }) => {
    let gone: readonly string[] = [];
    const removes = async (files: readonly string[]): Promise<boolean> => {
      gone = files;
      if (!prune || !deps.prompt.isInteractive) return prune;
      finish();
      return deps.prompt.confirm({ message: removalQuestion(deps, files, 'file'), flag: '--yes' });
    };
    const counts = await exportFolder(site, { ...choice, config, onRecords, removes });
    const { records, written, unchanged, removed, orphaned } = counts;
    const message = `Exported ${countOf(records, 'record')} to ${path}: ${countOf(written, 'file')} written, ${unchanged} unchanged, ${removed} removed.`;
    const shown = gone.slice(0, mostShown).map((name) => `${removed > 0 ? 'Removed' : 'Without a record'}: ${name}.`);
    const note = orphaned > 0 && 'Files without a record stay: --prune removes them.';
    return { kind: 'done', message, data: { folder: path, ...counts }, notes: [...shown, note] };
  });
}

const ownFile = /^(?:\.|hcd\.(?:toml|sqlite))/;

/** Without `.gitify` the folder must be empty, but for what hcd makes in the folder of a site. */
async function startFolder(path: string, { flags, loadConfig }: Deps): Promise<void> {
  await mkdir(path, { recursive: true });
  const { files_dir: filesDir } = loadConfig().config;
  const isForeign = (name: string): boolean => !ownFile.test(name) && join(path, name) !== filesDir;
  if (!flags.yes && (await readdir(path)).some(isForeign)) {
    throw new AppError('refused', {
      message: `${path} has files but no .gitify. Name an empty folder, or write into this one with --yes`,
    });
  }
  await writeFile(join(path, configFile), readAsset('gitify', 'new.yaml'));
}

async function* bytesOf(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of lines) yield Buffer.from(text);
}
