/** Checks of backups: when the last one was taken, who may open the files, and whether the next one fits. */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { dayMs } from '../../values/dates.js';
import { countOf } from '../../values/text.js';
import { isBackupName, readLastBackup } from '../backup/backup-file.js';
import { type Check, type Finding, ok, orOk, type StoreFacts, sample, warning, when } from './check.js';

export const backupChecks: readonly Check[] = [
  { name: 'backup', needs: 'store', table: 'hcd_state', run: checkBackup },
];

const megabyte = 2 ** 20;

/** A site whose backups are made by other means never used the command, and gets no advice. */
async function checkBackup({ store, clock }: StoreFacts): Promise<Finding | readonly Finding[]> {
  const last = await readLastBackup(store.own.primary);
  if (last === null) return ok('hcd backup was never used');
  const age = clock.now() - last.takenOn;
  const days = Math.floor(age / dayMs);
  const where = last.file ?? 'written to standard output';
  const old = warning(
    `the last backup is ${days} days old (${where})`,
    'Run hcd backup --dir DIR --keep 7 every night (docs/backup.md)',
  );
  return orOk(
    [...when(age > 7 * dayMs, old), ...(last.file === null ? [] : await findingsOfFiles(last.file))],
    `the last backup is ${countOf(days, 'day')} old (${where})`,
  );
}

/** None where the folder is on another machine, or closed to this user. */
async function findingsOfFiles(last: string): Promise<Finding[]> {
  try {
    return await fileFindings(last);
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause) return [];
    throw cause;
  }
}

async function fileFindings(last: string): Promise<Finding[]> {
  const folder = dirname(last);
  const files = readdirSync(folder).filter((name) => isBackupName(name) || name === basename(last));
  const open = files.filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0);
  const openFiles = open.map((name) => join(folder, name));
  const openText = warning(
    `other users of this machine may open ${countOf(open.length, 'backup')}: ${sample(openFiles)}`,
    `chmod 600 ${openFiles.slice(0, 5).join(' ')}`,
  );
  const { bavail, bsize } = await statfs(folder);
  const free = Math.floor((bavail * bsize) / megabyte);
  const needed = existsSync(last) ? Math.ceil(statSync(last).size / megabyte) : 0;
  const fullText = warning(
    `${free} MB free in ${folder}; the last backup has ${needed} MB`,
    'Free space on the disk, or keep fewer backups (--keep)',
  );
  return [...when(open.length > 0, openText), ...when(free < needed, fullText)];
}
