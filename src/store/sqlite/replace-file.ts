/** Replaces a SQLite file by a complete one. No other process may have either open. */
import { existsSync } from 'node:fs';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../../errors/app-error.js';
import { loadSqliteDriver, whileBusy } from './connection.js';
import type { SqliteHandle } from './driver.js';
import { isBusy, SqliteFailure } from './failure.js';

const patience = 2000;

/** Throws target_in_use. A missing or damaged file is not in use. */
export async function checkUnused(path: string): Promise<void> {
  const handle = await openAlone(path);
  handle?.close();
}

/** A process that dies leaves the old or the new file. Throws target_in_use before any change. */
export async function replaceFile(path: string, next: string): Promise<void> {
  await checkFolded(next);
  await syncFile(next);
  const real = existsSync(path) ? await realpath(path) : path;
  const old = await openAlone(real);
  try {
    // The old log would be taken for the log of the new file.
    if (old !== null) await whileBusy(() => old.exec('PRAGMA journal_mode = DELETE'), patience);
    else await removeLog(real);
    await rename(next, real);
    await syncFile(dirname(real));
  } catch (error) {
    throw isBusy(error) ? inUse(real, error) : error;
  } finally {
    old?.close();
  }
}

/** Throws refused when rows are only in the log: closing a database says nothing of a failed last checkpoint. */
export async function checkFolded(path: string): Promise<void> {
  const log = await stat(`${path}-wal`).catch(() => null);
  if (log === null || log.size === 0) return;
  throw new AppError('refused', {
    message: `${path} cannot be written completely: the disk is full, or fails. Free space on it, and run the command again`,
  });
}

export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
  await removeLog(path);
}

async function removeLog(path: string): Promise<void> {
  for (const end of ['-wal', '-shm', '-journal']) await rm(path + end, { force: true });
}

/** Keeps all others out until it closes; null for a file that is missing or cannot be read. */
async function openAlone(path: string): Promise<SqliteHandle | null> {
  if (!existsSync(path)) return null;
  const driver = await loadSqliteDriver();
  let handle: SqliteHandle | null = null;
  try {
    const opened = driver.open({ path, readonly: false });
    handle = opened;
    opened.exec('PRAGMA locking_mode = EXCLUSIVE');
    // In this mode the lock stays when the transaction ends.
    await whileBusy(() => opened.exec('BEGIN EXCLUSIVE'), patience);
    opened.exec('COMMIT');
    return opened;
  } catch (error) {
    handle?.close();
    if (isBusy(error)) throw inUse(path, error);
    if (error instanceof SqliteFailure) return null;
    throw error;
  }
}

function inUse(path: string, cause: unknown): AppError {
  return new AppError('target_in_use', {
    message: `Another process has ${path} open`,
    cause,
  });
}

/** Also of a folder: a name is safe from a loss of power when its folder is. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
