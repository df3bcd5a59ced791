/** `hcd restore`: restores a store from a backup, and with --yes replaces an existing one. */
import { resolve } from 'node:path';
import { maskDatabaseUrl } from '../src/config/address-values.js';
import { fileValue } from '../src/config/value-type.js';
import { AppError } from '../src/errors/app-error.js';
import { readBackupFile, sizeToRead } from '../src/operations/backup/backup-file.js';
import { restoreBackup } from '../src/operations/backup/restore-backup.js';
import { defineCommand } from './command.js';
import type { Deps } from './deps.js';
import { migrations } from './open-store.js';
import { optional, required } from './parameters.js';
import { readPassphrase } from './read-file.js';

export const command = defineCommand({
  description:
    'Makes the store of a backup in the configured database, SQLite or MariaDB, whichever the backup comes from. Stop servers and workers first. A store that is there is replaced as a whole, after a question or with --yes, when everything was read, loaded and compared; until then it stays as it is. The tables of a CMS are never replaced.',
  arguments: {
    file: required(fileValue, 'Backup to restore, or - for standard input'),
  },
  options: {
    passphraseFile: optional(fileValue, 'File with the passphrase of an encrypted backup'),
  },
  examples: {
    'restore site.backup': 'Restore a backup into the configured, empty database',
    'restore site.backup --database mariadb://hcd:secret@db.example/hcd --yes': 'Replace a store on another server',
  },
  async run({ file, passphraseFile }, deps) {
    const { config } = deps.loadConfig();
    if (config.own_database !== null && config.own_database !== config.database) {
      throw new AppError('refused', {
        message: 'A restore writes one database: unset HCD_OWN_DATABASE_URL, and name an empty database',
      });
    }
    const passphrase = await readPassphrase(passphraseFile, deps);
    const path = file === '-' ? null : resolve(deps.cwd, file);
    const total = path === null ? null : await sizeToRead(path);
    const place = maskDatabaseUrl(config.database);
    const restored = await deps.progress('Reading bytes', (bytes) =>
      deps.progress('Restoring rows', (bar) =>
        restoreBackup({
          ...{ passphrase, url: config.database, prefix: config.content_prefix, openStore: deps.openStore },
          file: path === null ? deps.io.stdin.stream : readBackupFile(path, (done) => bytes.update(done, total)),
          ...{ migrations, version: deps.version, stop: deps.stop },
          onProgress(done, all) {
            bytes.finish();
            bar.update(done, all);
          },
          confirm: (found) => confirmReplacement(deps, `${place} holds ${found}`),
        }),
      ),
    );
    const { tables, rows, notes } = restored;
    return {
      kind: 'done',
      message: `Restored ${rows} rows of ${tables} tables into ${place}.`,
      data: { tables, rows },
      notes,
    };
  },
});

async function confirmReplacement(deps: Deps, held: string): Promise<void> {
  if (deps.flags.yes) return;
  if (!deps.prompt.isInteractive) throw new AppError('target_not_empty', { message: held });
  await deps.confirm(`${held}. Replace all of it with the backup?`);
}
