/** `hcd backup`: writes the whole store to one file while servers and workers run. */
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileValue, integerValue } from '../src/config/value-type.js';
import { AppError } from '../src/errors/app-error.js';
import {
  backupName,
  recordBackup,
  removeOldBackups,
  removeUnfinishedBackups,
  writeBackupFile,
} from '../src/operations/backup/backup-file.js';
import { type BackupTotals, takeBackup } from '../src/operations/backup/take-backup.js';
import { maintenanceLimits } from '../src/store/base/limits.js';
import type { Store } from '../src/store/open/open.js';
import { isoTimeOfMs } from '../src/values/dates.js';
import { defineCommand } from './command.js';
import type { Deps } from './deps.js';
import { migrationRun, openExisting, storeOptions } from './open-store.js';
import { checkOutputFile } from './output-file.js';
import { optional, usageError } from './parameters.js';
import { readPassphrase } from './read-file.js';

export const command = defineCommand({
  description:
    'Writes the content tables, tables of MODX extras and the hcd_ tables to one compressed file, as of one moment. Servers and workers can run meanwhile. The file holds digests of keys and passwords, and without HCD_SECRET the root secret: only its owner can read it, and --passphrase-file encrypts it. It appears under its name when it is complete.',
  arguments: {
    file: optional(fileValue, 'File to write, or - for standard output', { isOutput: true }),
  },
  options: {
    dir: optional(fileValue, 'Directory for a file named by the time, such as hcd-20261122T031500.000Z.backup', {
      placeholder: 'DIR',
    }),
    keep: optional(
      integerValue({ min: 1, max: 10_000 }),
      'With --dir: number of backups to keep; older ones are removed (default: all)',
    ),
    passphraseFile: optional(fileValue, 'File with the passphrase that encrypts the backup'),
  },
  examples: {
    'backup site.backup': 'Write a backup to a file',
    'backup --dir /var/backups/hcd --keep 7 --quiet': 'Keep the last seven backups, from cron',
  },
  async run({ file, dir, keep, passphraseFile }, deps) {
    checkFlags({ file, dir, keep }, deps);
    const passphrase = await readPassphrase(passphraseFile, deps);
    const created = deps.clock.now();
    const name = backupName(created);
    const path = dir === undefined ? resolve(deps.cwd, file ?? '') : join(resolve(deps.cwd, dir), name);
    if (file === '-') {
      const { notes } = await backUp(deps, { takenOn: created, passphrase, file: null }, async (bytes) => {
        await pipeline(bytes, deps.io.stdout.stream, { end: false });
      });
      return { kind: 'nothing', hasWritten: true, notes };
    }
    checkOutputFile(path, deps);
    await removeUnfinishedBackups(path);
    let bytes = 0;
    const { tables, rows, notes } = await backUp(
      deps,
      { takenOn: created, passphrase, file: path },
      async (content) => {
        bytes = await writeBackupFile(path, content);
      },
    );
    const removed =
      dir === undefined || keep === undefined ? [] : await removeOldBackups(dirname(path), { keep, newest: name });
    return {
      kind: 'done',
      message: `Wrote ${path}: ${rows} rows of ${tables} tables, ${bytes} bytes${removed.length > 0 ? `; removed ${removed.join(', ')}` : ''}.`,
      data: {
        ...{ file: path, bytes, created: isoTimeOfMs(created), version: deps.version },
        ...{ encrypted: passphrase !== null, tables, rows },
      },
      notes,
    };
  },
});

type Place = Readonly<{ file: string | undefined; dir: string | undefined; keep: number | undefined }>;

function checkFlags({ file, dir, keep }: Place, { io }: Deps): void {
  if ((file === undefined) === (dir === undefined)) throw usageError({ FILE: 'or --dir is required, and not both' });
  if (keep !== undefined && dir === undefined) throw usageError({ '--keep': 'can only be used with --dir' });
  if (file === '-' && io.stdout.isTerminal) {
    throw usageError({ FILE: 'can be - only when the output is a file or a pipe, not a terminal' });
  }
}

async function backUp(
  deps: Deps,
  { passphrase, ...noted }: Parameters<typeof recordBackup>[1] & { readonly passphrase: Buffer | null },
  write: (bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<BackupTotals> {
  const { config } = deps.loadConfig();
  const options = { ...storeOptions(config), readUrls: [], repairEncoding: false, limits: maintenanceLimits };
  const store = await openExisting(deps, options);
  const from = { store, url: config.database, run: migrationRun(store), passphrase };
  return deps.progress('Backing up rows', async ({ update }) => {
    const taken = await takeBackup({ ...from, onProgress: update }, write);
    return { ...taken, notes: [...taken.notes, ...(await recordFor(store, noted))] };
  });
}

async function recordFor({ own }: Store, backup: Parameters<typeof recordBackup>[1]): Promise<string[]> {
  try {
    await recordBackup(own, backup);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [`The time of the backup cannot be recorded for hcd doctor: ${error.message}`];
  }
}
