/** Replaces the text of a file in one step: readers see the old text or the new one. */
import { open, readFile, realpath, rename, rm } from 'node:fs/promises';
import { AppError } from '../../src/errors/app-error.js';

/** False when the file has the text already; its time stays. Throws `refused`. */
export async function replaceText(path: string, text: string, mode?: number): Promise<boolean> {
  // A link stays a link.
  const place = await realpath(path).catch(() => path);
  if (mode === undefined && (await readFile(place, 'utf8').catch(() => null)) === text) return false;
  const partial = `${place}.${process.pid}.partial`;
  try {
    await rm(partial, { force: true });
    const file = await open(partial, 'wx', mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, place);
    return true;
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined);
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    throw new AppError('refused', { message: `${path} cannot be written: ${error.message}`, cause: error });
  }
}
