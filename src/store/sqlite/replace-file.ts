/** Replaces a SQLite file by another one that is complete. No other process may have either of them open. */
import { existsSync } from 'node:fs';
import { open, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../../errors/app-error.js';
import { loadSqliteDriver, whileBusy } from './connection.js';
import { SqliteFailure, type SqliteHandle } from './driver.js';

/** Milliseconds to wait for a process that is ending. */
const patience = 2000;

/** Throws target_in_use while another process has the file open. A missing or damaged file is not in use. */
export async function checkUnused(path: string): Promise<void> {
  const handle = await openAlone(path);
  handle?.close();
}

/**
 * The new file takes the name of the old one: a process that dies leaves the one or the other. Throws target_in_use and
 * changes nothing while another process has the old one open.
 */
export async function replaceFile(path: string, next: string): Promise<void> {
  await syncFile(next);
  const real = existsSync(path) ? await realpath(path) : path;
  const old = await openAlone(real);
  try {
    // Its log is part of it, and would be taken for the log of the new file.
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

/** Removes a file that is not a store yet, and its log. */
export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
  await removeLog(path);
}

async function removeLog(path: string): Promise<void> {
  for (const end of ['-wal', '-shm', '-journal']) await rm(path + end, { force: true });
}

/** A connection that keeps all others out until it closes; null for a file that is missing or cannot be read. */
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

function isBusy(error: unknown): boolean {
  return error instanceof SqliteFailure && /^SQLITE_(BUSY|LOCKED)/.test(error.code);
}

function inUse(path: string, cause: unknown): AppError {
  return new AppError('target_in_use', {
    message: `Another process has ${path} open`,
    cause,
  });
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
