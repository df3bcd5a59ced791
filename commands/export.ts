/** `hcd export`: writes the content of the site as NDJSON, or into a folder. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileValue, listValue, textValue, timeValue } from '../src/config/value-type.js';
import { AppError } from '../src/errors/app-error.js';
import { writeBackupFile } from '../src/operations/backup/backup-file.js';
import {
  configFile,
  type FolderConfig,
  newConfig,
  readFolderConfig,
} from '../src/operations/transfer/folder-config.js';
import { Losses } from '../src/operations/transfer/losses.js';
import { exportFolder, exportSite } from '../src/operations/transfer/transfer-site.js';
import { maintenanceLimits } from '../src/store/base/limits.js';
import { type DoneResult, defineCommand, isoTime } from './command.js';
import type { Deps } from './deps.js';
import { limitHeapGrowth } from './heap.js';
import { checkOutputFile } from './output-file.js';
import { optional, required, usageError } from './parameters.js';
import { lateProgress } from './progress.js';
import { countOf } from './terminal-text.js';
import { isFolder } from './transfer-source.js';

const names = listValue(textValue({ accepts: 'a name' }));

export const command = defineCommand({
  description:
    'Writes the content of the site as NDJSON: contexts and their settings, elements, resources with template variables, extra objects, section types, pages with drafts, and banners. Records name each other instead of using ids, so the file means the same in another database. Two exports of the same content differ in the first line only. Users, access rules, keys, tokens, passwords and webhooks are never exported.\n\nServers can run meanwhile. The file holds the content as of the moment at which the export begins.\n\nA path that ends in / or is a folder is written in the layout of Gitify, which imports and MODX developers read: with ids, by the partitions of the .gitify that is there, or of a new one. Files that hold what the site has are not touched; files of its partitions without a record are removed. System settings, pages and banners are not in folders.',
  arguments: { file: required(fileValue, 'File or folder to write, or - for standard output') },
  options: {
    object: optional(names, {
      placeholder: 'NAMES',
      description: 'Objects to export, separated by commas (default: all)',
    }),
    context: optional(names, {
      placeholder: 'KEYS',
      description: 'Contexts whose records are exported (default: all)',
    }),
    since: optional(
      timeValue,
      'Export records changed at this time or later; records without such a time are included',
    ),
  },
  examples: {
    'export site.ndjson': 'Export the whole site',
    'export site/': 'Write the content into a folder for Git',
    'export - --object resources,pages --context web --since 2026-11-01':
      'Write recent changes of a context to standard output',
  },
  async run({ file, object, context, since }, deps) {
    const { io, cwd, clock } = deps;
    const isPiped = file === '-';
    if (isPiped && io.stdout.isTerminal) {
      throw usageError({ FILE: 'can be - only when the output is a file or a pipe, not a terminal' });
    }
    const path = resolve(cwd, file);
    const filter = {
      ...(context === undefined ? {} : { contexts: context }),
      ...(since === undefined ? {} : { since }),
    };
    if (isFolder(file, deps)) return exportInto(path, { deps, objects: object, filter });
    if (!isPiped) checkOutputFile(path, deps);
    limitHeapGrowth(30);
    const site = await deps.openSite({ limits: maintenanceLimits });
    const bar = lateProgress(deps, 'Exporting records');
    let records = 0;
    const losses = new Losses();
    try {
      const lines = await exportSite(
        { store: site.store, registry: await site.registry() },
        {
          objects: object,
          filter,
          exported: isoTime(clock.now()) ?? '',
          onLost: (loss) => losses.add(loss),
          onRecords(done) {
            records = done;
            bar.update(done, null);
          },
        },
      );
      if (isPiped) {
        await pipeline(bytesOf(lines), io.stdout.stream, { end: false });
        return { kind: 'nothing', hasWritten: true, notes: losses.notes };
      }
      const bytes = await writeBackupFile(path, bytesOf(lines));
      const message = `Exported ${countOf(records, 'record')} to ${path}, ${countOf(bytes, 'byte')}.`;
      const data = { file: path, records, bytes, left_out: losses.list };
      return { kind: 'done', message, data, notes: losses.notes };
    } finally {
      bar.finish();
    }
  },
});

async function exportInto(
  path: string,
  { deps, ...choice }: { readonly deps: Deps } & Omit<Parameters<typeof exportFolder>[1], 'config' | 'onRecords'>,
): Promise<DoneResult> {
  limitHeapGrowth(30);
  const site = await deps.openSite({ limits: maintenanceLimits });
  const known = await readFolderConfig(path);
  const config = known ?? (await startFolder(path, deps));
  const bar = lateProgress(deps, 'Exporting records');
  try {
    const onRecords = (done: number): void => bar.update(done, null);
    const registry = await site.registry();
    const counts = await exportFolder({ store: site.store, registry }, { ...choice, config, onRecords });
    const { records, written, unchanged, removed } = counts;
    const message = `Exported ${countOf(records, 'record')} to ${path}: ${countOf(written, 'file')} written, ${unchanged} unchanged, ${removed} removed.`;
    return { kind: 'done', message, data: { folder: path, ...counts } };
  } finally {
    bar.finish();
  }
}

/** Without `.gitify` the folder must be empty: the files in it are not ours. */
async function startFolder(path: string, { flags }: Deps): Promise<FolderConfig> {
  await mkdir(path, { recursive: true });
  if (!flags.yes && (await readdir(path)).some((name) => !name.startsWith('.'))) {
    throw new AppError('refused', {
      message: `${path} has files but no .gitify. Name an empty folder, or write into this one with --yes`,
    });
  }
  const { config, text } = newConfig(path);
  await writeFile(join(path, configFile), text);
  return config;
}

async function* bytesOf(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of lines) yield Buffer.from(text);
}
