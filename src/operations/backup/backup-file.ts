/** Writes backups under a temporary name, reads them, and removes old ones. */

import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../../errors/app-error.js';
import { codeOf } from '../../errors/disk-error.js';
import { type Database, type Reader, repeatable } from '../../store/base/database.js';
import { syncFile } from '../../store/sqlite/replace-file.js';
import { readState, writeState } from '../../store/state/state.js';

/** The file appears under its name when all of it is on the disk. Returns the length. Throws what the system reports. */
export async function writeWhole(
  path: string,
  content: AsyncIterable<Buffer> | readonly string[],
  mode?: number,
): Promise<number> {
  const partial = `${path}.${process.pid}.partial`;
  // An earlier process of that number did not finish it.
  await rm(partial, { force: true });
  let written = 0;
  try {
    const file = await open(partial, 'wx', mode);
    try {
      for await (const chunk of content) {
        await file.writeFile(chunk);
        written += chunk.length;
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
    return written;
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined);
    throw error;
  }
}

export async function writeBackupFile(path: string, bytes: AsyncIterable<Buffer>): Promise<number> {
  try {
    const written = await writeWhole(path, bytes, 0o600);
    await syncFile(dirname(path));
    return written;
  } catch (error) {
    throw fileFault(error, { path, verb: 'written' });
  }
}

export async function* readBackupFile(path: string, onProgress?: (done: number) => void): AsyncGenerator<Buffer> {
  let done = 0;
  try {
    for await (const chunk of createReadStream(path)) {
      yield chunk;
      done += chunk.length;
      onProgress?.(done);
    }
  } catch (error) {
    throw fileFault(error, { path, verb: 'read' });
  }
}

/** Null for a pipe or device, which can be read once. Throws `refused` for what cannot be read. */
export async function sizeToRead(path: string): Promise<number | null> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new AppError('refused', { message: `${path} cannot be read: it is a folder` });
    return found.isFile() ? found.size : null;
  } catch (error) {
    throw fileFault(error, { path, verb: 'read' });
  }
}

const reasons: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'there is no such file or folder'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'this user may not do that'],
  ['ENOSPC', 'the disk is full'],
]);

export function fileFault(error: unknown, { path, verb }: { path: string; verb: string }): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error;
  const reason = reasons.get(codeOf(error)) ?? codeOf(error);
  return new AppError('refused', { message: `${path} cannot be ${verb}: ${reason}`, cause: error });
}

const namePattern = /^hcd-\d{8}T\d{6}\.\d{3}Z\.backup$/;

/** `hcd-20261122T234500.000Z.backup`: the order of names is the order of times. */
export function backupName(milliseconds: number): string {
  return `hcd-${new Date(milliseconds).toISOString().replaceAll(/[-:]/g, '')}.backup`;
}

export function isBackupName(name: string): boolean {
  return namePattern.test(name);
}

/** Never removes `newest`, or files with other names. Returns the removed names. */
export async function removeOldBackups(
  folder: string,
  { keep, newest }: { readonly keep: number; readonly newest: string },
): Promise<string[]> {
  const others = (await readdir(folder)).filter((name) => isBackupName(name) && name !== newest).sort();
  const old = others.slice(0, Math.max(0, others.length - (keep - 1)));
  for (const name of old) await rm(join(folder, name), { force: true });
  return old;
}

const partialPattern = /^(.+?)(?:\.(\d+))?\.partial$/;

/** Removes the remains of killed backups; what another process is writing stays. */
export async function removeUnfinishedBackups(path: string): Promise<void> {
  const [folder, file] = [dirname(path), basename(path)];
  for (const name of await readdir(folder).catch(() => [])) {
    const [, backup = '', writer] = partialPattern.exec(name) ?? [];
    const isOurs = backup === file ? writer !== undefined : isBackupName(file) && isBackupName(backup);
    if (isOurs && !isRunning(Number(writer))) await rm(join(folder, name), { force: true });
  }
}

export function isRunning(pid: number): boolean {
  if (Number.isNaN(pid) || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process of another user may not be asked.
    return codeOf(error) === 'EPERM';
  }
}

const stateKey = 'last_backup';

interface LastBackup {
  readonly takenOn: number;
  /** On the machine that took it; null for standard output. */
  readonly file: string | null;
}

/** When `hcd backup` last wrote a backup of a store, for `hcd doctor`. */
export function recordBackup(own: Database, backup: LastBackup): Promise<void> {
  return own.write((tx) => writeState(tx, stateKey, JSON.stringify(backup)), repeatable);
}

export async function readLastBackup(reader: Reader): Promise<LastBackup | null> {
  const value: unknown = JSON.parse((await readState(reader, stateKey)) ?? 'null');
  if (typeof value !== 'object' || value === null) return null;
  const { takenOn, file }: { takenOn?: unknown; file?: unknown } = value;
  return typeof takenOn === 'number' ? { takenOn, file: typeof file === 'string' ? file : null } : null;
}
