/** The output files of commands, which must not overwrite the only good file, or the database. */
import { existsSync, statSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseDatabaseUrl } from '../src/config/address-values.js';
import { AppError } from '../src/errors/app-error.js';
import { writeWhole } from '../src/operations/backup/backup-file.js';
import type { Deps } from './deps.js';

/** Throws `refused`. A missing folder is not created: its disk may not be mounted. */
export function checkOutputFile(
  path: string,
  { flags, loadConfig }: Deps,
  isOurs: (path: string) => boolean = () => false,
): void {
  const found = statSync(path, { throwIfNoEntry: false });
  const folder = dirname(path);
  if (!existsSync(folder)) {
    const message = `${folder} cannot be written: there is no such file or folder. Mount its disk, or create it: mkdir -p -m 700 ${folder}`;
    throw new AppError('refused', { message });
  }
  if (found === undefined) return;
  const { database, own_database: own } = loadConfig().config;
  for (const url of own === null ? [database] : [database, own]) {
    const address = parseDatabaseUrl(url);
    if (address.dialect !== 'sqlite') continue;
    for (const part of ['', '-wal', '-shm']) {
      const used = statSync(address.path + part, { throwIfNoEntry: false });
      if (used === undefined || used.dev !== found.dev || used.ino !== found.ino) continue;
      throw new AppError('refused', { message: `${path} is a file of the database. Name another file` });
    }
  }
  if (found.isDirectory()) throw new AppError('refused', { message: `${path} is a folder. Name a file in it` });
  if (flags.yes || isOurs(path)) return;
  throw new AppError('refused', { message: `${path} exists. Name another file, or replace it with --yes` });
}

/** Readers see the old text or the new one. False when the file has it already; its time stays. Throws `refused`. */
export async function replaceText(path: string, text: string, mode?: number): Promise<boolean> {
  // A link stays a link.
  const place = await realpath(path).catch(() => path);
  if (mode === undefined && (await readFile(place, 'utf8').catch(() => null)) === text) return false;
  try {
    await writeWhole(place, [text], mode);
    return true;
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    throw new AppError('refused', { message: `${path} cannot be written: ${error.message}`, cause: error });
  }
}
