/** What exports, imports and comparisons share: the file or folder that they read. */
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '../src/errors/app-error.js';
import { readBackupFile, sizeToRead } from '../src/operations/backup/backup-file.js';
import { readFolderConfig } from '../src/operations/transfer/folder-config.js';
import { FolderFound, type FolderMemory, type FolderSource } from '../src/operations/transfer/folder-entry.js';
import type { FileSource, Site } from '../src/operations/transfer/transfer-site.js';
import { maintenanceLimits } from '../src/store/base/limits.js';
import { countOf, escapeControls } from '../src/values/text.js';
import type { Deps } from './deps.js';
import { limitHeapGrowth, programVersion } from './host.js';

/** Opens the site for a transfer, with the folder of files where the store is our own. */
export async function openTransfer(deps: Deps): Promise<Site> {
  limitHeapGrowth(30);
  const site = await deps.openSite({ limits: maintenanceLimits });
  const files = site.store.kind === 'own' ? deps.loadConfig().config.files_dir : undefined;
  return { store: site.store, registry: await site.registry(), files };
}

/** A path that ends in `/`, or is a folder. */
export function isFolder(file: string, { cwd }: Pick<Deps, 'cwd'>): boolean {
  if (file === '-') return false;
  return /[/\\]$/.test(file) || statSync(resolve(cwd, file), { throwIfNoEntry: false })?.isDirectory() === true;
}

export const mostShown = 50;

export function removalQuestion({ io }: Pick<Deps, 'io'>, gone: readonly string[], what: 'record' | 'file'): string {
  const more = gone.length > mostShown ? `\n... and ${gone.length - mostShown} more` : '';
  io.stderr.write(`${escapeControls(gone.slice(0, mostShown).join('\n'))}${more}\n`);
  const other = what === 'file' ? 'whose record the site no longer has' : 'that the folder does not have';
  return `Remove ${countOf(gone.length, what)} ${other}?`;
}

interface Asked {
  readonly file: string;
  readonly doing: string;
  readonly memory?: FolderMemory | undefined;
  /** Not again what the last import of the folder left as it is. */
  readonly isNoted?: boolean;
  /** A comparison shows them. */
  readonly allowOpenGroups?: boolean;
}

export async function withSource<T>(
  deps: Deps,
  { file, doing, memory, allowOpenGroups = true, isNoted = false }: Asked,
  work: (source: FileSource | FolderSource, finish: () => void) => Promise<T>,
): Promise<{ readonly result: T; readonly found: FolderFound | null }> {
  const isOfFolder = isFolder(file, deps);
  return deps.progress(`${doing} ${isOfFolder ? 'files' : 'bytes'}`, async ({ update, finish }) => {
    if (!isOfFolder) return { result: await work(await fileSource(deps, file, update), finish), found: null };
    const found = new FolderFound();
    const config = await folderConfig(deps, file);
    const folder = join(config.root, config.data);
    if (!existsSync(folder))
      throw new AppError('refused', { message: `${folder}, the data_directory of .gitify, does not exist` });
    const version = isNoted ? programVersion : undefined;
    const source = { config, found, hasOpenGroups: allowOpenGroups, memory, version, onFile: update };
    return { result: await work(source, finish), found };
  });
}

export async function folderConfig({ cwd }: Deps, file: string): Promise<FolderSource['config']> {
  const root = resolve(cwd, file);
  const config = await readFolderConfig(root);
  if (config !== null) return config;
  const message = statSync(root, { throwIfNoEntry: false })
    ? `${root} has no .gitify, which names the folders of the records. hcd export ${file} writes one`
    : `${root} does not exist`;
  throw new AppError('refused', { message });
}

async function fileSource(
  { cwd, io }: Deps,
  file: string,
  update: (done: number, total: number | null) => void,
): Promise<FileSource> {
  const path = file === '-' ? null : resolve(cwd, file);
  const total = path === null ? null : await sizeToRead(path);
  let bytes = 0;
  let isRead = false;
  return {
    open() {
      bytes = 0;
      if (isRead && total === null) {
        const message = 'Another writer was in the way. Import from a file instead of a pipe';
        throw new AppError('refused', { message });
      }
      isRead = true;
      return path === null ? io.stdin.stream : readBackupFile(path, () => undefined);
    },
    onBytes(count) {
      bytes += count;
      update(bytes, total);
    },
  };
}
