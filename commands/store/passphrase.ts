/** Reads the passphrase of a backup from its file. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError } from '../../src/errors/app-error.js';
import type { Deps } from '../deps.js';

/** Larger files are hardly the ones that were meant. */
const mostBytes = 4096;

/**
 * The bytes of the file without one line end at their end; null without a file.
 * @throws AppError refused for a file that cannot be read or is too large, passphrase_needed for an empty one
 */
export async function readPassphrase(file: string | undefined, { cwd }: Pick<Deps, 'cwd'>): Promise<Buffer | null> {
  if (file === undefined) return null;
  const path = resolve(cwd, file);
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new AppError('refused', { message: `${path} cannot be read`, cause });
  });
  if (bytes.length > mostBytes) {
    throw new AppError('refused', { message: `${path} is larger than ${mostBytes} bytes: it is no passphrase` });
  }
  const end = bytes.at(-1) === 0x0a ? (bytes.at(-2) === 0x0d ? -2 : -1) : bytes.length;
  const passphrase = bytes.subarray(0, end);
  if (passphrase.length > 0) return passphrase;
  throw new AppError('passphrase_needed', { message: `${path} is empty: write the passphrase into it` });
}
